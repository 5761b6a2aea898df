import { describe, afterEach, beforeEach, expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import type { HistoryAnswer } from '#subjects/calendar/server/memory/history.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { aCalendarEvent } from '#support/aCalendarEvent.ts';
import { type CalendarApp, createCalendarApp } from '#support/calendarApp.ts';
import type { HandSourceTraits } from '#support/handSource.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { createFakeClock } from '#support/testApp.ts';

const AT = fromSydney('2026-11-18', 11, 30);

const MINUTE = 60_000;

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
  code,
  name: code,
  status: 'Open',
  securityType: 'stock',
  open: 100,
  last,
  high: Math.max(100, last),
  low: Math.min(100, last),
  volume: Math.round(clock.now() / 1000) % 1e7,
  marketCap: code === 'BHP' ? 300 : 100,
  ...members,
});

async function begin(source: HandSourceTraits = {}): Promise<void> {
  app = await createCalendarApp({ clock, db, source });
  await app.parts.values.start();
  app.parts.calendarMemory.start();
  await app.parts.feed.start();
}

/** Advances to a time, with prices four times per minute. */
function trade(until: number, pricesOf: (now: number) => StockUpdate[], step = 15_000): void {
  while (clock.now() < until) {
    clock.advance(Math.min(step, until - clock.now()));
    const updates = pricesOf(clock.now());
    if (updates.length > 0) app.source.apply(updates);
    app.tick.run();
  }
}
/** BHP rises by 1 % at 11:32 and again at 11:50; XYZ falls by 1 % at 11:33. */
const bhpAt = (time: number): number =>
  time >= AT + 20 * MINUTE ? 102 : time >= AT + 2 * MINUTE ? 101 : 100;
const xyzAt = (time: number): number => (time >= AT + 3 * MINUTE ? 99 : 100);
const prices = (now: number) => [stock('BHP', bhpAt(now)), stock('XYZ', xyzAt(now))];

/** Starts, and publishes a figure half a minute after its time. */
async function publish(figure: Partial<CalendarEvent>): Promise<void> {
  await begin();
  app.events(release());
  trade(AT + 30_000, prices);
  app.events(release(figure));
}

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
  test('a figure is stored with the market reaction after 5 and 30 minutes', async () => {
    await publish({ actual: 32, isBetterThanExpected: true });
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

  test('a restart between the release and half an hour later loses nothing', async () => {
    await publish({ actual: 32 });
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

  test('a time without prices gives no value', async () => {
    await publish({ actual: 32 });
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
});

const DELAY = 20;
const late: HandSourceTraits = { hasMinutes: false, delayMinutes: () => DELAY };
/** The quotes of twenty minutes ago, with their times. */
const latePrices = (now: number) => {
  const quoteTime = now - DELAY * MINUTE;
  return [stock('BHP', bhpAt(quoteTime), { quoteTime }), stock('XYZ', xyzAt(quoteTime), { quoteTime })];
};

test('without minute bars the times of the quotes count instead of their arrival, also after a restart', async () => {
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

describe('figures', () => {
  test('count as first published, with later values next to them', async () => {
    await begin();
    app.events(release({ actual: 32 }));
    app.events(release({ actual: 35 }));
    const [first] = (await history()).releases;
    expect(first).toMatchObject({ actual: 32, corrected: 35, surprise: { difference: 12 } });
    const later = new Date(AT + MINUTE).toISOString();
    app.events(release({ actual: 35, dateUtc: later }));
    expect((await history()).releases).toHaveLength(1);
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
