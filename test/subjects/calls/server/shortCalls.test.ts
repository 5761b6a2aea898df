import { expect, test } from 'bun:test';
import { BOUGHT, end, list, mine, shown, submit, trade } from '#support/callsApp.ts';
import { checked, eventLines, ledgerOf } from '#support/ledgerFixture.ts';
import { createTestApp } from '#support/testApp.ts';

const SHORT = { isShort: true, entryPrice: 40, targetPrice: 36, stopLoss: 42 };

test('a short call gains when the price falls, also after the server stops allowing them', async () => {
  const app = createTestApp({ env: { BELLBIRD_SHORT_CALLS: 'on' } });
  list(app);
  expect((await app.request('GET', '/api/app')).json).toMatchObject({ shortCalls: true });
  const body = { ...BOUGHT, ...SHORT, entryPrice: 19.9, targetPrice: 10 };
  expect(await app.request('POST', '/api/calls', { as: 'free', body })).toMatchObject({
    status: 400,
    json: { error: 'Entry price must be at least half the last price, 40', field: 'entryPrice' },
  });
  const falls = await submit(app, 'free', SHORT);
  const waits = await submit(app, 'free', { ...SHORT, callType: 'buy', entryPrice: 41, targetPrice: 30 });
  const stops = await submit(app, 'free', { ...SHORT, stopLossType: 'TRAILING_ABS', stopLoss: 1.5 });
  const posted = eventLines(app.db.$client);
  expect(posted.map(({ kind, short }) => [kind, short])).toEqual(posted.map(() => ['posted', true]));

  for (const last of [39.5, 38, 40, 41.5]) trade(app, 'BHP', last);
  expect(await shown(app, stops)).toMatchObject({
    isShort: true,
    stopReached: { price: 40 },
    // The first trade after posting was below the claimed entry.
    verified: { percent: -1.2658, entryPrice: 39.5, exitPrice: 40, bestPercent: 3.7975 },
  });
  expect(await shown(app, waits)).toMatchObject({ status: 'open', fillPrice: 41.5 });
  for (const last of [38, 35]) trade(app, 'BHP', last);
  await end(app, falls, 'close');
  trade(app, 'BHP', 36);
  expect(await shown(app, falls)).toMatchObject({
    targetReached: { price: 35 },
    verified: { percent: 8.8608, entryPrice: 39.5, exitPrice: 36, worstPercent: -5.0633 },
  });
  expect((await app.request('GET', '/api/calls/by/free')).json).toMatchObject({
    records: [{ ended: { newest: [{ isShort: true, percent: 8.8608 }] }, running: { count: 2, wins: 1 } }],
  });
  expect((await mine(app)).map(({ isShort }) => isShort)).toEqual([true, true, true]);
  const as = { token: await app.tokenOf(await app.user('free')) };
  app.parts.calls.stop();

  const off = createTestApp({ db: app.db, clock: app.clock });
  list(off);
  trade(off, 'BHP', 29);
  expect(await shown(off, waits)).toMatchObject({ targetReached: { price: 29 } });
  expect(checked(await ledgerOf(off))).toMatchObject({ fault: null });
  expect(await off.request('POST', '/api/calls', { as, body })).toMatchObject({
    status: 400,
    json: { error: 'Short calls are not allowed on this server.', field: 'isShort' },
  });
  off.close();
  app.close();
});
