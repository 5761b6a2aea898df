import { describe, expect, test } from 'bun:test';
import { fromSydney, addDays } from '#lib/sydneyTime.ts';
import { createFakeClock, createTestApp, type TestApp } from '#support/testApp.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { isTradingDay } from '#market/rules/tradingDay.ts';
import { givenHistory } from '#support/givenHistory.ts';

describe('the usual value traded', () => {
  type Usual = { date: string; sessions: number; shares: (number | null)[]; funds: (number | null)[] };

  const DAYS = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'];
  const at = (date: string, minutes: number) => fromSydney(date, 10, 0) + minutes * 60_000;

  /** Advances to a minute after 10:00, with this much traded so far. */
  function trade(app: TestApp, date: string, minutes: number, share: number, fund: number): void {
    app.clock.set(at(date, minutes));
    app.source.apply([
      { code: 'BHP', last: 50, close: 49, volume: 10, value: share },
      { code: 'VAS', securityType: 'fund', last: 90, close: 90, volume: 10, value: fund },
    ]);
    app.tick.run();
  }

  async function usual(app: TestApp, as: 'free' | 'basic' | 'premium' = 'free'): Promise<Usual> {
    const { status, json } = await app.request('GET', '/api/data/usual-value', { as });
    expect(status).toBe(200);
    return json as Usual;
  }

  function session(app: TestApp, date: string, factor: number): void {
    for (let minutes = 0; minutes <= 60; minutes += 5) {
      trade(app, date, minutes, (minutes + 10) * 1000 * factor, (minutes + 1) * 100 * factor);
    }
  }

  test('is the mean of the seen sessions, per source, and survives a restart', async () => {
    const db = openMemoryDb();
    const clock = createFakeClock(at(DAYS[0] ?? '', -60));
    const first = createTestApp({ db, clock });
    session(first, DAYS[0] ?? '', 1);
    session(first, DAYS[1] ?? '', 2);
    expect((await usual(first)).sessions).toBe(1);
    first.parts.overview.stop();
    first.close();

    const second = createTestApp({ db, clock });
    session(second, DAYS[2] ?? '', 3);
    trade(second, DAYS[3] ?? '', -30, 0, 0);
    const { sessions, shares, funds, date } = await usual(second, 'basic');
    expect(date).toBe(DAYS[3] ?? '');
    expect(sessions).toBe(3);
    expect(shares.slice(0, 3)).toEqual([20_000, 30_000, 40_000]);
    expect(funds[1]).toBe(1200);
    expect(shares[13]).toBeNull();
    second.parts.overview.stop();
    second.close();

    const other = createTestApp({ db, clock, source: { name: 'other' } });
    trade(other, DAYS[3] ?? '', -20, 0, 0);
    expect((await usual(other, 'premium')).sessions).toBe(0);
    other.close();
  });

  test('does not store a late point, a point of an unhealthy source, or one of a short day', () => {
    const db = openMemoryDb();
    const clock = createFakeClock(at('2026-11-18', -60));
    const app = createTestApp({ db, clock });
    const kept = () => db.$client.query('SELECT * FROM value_curves').all().length;
    trade(app, '2026-11-18', 13, 5000, 0);
    app.parts.overview.stop();
    expect(kept()).toBe(0);
    app.source.setHealth({ healthy: false });
    trade(app, '2026-11-18', 20, 5000, 0);
    app.parts.overview.stop();
    expect(kept()).toBe(0);
    app.source.setHealth({ healthy: true });
    trade(app, '2026-12-24', 20, 5000, 0);
    app.parts.overview.stop();
    expect(kept()).toBe(0);
    trade(app, '2026-12-23', 20, 5000, 0);
    app.close();
  });
});

describe('a source with price history', () => {
  const TODAY = '2026-11-18';

  function datesUntil(until: string, count: number): string[] {
    const dates: string[] = [];
    for (let date = until; dates.length < count; date = addDays(date, -1)) {
      if (isTradingDay(date)) dates.unshift(date);
    }
    return dates;
  }

  /** BHP trades 100 shares at $10 at 10:02 and 11:02 of each day; ZZZ trades as much but has only daily bars. */
  const history = givenHistory({
    isDeep: true,
    daily: (code, until, count) =>
      datesUntil(until, count).map((date, index) => ({
        date,
        open: 10,
        high: 10 + (code === 'BHP' && index === 100 ? 2 : 0),
        low: 9,
        close: 11,
        volume: code === 'BHP' ? 200 : 100,
      })),
    minutes: (code, date) =>
      code === 'BHP' && isTradingDay(date)
        ? [10, 11].map((hour) => ({
            time: fromSydney(date, hour, 2),
            open: 10,
            high: 10,
            low: 10,
            close: 10,
            volume: 100,
          }))
        : [],
  });

  function open(updates: Parameters<ReturnType<typeof createTestApp>['source']['apply']>[0]) {
    const clock = createFakeClock(fromSydney(TODAY, 12, 0));
    const app = createTestApp({ clock, source: { history } });
    app.source.apply(updates);
    app.tick.run();
    return app;
  }

  test('computes the usual value from its bars and stores none', async () => {
    const app = open([{ code: 'BHP', last: 10 }]);
    const { json } = await app.request('GET', '/api/data/usual-value', { as: 'free' });
    const { sessions, shares, funds } = json as { sessions: number; shares: number[]; funds: number[] };
    expect(sessions).toBe(20);
    // The shape of the minutes, and the height of the daily bars.
    const whole = shares.at(-1) ?? 0;
    expect(whole).toBeGreaterThan(1900);
    expect(shares[0]).toBe(0);
    expect(shares[1]).toBeCloseTo(whole / 2, 0);
    expect(shares[12]).toBeCloseTo(whole / 2, 0);
    expect(shares[13]).toBe(whole);
    expect(funds).toEqual(new Array(79).fill(0));
    app.parts.overview.stop();
    expect(app.db.$client.query('SELECT * FROM value_curves').all()).toEqual([]);
    app.close();
  });

  test('provides ranges from daily bars for stocks without a range from the source', async () => {
    const app = open([
      { code: 'BHP', last: 10 },
      { code: 'ZZZ', last: 10, yearRange: { high: 20, low: 5 } },
    ]);
    const { json } = await app.request('GET', '/api/data/price-ranges', { as: 'free' });
    expect(json).toEqual({
      date: TODAY,
      codes: ['BHP'],
      highs: [12],
      lows: [9],
      since: expect.stringMatching(/^2025-11-/) as string,
    });
    app.close();
  });
});
