import { describe, expect, test, afterEach, beforeEach } from 'bun:test';
import { aRelease, createHandAnnouncements } from '#support/handAnnouncements.ts';
import { openAnnouncements, type AnnouncementFixture } from '#support/announcementFixture.ts';
import { createTestApp, START } from '#support/testApp.ts';
import { appOf } from '#support/appOf.ts';
import { createRefresh } from '#subjects/announcements/server/service.ts';
import { createLog } from '#lib/log.ts';
import { createHandScheduler } from '#support/handScheduler.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { KEPT_MS } from '#subjects/announcements/rules/stockNews.ts';
import { createPruning } from '#subjects/announcements/server/index.ts';
import { AnnouncementStore } from '#subjects/announcements/server/store.ts';

const UPDATE = '/api/data/news/update';
const SEARCH = '/api/data/news/search';
const ON_THE_WAY = {
  success: true,
  message: 'Updates appear within a few seconds.',
} as const;

const open = (answer?: () => Promise<string | null>) => {
  const news = createHandAnnouncements(answer ? { answer } : {});
  const fixture = openAnnouncements({ news });
  fixture.list('BHP', 'RIO');
  fixture.news.apply([aRelease('a', { headline: 'Annual Report' })]);
  fixture.tick.run();
  return fixture;
};

let fixture: ReturnType<typeof open>;
beforeEach(() => {
  fixture = open();
});
afterEach(() => fixture.close());

describe('POST /data/news/update', () => {
  const update = (symbol: string, as: 'free' | 'basic' = 'free') =>
    fixture.request('POST', UPDATE, { as, body: { symbol } });

  test('polls the source once in 30 s per symbol, and gives all callers the same answer', async () => {
    const answers = await Promise.all([update('BHP'), update('bhp', 'basic'), update('BHP')]);
    fixture.clock.advance(29_999);
    answers.push(await update('BHP', 'basic'));
    expect(answers.map(({ status, json }) => ({ status, json }))).toEqual(
      answers.map(() => ({ status: 200, json: ON_THE_WAY })),
    );
    expect(fixture.news.asked).toEqual(['BHP']);
    await update('RIO');
    fixture.clock.advance(1);
    await update('BHP');
    expect(fixture.news.asked).toEqual(['BHP', 'RIO', 'BHP']);
  });

  test('explains to all callers for 30 s why the source cannot be polled', async () => {
    fixture.close();
    fixture = open(async () => 'Too many requests to ASX. Try again in 12 seconds.');
    for (const as of ['free', 'basic'] as const) {
      const answer = await update('BHP', as);
      expect(answer.status).toBe(503);
      expect(answer.json).toEqual({
        error: 'Too many requests to ASX. Try again in 12 seconds.',
      });
      expect(answer.headers.get('retry-after')).toBe('30');
    }
    expect(fixture.news.asked).toEqual(['BHP']);
  });

  test('refuses unlisted symbols and malformed bodies', async () => {
    expect((await update('NOPE')).json).toEqual({
      error: 'Select a symbol from the live list',
      field: 'symbol',
    });
    for (const body of [{}, { symbol: 7 }, { symbol: 'x'.repeat(1000) }, []]) {
      const answer = await fixture.request('POST', UPDATE, { as: 'free', body });
      expect(answer.status).toBe(400);
    }
    expect(fixture.news.asked).toEqual([]);
  });
});

describe('GET /data/news/search', () => {
  const search = (query: string) => fixture.request('GET', `${SEARCH}?${query}`, { as: 'free' });

  test('returns the matches', async () => {
    const { json } = await search('q=annual&symbol=BHP&date=2026-11-18&limit=5');
    expect(json).toEqual({
      announcements: [
        {
          id: 'a',
          code: 'BHP',
          headline: 'Annual Report',
          url: 'https://example.test/a',
          time: '2026-11-17T23:30:00.000Z',
          isPriceSensitive: false,
          announcementTypes: ['Progress Report'],
        },
      ],
    });
    expect((await search('')).json).toEqual(json);
  });

  test('explains an invalid query', async () => {
    const refused = {
      'q=x': 'Search with 2 to 80 characters.',
      [`q=${'x'.repeat(81)}`]: 'Search with 2 to 80 characters.',
      [`q=${'x'.repeat(5000)}`]: 'Search with 2 to 80 characters.',
      'date=18/11/2026': 'Write the date as YYYY-MM-DD.',
      'date=2026-13-01': 'Write the date as YYYY-MM-DD.',
      'limit=0': 'The limit must be a whole number from 1 to 50.',
      'limit=51': 'The limit must be a whole number from 1 to 50.',
      'limit=many': 'The limit must be a whole number from 1 to 50.',
      [`symbol=${'x'.repeat(41)}`]: '`symbol` is not a stock code.',
    };
    for (const [query, error] of Object.entries(refused)) {
      const answer = await search(query);
      expect({ query, status: answer.status, json: answer.json }).toMatchObject({
        query,
        status: 400,
        json: { error },
      });
    }
  });
});

test('if announcements are off, the routes report that and find nothing', async () => {
  const app = createTestApp({ env: { BELLBIRD_NEWS: 'off' } });
  app.parts.announcements.start();
  app.source.apply([{ code: 'BHP', last: 1 }]);
  const update = await app.request('POST', UPDATE, {
    as: 'free',
    body: { symbol: 'BHP' },
  });
  expect([update.status, update.text]).toEqual([400, expect.stringContaining('BELLBIRD_NEWS is off')]);
  expect((await app.request('GET', SEARCH, { as: 'free' })).json).toEqual({
    announcements: [],
  });
  expect(app.parts.announcements.service.info()).toBeNull();
  app.close();
});

