import { describe, afterEach, beforeEach, expect, test } from 'bun:test';
import type { Db } from '#platform/db/open.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { Intake } from '#subjects/announcements/server/intake.ts';
import { Recent } from '#subjects/announcements/server/placement.ts';
import { AnnouncementStore } from '#subjects/announcements/server/store.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import { aRelease } from '#support/handAnnouncements.ts';
import { createHandScheduler } from '#support/handScheduler.ts';
import { START } from '#support/testApp.ts';

let db: Db;
beforeEach(() => void (db = openMemoryDb()));
afterEach(() => db.$client.close());

function open(schedule?: Scheduler) {
  const turns: (() => void)[] = [];
  const lines: LogLine[] = [];
  const store = new AnnouncementStore(db, 'hand');
  const touched: string[] = [];
  const intake = new Intake({
    store,
    recent: new Recent(store),
    touch: (code) => void touched.push(code),
    now: () => START,
    log: createLog((line) => lines.push(line)),
    later: (run) => void turns.push(run),
    ...(schedule && { schedule }),
  });
  const count = () =>
    db.$client.query<{ n: number }, []>('SELECT count(*) AS n FROM announcements').get()?.n ?? 0;
  return { intake, store, turns, lines, touched, count };
}

/** Ordered as in a list: the newest first, all within the last hour. */
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => aRelease(`n${index}`, { time: START - index * 100 }));

describe('five thousand announcements in one batch', () => {
  test('are written in slices between other work, and known immediately', () => {
    const { intake, turns, count } = open();
    const applied = intake.apply(many(5000));
    expect(applied).toEqual({ added: 100, changed: 0 });
    expect(count()).toBe(100);
    expect([intake.knows('n0'), intake.knows('n4999'), intake.knows('n5000')]).toEqual([true, true, false]);
    let parts = 1;
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      const before = count();
      turn();
      expect(count() - before).toBeLessThanOrEqual(100);
      parts += 1;
    }
    expect([count(), parts]).toEqual([5000, 50]);
  });

  test('have no gap after a kill in the middle', () => {
    const { intake, turns } = open();
    intake.apply(many(5000));
    turns.shift()?.();
    // Another process reads the database.
    const { store, intake: next, turns: later, count } = open();
    const known = many(5000).map(({ id }) => store.find(id) !== null);
    expect(known.filter(Boolean)).toHaveLength(200);
    // A source pages from the newest to the first known one, so all newer ones arrive again.
    const first = known.indexOf(true);
    expect(known.slice(first).every(Boolean)).toBe(true);
    next.apply(many(5000).slice(0, first));
    for (let turn = later.shift(); turn; turn = later.shift()) turn();
    expect(count()).toBe(5000);
  });
});

describe('a batch that cannot be written', () => {
  test('is refused as a whole and delivered again', () => {
    const { intake, store } = open();
    db.$client.run(
      'CREATE TRIGGER full BEFORE INSERT ON announcements BEGIN SELECT RAISE(ABORT, "full"); END',
    );
    expect(() => intake.apply(many(3))).toThrow('full');
    expect([intake.knows('n0'), store.find('n0')]).toEqual([false, null]);
    db.$client.run('DROP TRIGGER full');
    expect(intake.apply(many(3))).toEqual({ added: 3, changed: 0 });
  });

  test('an invalid announcement does not affect the others', () => {
    const { intake, lines } = open();
    const bad = [aRelease('bad id'), aRelease('old', { time: 0 }), aRelease('x', { headline: '' })];
    expect(intake.apply([...bad, aRelease('good')])).toEqual({
      added: 1,
      changed: 0,
    });
    expect(intake.refused).toBe(3);
    intake.apply(bad);
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });
});

describe('single announcements', () => {
  const one = (id: string) => [aRelease(id, { time: START })];

  test('are visible immediately, and written together two hours later', () => {
    const hand = createHandScheduler(START);
    const { intake, touched, count } = open(hand.schedule);
    expect(intake.apply(one('a'))).toEqual({ added: 1, changed: 0 });
    hand.advance(119 * 60_000);
    expect(intake.apply(one('b'))).toEqual({ added: 1, changed: 0 });
    expect([count(), touched.length, intake.knows('a'), intake.knows('c')]).toEqual([0, 2, true, false]);
    hand.advance(60_000);
    expect([count(), touched.length]).toEqual([2, 2]);
    expect(hand.planned()).toEqual([]);
  });

  test('are written before stored announcements are read or one is corrected', () => {
    const hand = createHandScheduler(START);
    const { intake, count } = open(hand.schedule);
    intake.apply(one('a'));
    expect(intake.keptSince(0).map(({ id }) => id)).toEqual(['a']);
    expect(count()).toBe(1);
    intake.apply(one('b'));
    expect(intake.apply([aRelease('b', { time: START, headline: 'Another one' })])).toEqual({
      added: 0,
      changed: 1,
    });
    intake.apply(one('c'));
    intake.withdraw(['c']);
    expect([count(), intake.knows('c')]).toEqual([2, false]);
  });

  test('are kept while they cannot be written, and written later', () => {
    const hand = createHandScheduler(START);
    const { intake, count, lines } = open(hand.schedule);
    intake.apply(one('a'));
    db.$client.run(
      'CREATE TRIGGER no BEFORE INSERT ON announcements BEGIN SELECT RAISE(FAIL, "disk is full"); END',
    );
    hand.advance(120 * 60_000);
    expect([count(), lines.length, intake.knows('a')]).toEqual([0, 1, true]);
    db.$client.run('DROP TRIGGER no');
    hand.advance(120 * 60_000);
    expect(count()).toBe(1);
  });

  test('that are price sensitive survive a kill after an alert was about to be written, and withdrawals too', () => {
    const open2 = () => open(createHandScheduler(START).schedule);
    const { intake } = open2();
    intake.apply([aRelease('plain', { time: START })]);
    intake.apply([aRelease('first', { time: START, isPriceSensitive: true })]);
    intake.apply([aRelease('second', { time: START, isPriceSensitive: true })]);
    intake.note();
    // Another process reads the database, and the source delivers everything again.
    const next = open2();
    expect(['plain', 'first', 'second'].map((id) => next.intake.knows(id))).toEqual([false, true, true]);
    expect(
      next.intake
        .keptSince(0)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['first', 'second']);
    next.intake.withdraw(['first']);
    const last = open2();
    const again = ['plain', 'second'].map((id) =>
      aRelease(id, { time: START, isPriceSensitive: id === 'second' }),
    );
    expect(last.intake.apply(again).added).toBe(1);
    last.intake.finish();
    expect([last.count(), last.intake.knows('first')]).toEqual([2, false]);
  });

  test('are written at the stop', () => {
    const { intake, count } = open(createHandScheduler(START).schedule);
    intake.apply(one('a'));
    intake.finish();
    expect(count()).toBe(1);
  });
});
