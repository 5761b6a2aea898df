import { describe, expect, test } from 'bun:test';
import { end, list, mine, shown, submit, trade } from '../../../support/callsApp.ts';
import { createCallsBench } from '../../../support/callsBench.ts';
import { createTestApp } from '../../../support/testApp.ts';

const ingestKey = 'a key of the tests';

describe('a bad print', () => {
  test('fills nothing, reaches nothing and lifts no high', async () => {
    const app = createTestApp();
    list(app);
    const bought = await submit(app, 'free', { stopLossType: 'TRAILING_PCT', stopLoss: 10 });
    const pending = await submit(app, 'free', { callType: 'buy', entryPrice: 20, stopLossType: 'NONE' });
    for (const price of [40, 80, 40.2, 10, 40.1, 40.3]) trade(app, 'BHP', price);
    expect(await shown(app, bought)).toMatchObject({ targetReached: null, stopReached: null });
    expect(await shown(app, pending)).toMatchObject({ status: 'pending', filledAt: null });
    expect((await mine(app)).find((call) => call.publicId === bought)?.highestSinceFill).toBe(40.3);
    app.close();
  });

  test('is no entry and no exit, and not the last price known at an end', async () => {
    const app = createTestApp();
    list(app);
    const publicId = await submit(app);
    trade(app, 'BHP', 90);
    expect((await shown(app, publicId)).awaitingTrade).toBe('entry');
    trade(app, 'BHP', 40);
    trade(app, 'BHP', 5);
    await end(app, publicId, 'close');
    trade(app, 'BHP', 41);
    expect((await shown(app, publicId)).verified).toMatchObject({ entryPrice: 40, exitPrice: 40 });
    app.close();
  });

  test('that comes and goes in one batch of a bridge is none either', async () => {
    const app = createTestApp({ env: { BELLBIRD_FEED: 'ingest', BELLBIRD_INGEST_KEY: ingestKey } });
    list(app);
    const publicId = await submit(app);
    app.clock.advance(1000);
    const rawBody = [40, 80, 40.5]
      .map((last, index) => JSON.stringify({ code: 'BHP', last, volume: 200 + index }))
      .join('\n');
    const headers = { authorization: ingestKey, 'content-type': 'application/x-ndjson' };
    const answer = await app.request('POST', '/api/ingest/market', { rawBody, headers });
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
    app.tick.run();
    expect(await shown(app, publicId)).toMatchObject({ targetReached: null, entryTrade: { price: 40 } });
    app.close();
  });

  test('is still in doubt after a kill', () => {
    const bench = createCallsBench();
    const call = { symbol: 'BHP', callType: 'bought' as const, entryPrice: 1, targetPrice: 1.5 };
    bench.calls.submit(bench.user, { ...call, stopLossType: 'NONE', stopLoss: null });
    bench.trade('BHP', 1.1, 2);
    bench.restart();
    bench.trade('BHP', 1.1);
    bench.restart();
    bench.trade('BHP', 1.2);
    expect(bench.calls.mine(bench.user)[0]).toMatchObject({ targetReached: null, highestSinceFill: 1.2 });
  });

  test('a step that three trades confirm is recorded, with its own time', () => {
    const bench = createCallsBench();
    const call = { symbol: 'BHP', callType: 'bought' as const, entryPrice: 1, targetPrice: 1.5 };
    bench.calls.submit(bench.user, { ...call, stopLossType: 'NONE', stopLoss: null });
    bench.trade('BHP', 1.1, 2);
    const at = new Date(bench.now).toISOString();
    bench.trade('BHP', 2.1);
    bench.restart();
    bench.trade('BHP', 2.05);
    expect(bench.calls.mine(bench.user)[0]?.targetReached).toBeNull();
    bench.trade('BHP', 2);
    expect(bench.calls.mine(bench.user)[0]?.targetReached).toEqual({ at, price: 2 });
  });
});

test('a late packet with an older time fills nothing and lifts no high', async () => {
  const app = createTestApp();
  list(app);
  const publicId = await submit(app, 'free', { callType: 'buy', entryPrice: 39 });
  const give = (last: number, quoteTime: number): void => {
    app.source.give([{ code: 'BHP', last, volume: 200 + last, quoteTime }]);
    app.tick.run();
  };
  app.clock.advance(60_000);
  const now = app.clock.now();
  give(40, now - 1000);
  give(38, now - 2000);
  give(40.5, now - 500);
  expect(await shown(app, publicId)).toMatchObject({ status: 'pending', fillPrice: null });
  expect(app.parts.market.service.get('BHP')).toMatchObject({ low: 40, last: 40.5 });
  app.close();
});