test('a slow source does not hold the request, and is not polled a second time', async () => {
  const hand = createHandScheduler(0);
  const source = createHandAnnouncements({
    answer: () => Promise.withResolvers<null>().promise,
  });
  const log = createLog(() => undefined);
  const refresh = createRefresh(appOf({ clock: hand, schedule: hand.schedule, log }), source);
  const answers = [refresh('BHP'), refresh('BHP')];
  hand.advance(5000);
  expect(await Promise.all(answers)).toEqual([ON_THE_WAY, ON_THE_WAY]);
  expect(source.asked).toEqual(['BHP']);
});

const DAY = 86_400_000;

describe('the search', () => {
  let fixture: AnnouncementFixture;
  beforeEach(() => {
    fixture = openAnnouncements();
    fixture.news.apply([
      aRelease('old', {
        headline: 'Quarterly Activities Report',
        time: START - 90 * DAY,
      }),
      aRelease('new', {
        headline: 'Quarterly Cash Flow Report',
        time: START - DAY,
      }),
      aRelease('rio', {
        code: 'RIO',
        headline: "Change of Director's Interest Notice",
        time: START - 2000,
      }),
      aRelease('halt', {
        code: 'RIO',
        headline: 'Trading Halt',
        time: START - 1000,
        isPriceSensitive: true,
      }),
    ]);
  });
  afterEach(() => fixture.close());
  const find = (query: Parameters<typeof fixture.parts.announcements.service.search>[0]) =>
    fixture.parts.announcements.service.search(query).map(({ id }) => id);

  test('finds words in any order, newest first, and matches the start of the last word', () => {
    expect(find({ q: 'report quarterly' })).toEqual(['new', 'old']);
    expect(find({ q: '  QUARTERLY act' })).toEqual(['old']);
    expect(find({ q: 'directors interest' })).toEqual(['rio']);
    expect(find({ q: 'director’s notice' })).toEqual(['rio']);
    expect(find({ q: 'rio trading' })).toEqual(['halt']);
    expect(find({ q: 'nothing of that' })).toEqual([]);
  });

  test('treats no input as query syntax', () => {
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

  test('filters by stock and by day in Sydney, alone or with words', () => {
    expect(find({ code: ' rio ' })).toEqual(['halt', 'rio']);
    expect(find({ code: 'RIO', q: 'trading' })).toEqual(['halt']);
    expect(find({ date: '2026-11-17' })).toEqual(['new']);
    expect(find({ date: '2026-11-18', q: 'halt' })).toEqual(['halt']);
    expect(find({ date: '2026-11-18', code: 'RIO', q: 'notice' })).toEqual(['rio']);
    expect(find({ date: '2026-11-18', code: 'BHP' })).toEqual([]);
    expect(find({})).toEqual(['halt', 'rio', 'new', 'old']);
    expect(find({ limit: 1 })).toEqual(['halt']);
  });

  test('follows corrections and forgets old words and times', () => {
    fixture.news.apply([
      aRelease('halt', {
        code: 'RIO',
        headline: 'Trading Resumes',
        time: START - 2 * DAY,
      }),
    ]);
    expect(find({ q: 'halt' })).toEqual([]);
    expect(find({ q: 'trading' })).toEqual(['halt']);
    expect(find({ q: 're' })).toEqual(['new', 'halt', 'old']);
  });
});

describe('announcements older than 400 days', () => {
  /** Announcements of two sources, the newest of each at START. */
  function fill() {
    const db = openMemoryDb();
    const old = Array.from({ length: 600 }, (_, index) => START - KEPT_MS - (index + 1) * 1000);
    for (const source of ['asx', 'simulator-1']) {
      const keep = [START - KEPT_MS, START];
      new AnnouncementStore(db, source).save(
        [...old, ...keep].map((time, index) => {
          const release = aRelease(`n${index}`, { time });
          return {
            ...release,
            date: new Date(time).toISOString().slice(0, 10),
          };
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
    const prune = createPruning(db, () => now);
    let parts = 1;
    while (prune().hasMore && parts < 100) parts += 1;
    return parts;
  };
  const countOf = (db: ReturnType<typeof openMemoryDb>, table: string) =>
    db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n;

  test('are removed in slices with their words and summaries, for every source', () => {
    const db = fill();
    const parts = runs(db, START);
    expect(countOf(db, 'announcements')).toBe(4);
    expect(db.$client.query(`SELECT rowid FROM announcement_words('"headline"')`).all()).toHaveLength(4);
    expect(db.$client.query('SELECT text FROM announcement_summaries').all()).toEqual([{ text: 'New.' }]);
    expect(parts).toBeGreaterThan(3);
    expect(parts).toBeLessThan(20);
    db.$client.close();
  });

  test('stay if the clock is wrong: years ahead, or in 1970', () => {
    const ahead = fill();
    runs(ahead, START + 3000 * DAY);
    expect(countOf(ahead, 'announcements')).toBe(4);
    const behind = fill();
    runs(behind, 0);
    expect(countOf(behind, 'announcements')).toBe(1204);
    for (const db of [ahead, behind]) db.$client.close();
  });
});
