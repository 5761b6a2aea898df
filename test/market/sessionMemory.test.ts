import { describe, expect, test } from 'bun:test';
import { type LogLine, createLog } from '#lib/log.ts';
import { NO_ADJUSTMENTS } from '#market/splits.ts';
import { createMarket } from '#market/market.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { createPreOpenMemory, createSessionMemory } from '#market/sessionMemory.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createTick } from '#market/tick.ts';
import type { Db } from '#platform/db/open.ts';
import { type HandSourceTraits, createHandSource } from '../support/handSource.ts';
import { openMemoryDb } from '../support/memoryDb.ts';
import { createFakeClock } from '../support/testApp.ts';
import { appOf, standIn } from '#support/appOf.ts';

const CLOSED = fromSydney('2026-11-20', 16, 30);
const SATURDAY = fromSydney('2026-11-21', 11, 0);

/** A run of the server with a source that sends only changes, unless told otherwise. */
function aRun(db: Db, now: number, traits: HandSourceTraits = {}, known: StockUpdate[] = []) {
  const clock = createFakeClock(now);
  const log = createLog(() => undefined);
  const market = createMarket({ clock });
  market.apply(known);
  const source = createHandSource(clock, { isPartial: true, ...traits });
  const memory = createSessionMemory(
    appOf({ db, log, market: standIn(market), source, values: { adjustments: NO_ADJUSTMENTS } }),
  );
  const { service: tick } = createTick(
    appOf({ log, clock, config: { tickMs: 3_600_000 }, market: standIn(market) }),
  );
  tick.listen(memory.onChanges);
  memory.start();
  return { clock, market, memory, tick };
}

function fridayEnds(db = openMemoryDb(), now = CLOSED, traits: HandSourceTraits = {}): Db {
  const { clock, market, memory, tick } = aRun(db, fromSydney('2026-11-20', 15, 0), traits);
  market.apply([
    {
      code: 'BHP',
      name: 'BHP Group',
      close: 50,
      open: 50.1,
      high: 51,
      low: 50,
      last: 50.6,
      volume: 10,
      value: 505,
    },
    { code: 'HLT', close: 1, status: 'Halted' },
    { code: 'OLD', close: 2, last: 2.1, quoteTime: fromSydney('2026-11-20', 10, 30) },
  ]);
  clock.set(now);
  tick.run();
  memory.stop();
  return db;
}

describe('the last session after a restart', () => {
  test('is restored as it ended, until the next one begins', () => {
    const { clock, market, memory } = aRun(fridayEnds(), SATURDAY);
    expect(market.get('BHP')).toMatchObject({
      name: 'BHP Group',
      status: 'Post Trading',
      last: 50.6,
      high: 51,
      change: 0.6,
      value: 505,
    });
    expect([market.get('HLT')?.status, market.get('OLD')?.last]).toEqual(['Halted', 2.1]);
    expect(market.quoteTime('OLD')).toBe(fromSydney('2026-11-20', 10, 30));
    clock.set(fromSydney('2026-11-23', 7, 0));
    market.flush();
    expect(market.get('BHP')).toMatchObject({ last: null, close: 50.6, status: 'Pre Open' });
    memory.stop();
  });

  test('gives the next one its previous closes and nothing else', () => {
    const { market, memory } = aRun(fridayEnds(), fromSydney('2026-11-23', 11, 0));
    expect(market.get('BHP')).toMatchObject({
      name: 'BHP Group',
      status: 'Open',
      close: 50.6,
      last: null,
      high: null,
      volume: null,
      sensitiveAnnouncements: null,
    });
    expect(market.get('HLT')).toMatchObject({ status: 'Halted', close: 1 });
    market.apply([{ code: 'BHP', last: 51.6 }]);
    expect(market.get('BHP')?.change).toBe(1);
    memory.stop();
  });

  test('is not restored one session later', () => {
    const { market, memory } = aRun(fridayEnds(), fromSydney('2026-11-24', 11, 0));
    expect(market.all().size).toBe(0);
    memory.stop();
  });

  test('is not restored if it had not ended or came from another source', () => {
    const db = fridayEnds(openMemoryDb(), fromSydney('2026-11-20', 15, 30));
    fridayEnds(db, CLOSED, { name: 'elsewhere' });
    const { market, memory } = aRun(db, SATURDAY);
    expect(market.all().size).toBe(0);
    memory.stop();
  });

  test('replaces nothing that has already arrived', () => {
    const { market, memory } = aRun(fridayEnds(), SATURDAY, {}, [{ code: 'BHP', close: 50, last: 50.7 }]);
    expect(market.get('BHP')?.last).toBe(50.7);
    expect(market.get('OLD')?.last).toBe(2.1);
    memory.stop();
  });
});

const ELEVEN = fromSydney('2026-11-24', 11, 0);

/** A run on Tuesday with quotes for AAA, a halted stock and a stock in its pre-open. */
function tuesday(db = openMemoryDb()) {
  const run = aRun(db, fromSydney('2026-11-24', 9, 50));
  run.market.apply([
    { code: 'PRE', name: 'Pre Ltd', close: 2, match_price: 2.2, match_vol: 50, status: 'Pre Open' },
  ]);
  run.tick.run();
  run.clock.set(ELEVEN);
  run.market.apply([
    { code: 'AAA', name: 'Alpha Ltd', close: 0.5, open: 0.56, high: 0.6, low: 0.55, last: 0.59, vwap: 0.57 },
    { code: 'AAA', volume: 1000 },
    { code: 'HLT', close: 1, status: 'Halted' },
  ]);
  run.tick.run();
  return { ...run, db };
}

