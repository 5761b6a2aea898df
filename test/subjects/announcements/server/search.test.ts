import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openMemoryDb } from '../../../support/memoryDb.ts';
import { KEPT_MS } from '../../../../src/subjects/announcements/rules/keptAnnouncement.ts';
import { createPruning } from '../../../../src/subjects/announcements/server/prune.ts';
import { AnnouncementStore } from '../../../../src/subjects/announcements/server/store.ts';
import { type AnnouncementStage, openAnnouncements } from '../../../support/announcementStage.ts';
import { aRelease } from '../../../support/handAnnouncements.ts';
import { START } from '../../../support/testApp.ts';

const DAY = 86_400_000;

describe('the search', () => {
  let stage: AnnouncementStage;
  beforeEach(() => {
    stage = openAnnouncements();
    stage.news.give([
      aRelease('old', { headline: 'Quarterly Activities Report', time: START - 90 * DAY }),
      aRelease('new', { headline: 'Quarterly Cash Flow Report', time: START - DAY }),
      aRelease('rio', { code: 'RIO', headline: "Change of Director's Interest Notice", time: START - 2000 }),
      aRelease('halt', { code: 'RIO', headline: 'Trading Halt', time: START - 1000, isPriceSensitive: true }),
    ]);
  });
  afterEach(() => stage.close());
  const find = (query: Parameters<typeof stage.parts.announcements.service.search>[0]) =>
    stage.parts.announcements.service.search(query).map(({ id }) => id);

  test('finds words in any order, the newest first, also by the beginning of the last', () => {
    expect(find({ q: 'report quarterly' })).toEqual(['new', 'old']);
    expect(find({ q: '  QUARTERLY act' })).toEqual(['old']);
    expect(find({ q: 'directors interest' })).toEqual(['rio']);
    expect(find({ q: 'director’s notice' })).toEqual(['rio']);
    expect(find({ q: 'rio trading' })).toEqual(['halt']);
    expect(find({ q: 'nothing of that' })).toEqual([]);
  });

  test('reads nothing of what is typed as a query', () => {
    for (const q of [
      '"',
      '*',
      'a" OR "b',
      'words:report',
      'NEAR(',
      '^trad',
      "'; DROP TABLE announcements; --",
    ])
      expect(() => find({ q: `${q} ` })).not.toThrow('fts5');
    expect(find({ q: 'trading NOT halt' })).toEqual([]);
    expect(find({ q: '!!!' })).toEqual([]);
  });

  test('narrows by stock and by day in Sydney, alone and together with words', () => {
    expect(find({ code: ' rio ' })).toEqual(['halt', 'rio']);
    expect(find({ code: 'RIO', q: 'trading' })).toEqual(['halt']);
    expect(find({ date: '2026-11-17' })).toEqual(['new']);
    expect(find({ date: '2026-11-18', q: 'halt' })).toEqual(['halt']);
    expect(find({ date: '2026-11-18', code: 'RIO', q: 'notice' })).toEqual(['rio']);
    expect(find({ date: '2026-11-18', code: 'BHP' })).toEqual([]);
    expect(find({})).toEqual(['halt', 'rio', 'new', 'old']);
    expect(find({ limit: 1 })).toEqual(['halt']);
  });

  test('goes with corrections: the old words and the old time are forgotten', () => {
    stage.news.give([aRelease('halt', { code: 'RIO', headline: 'Trading Resumes', time: START - 2 * DAY })]);
    expect(find({ q: 'halt' })).toEqual([]);
    expect(find({ q: 'trading' })).toEqual(['halt']);
    expect(find({ q: 're' })).toEqual(['new', 'halt', 'old']);
  });

  test('answers with links, types and ISO times', () => {
    expect(stage.parts.announcements.service.search({ q: 'halt' })).toEqual([
      {
        id: 'halt',
        code: 'RIO',
        headline: 'Trading Halt',
        url: 'https://example.test/halt',
        time: new Date(START - 1000).toISOString(),
        isPriceSensitive: true,
        announcementTypes: ['Progress Report'],
      },
    ]);
  });
});

describe('announcements of before 400 days', () => {
  /** Announcements of two sources, the newest of each at START. */
  function fill() {
    const db = openMemoryDb();
    const old = Array.from({ length: 600 }, (_, index) => START - KEPT_MS - (index + 1) * 1000);
    for (const source of ['asx', 'simulator-1']) {
      const keep = [START - KEPT_MS, START];
      new AnnouncementStore(db, source).save(
        [...old, ...keep].map((time, index) => {
          const release = aRelease(`n${index}`, { time });
          return { ...release, date: new Date(time).toISOString().slice(0, 10) };
        }),
      );
    }
    db.$client.run(
      `INSERT INTO announcement_summaries (source, announcement_id, code, date, text, model, created_at)
       VALUES ('asx', 'n0', 'BHP', '2025-01-01', 'Old.', 'm', 1), ('asx', 'n601', 'BHP', '2026-11-18', 'New.', 'm', 1)`,
    );
    return db;
  }
  const runs = (db: ReturnType<typeof openMemoryDb>, now: number) => {
    const prune = createPruning({ db, nowOf: () => now });
    let pieces = 1;
    while (prune().hasMore && pieces < 100) pieces += 1;
    return pieces;
  };
  const countOf = (db: ReturnType<typeof openMemoryDb>, table: string) =>
    db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n;

  test('are removed in pieces with their words and summaries, those of every source', () => {
    const db = fill();
    const pieces = runs(db, START);
    expect(countOf(db, 'announcements')).toBe(4);
    expect(db.$client.query(`SELECT rowid FROM announcement_words('"headline"')`).all()).toHaveLength(4);
    expect(db.$client.query('SELECT text FROM announcement_summaries').all()).toEqual([{ text: 'New.' }]);
    expect(pieces).toBeGreaterThan(3);
    expect(pieces).toBeLessThan(20);
    db.$client.close();
  });

  test('stay when the clock is wrong: years ahead, or in 1970', () => {
    const ahead = fill();
    runs(ahead, START + 3000 * DAY);
    expect(countOf(ahead, 'announcements')).toBe(4);
    const behind = fill();
    runs(behind, 0);
    expect(countOf(behind, 'announcements')).toBe(1204);
    for (const db of [ahead, behind]) db.$client.close();
  });
});
