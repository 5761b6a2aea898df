import { beforeEach, expect, test } from 'bun:test';
import { quarterOf, quartersBetween, quarterSpan } from '#subjects/calls/rules/quarter.ts';
import type { Ranks } from '#subjects/calls/rules/types.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { BOUGHT, list, submit, trade } from '#support/callsApp.ts';
import { eachApp } from '#support/eachApp.ts';

const app = eachApp();
beforeEach(() => list(app));

const ranks = async (quarter?: string) =>
  (await app.request('GET', `/api/calls/ranks${quarter === undefined ? '' : `?quarter=${quarter}`}`))
    .json as Ranks;
const resultOf = ({ leaderboard }: Ranks) =>
  leaderboard.map(({ submitter, metrics }) => [submitter.display, metrics.total, metrics.averageVerified]);

test('quarters follow Sydney’s calendar, also across daylight saving and the new year', () => {
  expect(quarterOf(Date.UTC(2026, 8, 30, 13, 59))).toBe('2026-Q3');
  expect(quarterOf(Date.UTC(2026, 8, 30, 14))).toBe('2026-Q4');
  expect(quarterSpan('2026-Q4')).toEqual({
    from: fromSydney('2026-10-01', 0, 0),
    until: fromSydney('2027-01-01', 0, 0),
  });
  expect(quarterSpan('2026-Q5')).toBeNull();
  const [from, until] = [Date.UTC(2026, 7, 1), Date.UTC(2027, 0, 2)];
  expect(quartersBetween(from, until)).toEqual(['2027-Q1', '2026-Q4', '2026-Q3']);
});

test('a call counts in the quarter of its posting, also if a loss is held into the next', async () => {
  const publicId = await submit(app, 'free', { stopLossType: 'NONE' });
  trade(app, 'BHP', 40);
  app.clock.set(Date.UTC(2027, 0, 5, 0, 30));
  trade(app, 'BHP', 30);
  expect(resultOf(await ranks('2026-Q4'))).toEqual([['free', 1, -25]]);
  expect(resultOf(await ranks('2027-Q1'))).toEqual([]);
  const { service } = app.parts.calls;
  service.end(await app.user('free'), publicId, { kind: 'cancel', pocketedValue: null });
  trade(app, 'BHP', 20);
  expect(resultOf(await ranks('2026-Q4'))).toEqual([['free', 1, -50]]);
  service.submit(await app.user('basic'), { ...BOUGHT, symbol: 'CBA', callType: 'bought' });
  expect(resultOf(await ranks('2027-Q1'))).toEqual([['basic', 1, null]]);
  expect(resultOf(await ranks())).toHaveLength(2);
  expect((await ranks()).quarters).toEqual(['2027-Q1', '2026-Q4']);
  const record = await app.request('GET', '/api/calls/by/free');
  expect(record.json).toMatchObject({
    records: [{ quarters: [{ quarter: '2026-Q4', metrics: { verified: 1, averageVerified: -50 } }] }],
  });
});

test('a text that names no quarter is refused, and a rejected call counts in none', async () => {
  for (const quarter of ['now', '2026-Q5', '26-Q1', '0000-Q1']) {
    const { status, text } = await app.request('GET', `/api/calls/ranks?quarter=${quarter}`);
    expect(status).toBe(400);
    expect(text).toContain('The quarter must look like 2026-Q4.');
  }
  expect(resultOf(await ranks('2099-Q4'))).toEqual([]);
  const publicId = await submit(app);
  const body = { adminStatus: 'rejected' };
  await app.request('POST', `/api/admin/calls/${publicId}/admin-status`, { as: 'admin', body });
  expect(resultOf(await ranks('2026-Q4'))).toEqual([]);
});