describe('a restart in trading hours', () => {
  const restarted = (db: Db) => aRun(db, fromSydney('2026-11-24', 11, 30));
  const afterStop = (): Db => {
    const { db, memory } = tuesday();
    memory.stop();
    return db;
  };

  test('restores what a source that sends only changes does not repeat, with its age', () => {
    const { market } = restarted(afterStop());
    expect(market.get('AAA')).toMatchObject({
      name: 'Alpha Ltd',
      close: 0.5,
      open: 0.56,
      high: 0.6,
      low: 0.55,
      last: 0.59,
      volume: 1000,
      value: 570,
      change: 0.09,
      status: 'Open',
    });
    expect([market.quoteTime('AAA'), market.statedQuoteTime('AAA')]).toEqual([ELEVEN, null]);
    expect(market.get('HLT')?.status).toBe('Halted');
    market.apply([{ code: 'AAA', last: 0.61, volume: 2000, quoteTime: ELEVEN - 60_000 }]);
    expect(market.get('AAA')).toMatchObject({ open: 0.56, high: 0.61, last: 0.61, value: 1140 });
  });

  test('opens a stock that was in its pre-open, and dates its snapshot by its quote', () => {
    const { market } = restarted(afterStop());
    expect(market.get('PRE')).toMatchObject({
      status: 'Open',
      preOpen: { snapshot: { match_price: 2.2, capturedAt: '2026-11-23T22:50:00.000Z' } },
    });
  });

  test('restores data written before a kill, without later removals', () => {
    const { db, market, memory, tick } = tuesday();
    memory.service.save();
    for (let cents = 60; cents < 100; cents += 1) {
      market.apply([{ code: 'AAA', last: cents / 100 }]);
      tick.run();
      memory.service.save();
    }
    market.remove(['HLT']);
    tick.run();
    memory.service.save();
    market.apply([{ code: 'AAA', last: 5 }]);
    tick.run();
    const killed = restarted(db).market;
    expect(killed.get('AAA')).toMatchObject({ open: 0.56, high: 0.99, last: 0.99 });
    expect(killed.get('HLT')).toBeUndefined();
    const rows = db.$client.query('SELECT id FROM segments').all();
    expect(rows.length).toBeLessThanOrEqual(31);
  });

  test('restores nothing from another day, a finished session, or the future after a clock was set back', () => {
    const db = afterStop();
    for (const [date, hour] of [
      ['2026-11-24', 17],
      ['2026-11-25', 11],
      ['2026-11-24', 8],
    ] as const) {
      expect(aRun(db, fromSydney(date, hour, 0)).market.all().size).toBe(0);
    }
  });
});

describe('pre-open snapshots after a restart', () => {
  const DAY = '2026-11-19';

  function setUp(db = openMemoryDb(), time = fromSydney(DAY, 9, 58)) {
    const clock = { time, now: () => clock.time, monotonic: () => clock.time };
    const lines: LogLine[] = [];
    const log = createLog((line) => lines.push(line));
    const market = createMarket({ clock });
    const memory = createPreOpenMemory(
      appOf({ db, log, market: standIn(market), source: { name: 'hand' } }),
      3_600_000,
    );
    const { service: tick } = createTick(
      appOf({ log, clock, config: { tickMs: 3_600_000 }, market: standIn(market) }),
    );
    tick.listen(memory.onChanges);
    memory.start();
    return { db, clock, market, memory, tick, lines };
  }

  const saved = (db: ReturnType<typeof openMemoryDb>): unknown[] =>
    db.$client.query('SELECT date, kind FROM segments').all();

  function openTheMarket({ clock, market, tick }: ReturnType<typeof setUp>): void {
    market.apply([{ code: 'AAA', status: 'Pre Open', close: 1, match_price: 1.2, match_vol: 1000 }]);
    tick.run();
    clock.time = fromSydney(DAY, 10, 0);
    market.apply([{ code: 'AAA', status: 'Open', match_price: null }]);
    tick.run();
  }

  test('are restored on the same market date, for stocks listed before and after the restore', () => {
    const first = setUp();
    openTheMarket(first);
    expect(saved(first.db)).toEqual([]);
    first.memory.stop();
    expect(saved(first.db)).toEqual([{ date: DAY, kind: 'preOpen' }]);

    const second = setUp(first.db, fromSydney(DAY, 11, 0));
    second.market.apply([{ code: 'AAA', status: 'Open', close: 1, last: 1.25 }]);
    expect(second.market.get('AAA')?.preOpen).toEqual(first.market.get('AAA')?.preOpen);
    expect(second.tick.run()?.upsert.AAA?.preOpen).toBeDefined();
    second.memory.stop();
  });

  test('are not restored on another date, nor before the time they were taken', () => {
    const first = setUp();
    openTheMarket(first);
    first.memory.stop();
    for (const time of [fromSydney('2026-11-20', 11, 0), fromSydney(DAY, 9, 30)]) {
      const second = setUp(first.db, time);
      second.market.apply([{ code: 'AAA', close: 1 }]);
      expect(second.market.get('AAA')?.preOpen).toBeUndefined();
      second.memory.stop();
    }
  });

  test('a tick listener that throws is logged and does not affect the others', () => {
    const { market, tick, memory, lines } = setUp();
    let reached = 0;
    tick.listen(() => {
      throw new Error('broken listener');
    });
    tick.listen(() => void (reached += 1));
    market.apply([{ code: 'AAA', close: 1 }]);
    tick.run();
    tick.run();
    expect(reached).toBe(2);
    expect(lines.filter(({ level }) => level === 'error').length).toBe(2);
    memory.stop();
  });
});
