import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { type Running, startBellbird, temporaryFolder } from '../support/executable.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { expectFollowed, FOLLOWED } from '../support/followed.ts';
import { FEW_STOCKS } from '../support/smallExchange.ts';
import {
  COMPLAINT,
  expectQuiet,
  grid,
  type Stage,
  stageBefore,
  until,
  type Visitor,
} from '../support/stage.ts';

/** As many as the exchange has, beside those that the scanner shows. */
const MANY = Array.from({ length: 1600 }, (_, index) => ({
  ...{ code: `S${String(index).padStart(4, '0')}`, open: 5, close: 5, last: 4 },
}));

let dataDir: string;
let server: Running;
let stage: Stage;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  dataDir = await temporaryFolder();
  server = await startBellbird({ dataDir, env: { BELLBIRD_TEST: '1', ...FED } });
  stage = await stageBefore(server);
  await feed(stage.url, ...FEW_STOCKS, ...MANY);
  visitor = await stage.visit('/intra-day-small');
  ({ page } = visitor);
});
afterAll(async () => {
  await stage?.close();
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

type Seen = { events: string[]; codes: Set<string> };
type Reading = Window & { seen?: Seen };

/** Runs in the page: reads a stream of its own into `window.seen`, until it has six ticks. */
async function readStream(): Promise<{ status: number; type: string | null; encoding: string | null }> {
  const stop = new AbortController();
  const response = await fetch('/api/data/stream', { signal: stop.signal });
  const seen: Seen = { events: [], codes: new Set() };
  (window as Reading).seen = seen;
  const read = async (): Promise<void> => {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    // Ticks refer to those before them from the fourth on.
    while (reader && seen.events.filter((name) => name === 'delta_update').length < 6) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const name = /^event: ?(.*)$/m.exec(part)?.[1];
        if (name) seen.events.push(name);
        const data = JSON.parse(/^data: ?(.*)$/m.exec(part)?.[1] ?? '{}');
        const stocks = name === 'snapshot' ? data.stocks : data.stocks?.upsert;
        for (const code of Object.keys(stocks ?? {})) seen.codes.add(code);
      }
    }
    stop.abort();
  };
  // What it fails with is told as an error of the page.
  void read();
  const { status, headers } = response;
  return { status, type: headers.get('content-type'), encoding: headers.get('content-encoding') };
}

test('the stream arrives compressed and is decoded event by event, snapshot first', async () => {
  const answer = await page.evaluate(readStream);
  expect(answer).toMatchObject({ status: 200, encoding: 'gzip' });
  expect(answer.type).toContain('text/event-stream');
  let cents = 400;
  await until('six ticks and the whole market', async () => {
    cents += 1;
    await feed(stage.url, ...MANY.slice(0, 10).map((stock) => ({ ...stock, last: cents / 100 })));
    const { ticks, stocks } = await page.evaluate(() => {
      const { events, codes } = (window as Reading).seen ?? { events: [], codes: new Set() };
      return { ticks: events.filter((name) => name === 'delta_update').length, stocks: codes.size };
    });
    return ticks >= 6 && stocks >= MANY.length;
  });
  expect(await page.evaluate(() => (window as Reading).seen?.events[0])).toBe('snapshot');
  expectQuiet(stage, visitor);
});

test('a restarted server is found again, and the session lasts', async () => {
  const table = grid(page, 'Top Movers under $1');
  await expectFollowed(stage.url, table, FOLLOWED.small);
  await server.stop('SIGKILL');
  await page.getByText('Reconnecting…').first().waitFor();
  // What is known stays in sight while the connection is gone.
  expect(await table.locator('tr[data-id]').count()).toBeGreaterThan(0);
  server = await startBellbird({ dataDir, env: { BELLBIRD_TEST: '1', ...FED }, port: server.port });
  await page.getByText('Live', { exact: true }).first().waitFor();
  await feed(stage.url, ...FEW_STOCKS);
  await expectFollowed(stage.url, table, FOLLOWED.small);
  expect(server.log()).not.toMatch(COMPLAINT);
});
