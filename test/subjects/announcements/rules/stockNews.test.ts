import { describe, expect, test } from 'bun:test';
import type { KeptAnnouncement } from '../../../../src/subjects/announcements/rules/keptAnnouncement.ts';
import {
  announcementToSummarise,
  type KeptSummary,
  stockNewsOf,
} from '../../../../src/subjects/announcements/rules/stockNews.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';

const TODAY = '2026-11-23';
const DAYS = { today: TODAY, previous: '2026-11-20' };

function one(id: string, date: string, hour: number, isPriceSensitive = false): KeptAnnouncement {
  const time = fromSydney(date, hour, 0);
  const headline = `Headline of ${id}`;
  return {
    ...{ id, code: 'BHP', date, time, headline, isPriceSensitive },
    ...{ url: null, document: null, announcementTypes: [] },
  };
}
const newsOf = (list: readonly KeptAnnouncement[], summaries: Record<string, KeptSummary> = {}) =>
  stockNewsOf(list, DAYS, new Map(Object.entries(summaries)));
const written = (text: string): KeptSummary => ({ text, note: null, at: Date.UTC(2026, 10, 23) });

describe('what a stock’s record says of its announcements', () => {
  test('is today, the previous trading day and the days between; nothing older', () => {
    const dates = ['2026-11-19', '2026-11-20', '2026-11-21', TODAY, '2026-11-24'];
    const { news } = newsOf(dates.map((date) => one(date, date, 9)));
    expect(Object.keys(news).sort()).toEqual(dates.slice(1));
  });

  test('counts the price-sensitive ones of today alone; the day is alerted from the first on', () => {
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

  test('of a company that announces five thousand things shows the newest fifty', () => {
    const list = Array.from({ length: 5000 }, (_, index) => ({
      ...one(`n${index}`, TODAY, 9, true),
      time: fromSydney(TODAY, 9, 0) + index,
    }));
    const { news, sensitiveAnnouncements } = newsOf(list);
    expect(Object.keys(news[TODAY]?.announcements ?? {})).toHaveLength(50);
    expect(news[TODAY]?.announcements['n4999']).toBeDefined();
    expect(sensitiveAnnouncements).toBe(5000);
  });

  test('has the summary of what matters most, and none when something later matters more', () => {
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

  test('says of a summary that failed why, without a text', () => {
    const failed = { text: null, note: 'The model did not answer.', at: 1 };
    expect(newsOf([one('a', TODAY, 9)], { a: failed }).news[TODAY]).toMatchObject({
      summary: null,
      summary_of: null,
      summary_generated_at: null,
      summary_note: 'The model did not answer.',
    });
  });
});

describe('what is summarised', () => {
  test('is of today, else of the previous day that has any; never of what comes tomorrow', () => {
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
});
