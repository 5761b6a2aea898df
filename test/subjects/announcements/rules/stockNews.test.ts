import { describe, expect, test } from 'bun:test';
import {
  announcementToSummarise,
  KEPT_MS,
  type KeptAnnouncement,
  keptAnnouncement,
  type KeptSummary,
  mattersMost,
  stockNewsOf,
} from '#subjects/announcements/rules/stockNews.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { aRelease } from '#support/handAnnouncements.ts';
import { hasWords, searchWords, wantedWords } from '#subjects/announcements/rules/searchWords.ts';

const TODAY = '2026-11-23';
const DAYS = { today: TODAY, previous: '2026-11-20' };

function one(id: string, date: string, hour: number, isPriceSensitive = false): KeptAnnouncement {
  const time = fromSydney(date, hour, 0);
  const headline = `Headline of ${id}`;
  return {
    id,
    code: 'BHP',
    date,
    time,
    headline,
    isPriceSensitive,
    url: null,
    document: null,
    announcementTypes: [],
  };
}
const newsOf = (list: readonly KeptAnnouncement[], summaries: Record<string, KeptSummary> = {}) =>
  stockNewsOf(list, DAYS, new Map(Object.entries(summaries)));
const written = (text: string): KeptSummary => ({ text, note: null, at: Date.UTC(2026, 10, 23) });

describe('the announcements in a stock’s record', () => {
  test('cover today, the previous trading day and the days between', () => {
    const dates = ['2026-11-19', '2026-11-20', '2026-11-21', TODAY, '2026-11-24'];
    const { news } = newsOf(dates.map((date) => one(date, date, 9)));
    expect(Object.keys(news).sort()).toEqual(dates.slice(1));
  });

  test('count only today’s price-sensitive ones; the first one marks the day', () => {
    const list = [
      one('a', TODAY, 8),
      one('b', TODAY, 9, true),
      one('c', TODAY, 10, true),
      one('d', '2026-11-20', 9, true),
    ];
    const { news, sensitiveAnnouncements } = newsOf(list);
    expect(sensitiveAnnouncements).toBe(2);
    expect(news[TODAY]).toMatchObject({ alerted: true, headline: 'Headline of c' });
    expect(newsOf(list.slice(0, 1))).toMatchObject({
      sensitiveAnnouncements: 0,
      news: { [TODAY]: { alerted: false } },
    });
  });

  test('include the summary of the most important one, unless a more important one follows', () => {
    const first = one('first', TODAY, 9, true);
    const summaries = { first: written('Up.') };
    expect(newsOf([first, one('routine', TODAY, 10)], summaries).news[TODAY]).toMatchObject({
      summary: 'Up.',
      summary_of: 'first',
      summary_generated_at: '2026-11-23T00:00:00.000Z',
    });
    expect(newsOf([first, one('later', TODAY, 11, true)], summaries).news[TODAY]).toMatchObject({
      summary: null,
      summary_of: null,
      summary_generated_at: null,
    });
  });
});

test('the summary covers an announcement of today or the latest earlier day, never of tomorrow', () => {
  const friday = one('friday', '2026-11-20', 9, true);
  const saturday = one('saturday', '2026-11-21', 9);
  const monday = one('monday', TODAY, 9);
  const tomorrow = one('tomorrow', '2026-11-24', 0, true);
  const idOf = (...list: KeptAnnouncement[]) => announcementToSummarise(list, DAYS)?.id ?? null;
  expect(idOf(friday, saturday, monday, tomorrow)).toBe('monday');
  expect(idOf(friday, saturday, tomorrow)).toBe('saturday');
  expect(idOf(friday)).toBe('friday');
  expect(idOf(one('old', '2026-11-19', 9))).toBeNull();
});

const NOW = Date.UTC(2026, 10, 18, 0, 0);
const DAY = 86_400_000;
const kept = (change: Parameters<typeof aRelease>[1]) => keptAnnouncement(aRelease('a-1', change), NOW);

