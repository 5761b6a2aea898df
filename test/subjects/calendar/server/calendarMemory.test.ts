import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import type { StockUpdate } from '../../../../src/market/rules/stock.ts';
import type { HistoryAnswer } from '../../../../src/subjects/calendar/server/memory/history.ts';
import type { CalendarEvent } from '../../../../src/subjects/calendar/rules/calendarEvent.ts';
import { aCalendarEvent } from '../../../support/aCalendarEvent.ts';
import { type CalendarApp, createCalendarApp } from '../../../support/calendarApp.ts';
import type { HandSourceTraits } from '../../../support/handSource.ts';
import { openMemoryDb } from '../../../support/memoryDb.ts';
import { createFakeClock } from '../../../support/testApp.ts';

const MINUTE = 60_000;
const DATE = '2026-11-18';
const AT = fromSydney(DATE, 11, 30);

let app: CalendarApp;
let db: ReturnType<typeof openMemoryDb>;
let clock: ReturnType<typeof createFakeClock>;

const release = (members: Partial<CalendarEvent> = {}): CalendarEvent =>
  aCalendarEvent({
    id: 'jobs',
    series: 'jobs-series',
    name: 'Employment Change',
    dateUtc: new Date(AT).toISOString(),
    consensus: 20,
    previous: 10,
    unit: null,
    potency: 'K',
    ...members,
  });

const stock = (code: string, last: number, members: Partial<StockUpdate> = {}): StockUpdate => ({
  ...{ code, name: code, status: 'Open', securityType: 'stock', open: 100, last },
  ...{ high: Math.max(100, last), low: Math.min(100, last) },
  ...{ volume: Math.round(clock.now() / 1000) % 1e7, marketCap: code === 'BHP' ? 300 : 100 },
  ...members,
});

async function begin(source: HandSourceTraits = {}): Promise<void> {
  app = await createCalendarApp({ clock, db, source });
  await app.parts.values.start();
  app.parts.calendarMemory.start();
  await app.parts.feed.start();
}

/** Lets time pass up to a moment, with prices in every quarter of a minute. */
function trade(until: number, pricesOf: (now: number) => StockUpdate[], step = 15_000): void {
  while (clock.now() < until) {
    clock.advance(Math.min(step, until - clock.now()));
    const updates = pricesOf(clock.now());
    if (updates.length > 0) app.source.give(updates);
    app.tick.run();
  }
}
/** BHP rises by one percent at 11:32 and another at 11:50, XYZ falls by one at 11:33. */
const bhpAt = (time: number): number =>
  time >= AT + 20 * MINUTE ? 102 : time >= AT + 2 * MINUTE ? 101 : 100;
const xyzAt = (time: number): number => (time >= AT + 3 * MINUTE ? 99 : 100);
const prices = (now: number) => [stock('BHP', bhpAt(now)), stock('XYZ', xyzAt(now))];

async function history(id = 'jobs', symbol = ''): Promise<HistoryAnswer> {
  const query = symbol === '' ? '' : `?symbol=${symbol}`;
  const { status, json, text } = await app.request('GET', `/api/calendar/events/${id}/history${query}`, {
    as: 'free',
  });
  if (status !== 200) throw new Error(text);
  return json as HistoryAnswer;
}

beforeEach(() => {
  clock = createFakeClock(AT - 20 * MINUTE);
  db = openMemoryDb();
});
afterEach(() => app.close());

