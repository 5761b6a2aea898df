import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { startBellbird, temporaryFolder } from '../support/executable.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { expectFollowed, FOLLOWED } from '../support/followed.ts';
import { FEW_STOCKS } from '../support/smallExchange.ts';
import { COMPLAINT, expectQuiet, grid, openStage, type Stage, stageBefore } from '../support/stage.ts';

describe('the stream in a real browser', () => {
  let stage: Stage;
  beforeAll(async () => {
    // Seven ticks are waited for.
    stage = await openStage({ BELLBIRD_SIM_START: '10:40', BELLBIRD_TICK_MS: '250' });
  });
  afterAll(() => stage?.close());

  test('arrives compressed and is decoded event by event, snapshot first', async () => {
    const visitor = await stage.visit('/calls');
    const seen = await visitor.page.evaluate(async () => {
      const stop = new AbortController();
      const response = await fetch('/api/data/stream', { signal: stop.signal });
      const events: string[] = [];
      let text = '';
      const codes = new Set<string>();
      const deltas = () => events.filter((name) => name === 'delta_update').length;
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      // Ticks refer to those before them from the fourth on. A server that has just started is still filling its market.
      while (reader && (deltas() < 6 || codes.size <= 1500) && deltas() < 120) {
        const { value, done } = await reader.read();
        if (done) break;
        text += value;
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) {
          const name = /^event: ?(.*)$/m.exec(part)?.[1];
          if (name) events.push(name);
          const data = JSON.parse(/^data: ?(.*)$/m.exec(part)?.[1] ?? '{}');
          const stocks = name === 'snapshot' ? data.stocks : data.stocks?.upsert;
          for (const code of Object.keys(stocks ?? {})) codes.add(code);
        }
      }
      stop.abort();
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        encoding: response.headers.get('content-encoding'),
        events,
        stocks: codes.size,
      };
    });
    expect(seen.status).toBe(200);
    expect(seen.type).toContain('text/event-stream');
    expect(seen.encoding).toBe('gzip');
    expect(seen.events[0]).toBe('snapshot');
    expect(seen.stocks).toBeGreaterThan(1500);
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });
});

test('a restarted server is found again, and the session lasts', async () => {
  const dataDir = await temporaryFolder();
  const env = { BELLBIRD_TEST: '1', ...FED };
  const first = await startBellbird({ dataDir, env });
  const stage = await stageBefore(first);
  await feed(stage.url, ...FEW_STOCKS);
  try {
    const { page, context } = await stage.visit('/intra-day-small');
    const table = grid(page, 'Top Movers under $1');
    await expectFollowed(stage.url, table, FOLLOWED.small);
    await first.stop('SIGKILL');
    await page.getByText('Reconnecting…').first().waitFor();
    // What is known stays in sight while the connection is gone.
    expect(await table.locator('tr[data-id]').count()).toBeGreaterThan(0);
    const second = await startBellbird({ dataDir, env, port: first.port });
    try {
      await page.getByText('Live', { exact: true }).first().waitFor();
      await feed(stage.url, ...FEW_STOCKS);
      await expectFollowed(stage.url, table, FOLLOWED.small);
      await context.close();
      expect(second.log()).not.toMatch(COMPLAINT);
    } finally {
      await second.stop();
    }
  } finally {
    await stage.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
