import { afterEach, beforeEach, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import type { Snapshot } from '../../src/market/rules/stream.ts';
import { needExecutable, type Running, startBellbird, temporaryFolder } from '../support/executable.ts';
import { type FakeTradingView, startFakeTradingView } from '../support/fakeTradingView.ts';
import { openStreamClient } from '../support/streamClient.ts';
import { isSnapshot } from '../support/streamEvents.ts';

await needExecutable();

const CELLS = {
  ...{ type: 'stock', typespecs: ['common'], name: 'BHP', description: 'BHP Group' },
  ...{ close: 50, open: 50, high: 50, low: 50, volume: 9, change: 1, change_abs: 0.5 },
};
const LOST = 'TradingView no longer accepts this server’s sign-in. Renew its cookie.';

const rowOf = (name: string) => ({
  symbol: `ASX:${name}`,
  cells: new Map<string, unknown>(Object.entries({ ...CELLS, name })),
});

let dataDir: string;
let fake: FakeTradingView;
let running: Running | null = null;
beforeEach(async () => {
  dataDir = await temporaryFolder();
  fake = startFakeTradingView({ rows: [rowOf('BHP')], lagMs: 0, updateMode: 'streaming' });
});
afterEach(async () => {
  await running?.stop();
  await fake.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const start = (cookie: string): Promise<Running> =>
  startBellbird({
    dataDir,
    env: {
      ...{ BELLBIRD_FEED: 'tradingview', BELLBIRD_TRADINGVIEW_URL: fake.url },
      BELLBIRD_TRADINGVIEW_COOKIE: cookie,
    },
  });

/** What the strip is told of the source, once it has answered. */
async function feedOf({ port }: Running): Promise<Snapshot['meta']['feed']> {
  for (let tries = 0; tries < 240; tries += 1) {
    const client = openStreamClient(port, '/api/data/stream');
    await client.until(({ events }) => events.length > 0);
    const data = client.events[0]?.data;
    client.leave();
    // What is kept of the last session may be there before the first answer.
    const isAnswered = isSnapshot(data) && !data.meta.feed.problem?.startsWith('Waiting for');
    if (isAnswered && data.meta.stockCount > 0) return data.meta.feed;
    await Bun.sleep(50);
  }
  throw new Error('No prices came.');
}

test('a cookie that expired while the server was off is said after the start: in the strip and in the log', async () => {
  running = await start('the-first-session');
  expect((await feedOf(running)).problem ?? '').not.toContain(LOST);
  // Also when it did not come to an orderly end.
  await running.stop('SIGKILL');
  fake.set({ updateMode: 'delayed_streaming_1200', lagMs: 20 * 60_000 });
  running = await start('the-first-session');
  expect((await feedOf(running)).problem).toContain(LOST);
  expect(running.log()).toContain(LOST);
  await running.stop();
  running = await start('a-renewed-session');
  expect((await feedOf(running)).problem).toContain('the new cookie does not make them live');
  expect(running.log()).not.toContain('renewed-session');
});

test('a list that is far too short after a start is said, as it is measured by that of before', async () => {
  const codes = Array.from({ length: 40 }, (_, index) => `S${index}`);
  fake.set({ rows: codes.map(rowOf) });
  running = await start('a-session');
  expect(await feedOf(running)).toMatchObject({ healthy: true });
  await running.stop('SIGKILL');
  fake.set({ rows: codes.slice(0, 10).map(rowOf) });
  running = await start('a-session');
  const feed = await feedOf(running);
  expect(feed.healthy).toBe(false);
  expect(feed.problem).toContain('TradingView lists only 10 of 40 stocks.');
});