describe('with minute bars', () => {
  test('a figure is remembered with what the market did 5 and 30 minutes after it', async () => {
    await begin();
    app.events(release());
    trade(AT + 30_000, prices);
    app.events(release({ actual: 32, isBetterThanExpected: true }));
    trade(AT + 6 * MINUTE, prices);
    expect((await history()).releases[0]).toMatchObject({
      actual: 32,
      after5: { state: 'pending' },
      after30: { state: 'pending' },
    });
    trade(AT + 20 * MINUTE, prices);
    const begun = await history('jobs', 'bhp');
    expect(begun.releases[0]).toMatchObject({
      after5: { state: 'measured', up: 1, down: 1, counted: 2 },
      stock5: { state: 'measured' },
      after30: { state: 'pending', change: null },
      stock30: { state: 'pending', change: null },
    });
    expect(begun.averages[0]).toMatchObject({ after5: { cases: 1 }, after30: null });
    trade(AT + 33 * MINUTE, prices);
    const { releases, averages, remembered, note } = await history('jobs', 'bhp');
    expect({ remembered, note }).toEqual({ remembered: 1, note: null });
    expect(releases).toHaveLength(1);
    const [first] = releases;
    expect(first).toMatchObject({
      time: new Date(AT).toISOString(),
      surprise: { difference: 12, sigma: null, earlier: 0, side: 'better' },
      after5: { state: 'measured', up: 1, down: 1, counted: 2 },
      after30: { state: 'measured', up: 1, down: 1, counted: 2 },
    });
    expect(first?.after5?.change).toBeCloseTo((300 * 1 - 100) / 400, 6);
    expect(first?.after30?.change).toBeCloseTo((300 * 2 - 100) / 400, 6);
    expect(first?.stock30).toEqual({ state: 'measured', change: 2 });
    expect(averages[0]).toMatchObject({ of: 'all', after30: { cases: 1 } });
  });

  test('a restart between release and half an hour later loses nothing', async () => {
    await begin();
    app.events(release());
    trade(AT + 30_000, prices);
    app.events(release({ actual: 32 }));
    trade(AT + 4 * MINUTE, prices);
    app.parts.values.stop();
    await app.parts.calendar.stop();
    app.close();
    clock.advance(20_000);
    await begin();
    trade(AT + 33 * MINUTE, prices);
    const [first] = (await history()).releases;
    expect(first).toMatchObject({
      actual: 32,
      after5: { state: 'measured' },
      after30: { state: 'measured' },
    });
    expect(first?.after30?.change).toBeCloseTo(1.25, 6);
  });

  test('a time without prices gives no number', async () => {
    await begin();
    app.events(release());
    trade(AT + 30_000, prices);
    app.events(release({ actual: 32 }));
    trade(AT + 7 * MINUTE, prices);
    trade(AT + 17 * MINUTE, () => []);
    trade(AT + 34 * MINUTE, prices);
    const { releases, averages } = await history('jobs', 'BHP');
    const [first] = releases;
    expect(first?.after5).toMatchObject({ state: 'measured', counted: 2 });
    expect(first?.after30).toMatchObject({ state: 'blind', change: null });
    expect(first?.stock30).toEqual({ state: 'blind', change: null });
    expect(averages[0]).toMatchObject({ of: 'all', stock5: { cases: 1 }, after30: null, stock30: null });
  });

  test('while the market is shut there is no number either, before the open nor at night', async () => {
    await begin();
    for (const [id, hour] of [
      ['early', 9.95],
      ['night', 4],
    ] as const) {
      const dateUtc = new Date(fromSydney(DATE, 0, 0) + hour * 60 * MINUTE).toISOString();
      app.events(release({ id, series: id, dateUtc, actual: 32 }));
    }
    trade(AT, prices);
    for (const id of ['early', 'night']) {
      expect((await history(id)).releases[0]).toMatchObject({
        after5: { state: 'shut', change: null },
        after30: { state: 'shut' },
      });
    }
  });

  test('the prices of another source are not mixed with these', async () => {
    await begin();
    app.events(release());
    trade(AT + 30_000, prices);
    app.events(release({ actual: 32 }));
    trade(AT + 36 * MINUTE, prices);
    await app.parts.calendar.stop();
    app.close();
    await begin({ name: 'other' });
    const [first] = (await history()).releases;
    expect(first).toMatchObject({ actual: 32, after5: { state: 'unknown', change: null } });
  });

  test('a stock beyond the largest is answered from its minute bars, and one without any plainly', async () => {
    await begin();
    app.events(release());
    const withSmall = (now: number) => [...prices(now), stock('TNY', bhpAt(now), { marketCap: null })];
    trade(AT + 30_000, withSmall);
    app.events(release({ actual: 32 }));
    trade(AT + 33 * MINUTE, withSmall);
    expect((await history('jobs', 'TNY')).releases[0]?.stock30?.change).toBeCloseTo(2, 6);
    expect((await history('jobs', 'NONE')).releases[0]?.stock30).toEqual({ state: 'unknown', change: null });
  });
});

