import { describe, expect, test } from 'bun:test';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { isTradingDay } from '../../../../src/market/rules/tradingDay.ts';
import { addDays } from '../../../../src/market/rules/sydneyTime.ts';
import { givenHistory } from '../../../support/givenHistory.ts';
import { createFakeClock, createTestApp } from '../../../support/testApp.ts';

const TODAY = '2026-11-18';

function datesUntil(until: string, count: number): string[] {
  const dates: string[] = [];
  for (let date = until; dates.length < count; date = addDays(date, -1)) {
    if (isTradingDay(date)) dates.unshift(date);
  }
  return dates;
}

/** BHP trades 100 shares at $10 at 10:02 and 11:02 of each day; ZZZ, as much in all, has daily bars alone. */
const history = givenHistory({
  isDeep: true,
  daily: (code, until, count) =>
    datesUntil(until, count).map((date, index) => ({
      ...{ date, open: 10, high: 10 + (code === 'BHP' && index === 100 ? 2 : 0), low: 9, close: 11 },
      volume: code === 'BHP' ? 200 : 100,
    })),
  minutes: (code, date) =>
    code === 'BHP' && isTradingDay(date)
      ? [10, 11].map((hour) => ({
          ...{ time: fromSydney(date, hour, 2), open: 10, high: 10, low: 10, close: 10, volume: 100 },
        }))
      : [],
});

function open(updates: Parameters<ReturnType<typeof createTestApp>['source']['give']>[0]) {
  const clock = createFakeClock(fromSydney(TODAY, 12, 0));
  const app = createTestApp({ clock, source: { history } });
  app.source.give(updates);
  app.tick.run();
  return app;
}

describe('a source that can tell its past', () => {
  test('has the usual value from its bars, and keeps none', async () => {
    const app = open([{ code: 'BHP', last: 10 }]);
    const { json } = await app.request('GET', '/api/data/usual-value', { as: 'free' });
    const { sessions, shares, funds } = json as { sessions: number; shares: number[]; funds: number[] };
    expect(sessions).toBe(20);
    // The form of the minutes, the height of the daily bars.
    const whole = shares.at(-1) ?? 0;
    expect(whole).toBeGreaterThan(1900);
    expect(shares[0]).toBe(0);
    expect(shares[1]).toBeCloseTo(whole / 2, 0);
    expect(shares[12]).toBeCloseTo(whole / 2, 0);
    expect(shares[13]).toBe(whole);
    expect(funds).toEqual(new Array(79).fill(0));
    app.parts.glance.stop();
    expect(app.db.$client.query('SELECT * FROM value_curves').all()).toEqual([]);
    app.close();
  });

  test('has the ranges of its daily bars for stocks whose source states none', async () => {
    const app = open([
      { code: 'BHP', last: 10 },
      { code: 'ZZZ', last: 10, yearRange: { high: 20, low: 5 } },
    ]);
    const { json } = await app.request('GET', '/api/data/price-ranges', { as: 'free' });
    expect(json).toEqual({
      ...{ date: TODAY, codes: ['BHP'], highs: [12], lows: [9] },
      since: expect.stringMatching(/^2025-11-/) as string,
    });
    app.close();
  });

  test('is asked once by many who come together', async () => {
    const app = open([{ code: 'BHP', last: 10 }]);
    const answers = await Promise.all(
      ['free', 'basic', 'premium'].map((as) =>
        app.request('GET', '/api/data/price-ranges', { as: as as 'free' }),
      ),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    app.close();
  });
});
