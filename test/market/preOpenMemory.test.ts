import { describe, expect, test } from 'bun:test';
import { openMemoryDb } from '../support/memoryDb.ts';
import { fromSydney } from '../../src/market/rules/sydneyTime.ts';
import { createLog, type LogLine } from '../../src/lib/log.ts';
import { createMarket } from '../../src/market/market.ts';
import { createPreOpenMemory } from '../../src/market/preOpenMemory.ts';
import { createTick } from '../../src/market/tick.ts';

const DAY = '2026-11-19';

function setUp(db = openMemoryDb(), time = fromSydney(DAY, 9, 58), name = 'hand') {
  const clock = { time, now: () => clock.time, monotonic: () => clock.time };
  const lines: LogLine[] = [];
  const log = createLog((line) => lines.push(line));
  const market = createMarket({ clock });
  const memory = createPreOpenMemory({ db, log, source: { name } }, { market, writeEveryMs: 3_600_000 });
  const { service: tick } = createTick({ log, clock, config: { tickMs: 3_600_000 } }, { market });
  tick.listen(memory.onChanges);
  memory.start();
  return { db, clock, market, memory, tick, lines };
}

const saved = (db: ReturnType<typeof openMemoryDb>): unknown[] =>
  db.$client.query('SELECT date, code FROM pre_open_snapshots ORDER BY date, code').all();

function openTheMarket({ clock, market, tick }: ReturnType<typeof setUp>): void {
  market.apply([{ code: 'AAA', status: 'Pre Open', close: 1, match_price: 1.2, match_vol: 1000 }]);
  tick.run();
  clock.time = fromSydney(DAY, 10, 0);
  market.apply([{ code: 'AAA', status: 'Open', match_price: null }]);
  tick.run();
}

describe('pre-open snapshots over a restart', () => {
  test('come back on the same market date, for stocks listed before and after the restore', () => {
    const first = setUp();
    openTheMarket(first);
    expect(saved(first.db)).toEqual([]);
    first.memory.stop();
    expect(saved(first.db)).toEqual([{ date: DAY, code: 'AAA' }]);

    const second = setUp(first.db, fromSydney(DAY, 11, 0));
    second.market.apply([{ code: 'AAA', status: 'Open', close: 1, last: 1.25 }]);
    expect(second.market.get('AAA')?.preOpen).toEqual(first.market.get('AAA')?.preOpen);
    expect(second.tick.run()?.upsert.AAA?.preOpen).toBeDefined();
    second.memory.stop();
  });

  test('do not come back on another date, nor before the time they were taken at', () => {
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

  test('come back on the Saturday after, as the session that is shown is still that of Friday', () => {
    const first = setUp(undefined, fromSydney('2026-11-20', 9, 58));
    first.market.apply([{ code: 'AAA', status: 'Pre Open', close: 1, match_price: 1.2 }]);
    first.clock.time = fromSydney('2026-11-20', 10, 0);
    first.market.apply([{ code: 'AAA', status: 'Open', match_price: null }]);
    first.tick.run();
    first.memory.stop();
    const second = setUp(first.db, fromSydney('2026-11-21', 12, 0));
    second.market.apply([{ code: 'AAA', close: 1 }]);
    expect(second.market.get('AAA')?.preOpen?.snapshot.match_price).toBe(1.2);
    second.memory.stop();
  });

  test('of another source do not come back: what was simulated is not real', () => {
    const first = setUp(undefined, undefined, 'invented');
    openTheMarket(first);
    first.memory.stop();
    const second = setUp(first.db, fromSydney(DAY, 11, 0), 'real');
    second.market.apply([{ code: 'AAA', close: 1 }]);
    expect(second.market.get('AAA')?.preOpen).toBeUndefined();
    second.memory.stop();
  });

  test('an unreadable row is left out with a warning', () => {
    const db = openMemoryDb();
    const insert = db.$client.query('INSERT INTO pre_open_snapshots VALUES (?, ?, ?, ?)');
    insert.run('hand', DAY, 'AAA', 'not json');
    insert.run('hand', DAY, 'BBB', '{"capturedAt":"never"}');
    const { market, memory, lines } = setUp(db);
    market.apply([{ code: 'AAA', close: 1 }]);
    expect(market.get('AAA')?.preOpen).toBeUndefined();
    expect(lines.filter(({ level }) => level === 'warn').length).toBe(2);
    memory.stop();
  });

  test('of a week ago are forgotten', () => {
    const db = openMemoryDb();
    db.$client.run(
      "INSERT INTO pre_open_snapshots VALUES ('hand', '2026-11-01', 'AAA', '{}'), ('hand', '2026-11-18', 'AAA', '{}')",
    );
    const parts = setUp(db);
    openTheMarket(parts);
    parts.memory.stop();
    expect(parts.memory.prune()).toEqual({ removed: 1, hasMore: false });
    expect(saved(db)).toEqual([
      { date: '2026-11-18', code: 'AAA' },
      { date: DAY, code: 'AAA' },
    ]);
  });
});

describe('the tick', () => {
  test('gives each listener every change set, and null when nothing changed', () => {
    const { market, tick, memory } = setUp();
    const seen: unknown[] = [];
    const stop = tick.listen((changes) => seen.push(changes?.seq ?? null));
    market.apply([{ code: 'AAA', close: 1 }]);
    tick.run();
    tick.run();
    stop();
    tick.run();
    expect(seen).toEqual([1, null]);
    memory.stop();
  });

  test('a listener that throws is logged and costs the others nothing', () => {
    const { market, tick, memory, lines } = setUp();
    let reached = 0;
    tick.listen(() => {
      throw new Error('broken listener');
    });
    tick.listen(() => {
      reached += 1;
    });
    market.apply([{ code: 'AAA', close: 1 }]);
    tick.run();
    tick.run();
    expect(reached).toBe(2);
    expect(lines.filter(({ level }) => level === 'error').length).toBe(2);
    memory.stop();
  });
});