describe('without minute bars, as with delayed prices', () => {
  const DELAY = 20;
  const late: HandSourceTraits = { hasMinutes: false, delayMinutes: () => DELAY };
  /** What was quoted twenty minutes ago, with its time. */
  const latePrices = (now: number) => {
    const quoteTime = now - DELAY * MINUTE;
    return [stock('BHP', bhpAt(quoteTime), { quoteTime }), stock('XYZ', xyzAt(quoteTime), { quoteTime })];
  };

  test('the times of the quotes count, not those of their arrival, also over a restart', async () => {
    await begin(late);
    app.events(release());
    trade(AT + 30_000, latePrices);
    app.events(release({ actual: 32 }));
    trade(AT + 23 * MINUTE, latePrices);
    await app.parts.calendar.stop();
    app.close();
    await begin(late);
    trade(AT + 26 * MINUTE, latePrices);
    expect((await history()).releases[0]).toMatchObject({ after5: { state: 'pending' } });
    trade(AT + 30 * MINUTE, latePrices);
    const [begun] = (await history('jobs', 'XYZ')).releases;
    expect(begun).toMatchObject({ after30: { state: 'pending' }, stock5: { state: 'measured' } });
    expect(begun?.after5?.change).toBeCloseTo((300 * 1 - 100) / 400, 6);
    trade(AT + 53 * MINUTE, latePrices);
    const [first] = (await history('jobs', 'XYZ')).releases;
    expect(first?.after5?.change).toBeCloseTo((300 * 1 - 100) / 400, 6);
    expect(first?.after30?.change).toBeCloseTo((300 * 2 - 100) / 400, 6);
    expect(first?.stock5).toEqual({ state: 'measured', change: -1 });
  });

  test('what nobody looked at is not known', async () => {
    await begin(late);
    app.events(release());
    trade(AT + 30_000, latePrices);
    app.events(release({ actual: 32 }));
    trade(AT + 22 * MINUTE, latePrices);
    app.source.setHealth({ healthy: false });
    trade(AT + 30 * MINUTE, () => []);
    app.source.setHealth({ healthy: true });
    trade(AT + 53 * MINUTE, latePrices);
    const [first] = (await history()).releases;
    expect(first?.after5).toMatchObject({ state: 'blind', change: null });
    expect(first?.after30).toMatchObject({ state: 'measured' });
  });
});

test('figures of a real calendar stand alone on a market that is made up', async () => {
  await begin({ history: { isDeep: true, eachDay: () => {}, eachMinute: () => {} } });
  app.events(release({ actual: 32 }));
  const { releases, note } = await history();
  expect(releases[0]).toMatchObject({ actual: 32, after30: { state: 'otherClock', change: null } });
  expect(note).toMatch(/keeps another time/);
});

describe('figures', () => {
  test('count as they were first published; what came later is told beside them', async () => {
    await begin();
    app.events(release({ actual: 32 }));
    app.events(release({ actual: 35 }));
    const [first] = (await history()).releases;
    expect(first).toMatchObject({ actual: 32, corrected: 35, surprise: { difference: 12 } });
    const later = new Date(AT + MINUTE).toISOString();
    app.events(release({ actual: 35, dateUtc: later }));
    expect((await history()).releases).toHaveLength(1);
  });

  test('are measured by those before them, from five on', async () => {
    await begin();
    const surprises = [2, -2, 1, -1, 0, 3];
    for (const [index, one] of surprises.entries()) {
      // Two days are around at once; each comes in its own time.
      clock.set(AT + index * 24 * 60 * MINUTE);
      const dateUtc = new Date(clock.now() - MINUTE).toISOString();
      app.events(release({ id: `jobs-${index}`, dateUtc, actual: 20 + one }));
    }
    const { releases } = await history('jobs-5');
    expect(releases.map(({ surprise }) => surprise?.earlier)).toEqual([5, 4, 3, 2, 1, 0]);
    expect(releases[0]?.surprise?.sigma).toBeCloseTo(3 / Math.sqrt(2.5), 9);
    expect(releases[1]?.surprise?.sigma).toBeNull();
  });

  test('in another unit are another series', async () => {
    await begin();
    app.events(release({ actual: 32, unit: '%' }));
    app.events(release({ id: 'second', actual: 30, unit: '$' }));
    expect((await history('second')).releases.map(({ actual }) => actual)).toEqual([30]);
    expect((await history('jobs')).releases.map(({ actual }) => actual)).toEqual([32]);
  });

  test('an event without any has none, one that is gone is not found', async () => {
    await begin();
    app.events(release());
    expect(await history()).toMatchObject({ releases: [], remembered: 0, averages: [] });
    const { status } = await app.request('GET', '/api/calendar/events/gone/history');
    expect(status).toBe(404);
  });

  test('that could not be written are written at the next tick', async () => {
    await begin();
    db.$client.run('PRAGMA query_only = 1');
    app.events(release({ actual: 32 }));
    db.$client.run('PRAGMA query_only = 0');
    expect((await history()).releases).toEqual([]);
    app.tick.run();
    expect((await history()).releases).toHaveLength(1);
  });

  test('are kept for ten years', async () => {
    await begin();
    app.events(release({ actual: 32 }));
    clock.set(AT + 3652 * 24 * 60 * MINUTE);
    expect(app.parts.calendarMemory.prune()).toEqual({ removed: 0, hasMore: false });
    clock.set(AT + 3654 * 24 * 60 * MINUTE);
    expect(app.parts.calendarMemory.prune()).toEqual({ removed: 1, hasMore: false });
  });
});