describe('a stored announcement', () => {
  test('has its date in Sydney, even around midnight and clock changes', () => {
    // Summer time began on 4 October 2026 and ended on 5 April.
    for (const [time, date] of [
      ['2026-11-17T12:59:59Z', '2026-11-17'],
      ['2026-11-17T13:00:00Z', '2026-11-18'],
      ['2026-10-03T14:00:00Z', '2026-10-04'],
      ['2026-10-04T12:59:59Z', '2026-10-04'],
      ['2026-04-04T13:00:00Z', '2026-04-05'],
      ['2026-04-05T13:59:59Z', '2026-04-05'],
    ] as const) {
      expect([time, kept({ time: Date.parse(time) })?.date]).toEqual([time, date]);
    }
  });

  test('never has a time of 1970, 400 days ago, next month or an invalid one', () => {
    const times = [0, NOW - KEPT_MS, NOW + 8 * DAY, Number.NaN, Number.POSITIVE_INFINITY];
    expect(times.map((time) => kept({ time }))).toEqual(times.map(() => null));
    expect(kept({ time: NOW + DAY })).not.toBeNull();
    expect(kept({ time: NOW - KEPT_MS + 1 })).not.toBeNull();
  });

  test('needs a valid id, code and headline', () => {
    expect(kept({ headline: ' \n\t ' })).toBeNull();
    for (const code of ['', 'bhp', 'BHP LTD', '__PROTO__', 'A'.repeat(13)]) expect(kept({ code })).toBeNull();
    for (const id of ['', '__proto__', 'constructor', 'a b', 'x'.repeat(201)])
      expect(kept({ id })).toBeNull();
  });

  test('has a headline of one line and bounded length, with HTML as plain text', () => {
    expect(kept({ headline: 'x'.repeat(100_000) })?.headline).toHaveLength(500);
    expect(kept({ headline: '<img src=x onerror=alert(1)>' })?.headline).toBe('<img src=x onerror=alert(1)>');
    expect(kept({ headline: '  Annual\u0000\r\n re\u200f\u200bport\u202e ' })?.headline).toBe(
      'Annual report',
    );
  });

  test('links only to web addresses', () => {
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      '/relative',
      `https://a/${'x'.repeat(2000)}`,
    ])
      expect(kept({ url, document: url })).toMatchObject({ url: null, document: null });
    expect(kept({ url: 'HTTPS://example.test/a' })?.url).toBe('HTTPS://example.test/a');
  });
});

test('the most important one is the newest price-sensitive one, otherwise the newest', () => {
  const [a, b, c] = [
    { id: 'a', isPriceSensitive: false },
    { id: 'b', isPriceSensitive: true },
    { id: 'c', isPriceSensitive: true },
  ] as const;
  expect(mattersMost([a, b, c])).toBe(b);
  expect(mattersMost([a])).toBe(a);
  expect(mattersMost([])).toBeNull();
});

test('search words are lower case, without accents, apostrophes and punctuation', () => {
  expect(searchWords("Change of Director's Interest – Café (Appendix 3Y)")).toEqual([
    'change',
    'of',
    'directors',
    'interest',
    'cafe',
    'appendix',
    '3y',
  ]);
  expect(searchWords('"* OR (NEAR ^ col:x')).toEqual(['or', 'near', 'col', 'x']);
  expect(searchWords(' -- ')).toEqual([]);
});

describe('a headline matches', () => {
  const has = (headline: string, typed: string) => hasWords(searchWords(headline), wantedWords(typed));

  test('all words in any order, the last one possibly unfinished', () => {
    expect(has('Quarterly Activities Report', 'report quarterly')).toBe(true);
    expect(has('Quarterly Activities Report', 'activities quart')).toBe(true);
    expect(has('Quarterly Activities Report', 'quart activities')).toBe(false);
    expect(has('Quarterly Activities Report', 'activities halt')).toBe(false);
  });

  test('without a final unfinished single letter, but a complete single letter counts', () => {
    expect(has('Quarterly Activities Report', 'quarterly x')).toBe(true);
    expect(has('Quarterly Activities Report', 'q-')).toBe(false);
    expect(has('Plan B', 'b-')).toBe(true);
  });
});
