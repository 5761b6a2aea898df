import { describe, expect, test } from 'bun:test';
import {
  hasNewsIcon,
  hasSensitiveNews,
  newestHeadline,
  NO_ANNOUNCEMENTS_TODAY,
  newsDate,
  newsFor,
  noNewsText,
  SENSITIVE_BUT_UNPUBLISHED,
  shownTrend,
  trendWord,
} from '../../../src/market/rules/announcements.ts';
import type { Announcement, NewsDay } from '../../../src/market/rules/stock.ts';

const announcement = (headline: string, time: string): Announcement => ({
  headline,
  url: null,
  announcementTypes: [],
  isPriceSensitive: false,
  time,
});
const day = (announcements: Record<string, Announcement>, headline: string | null = null): NewsDay => ({
  headline,
  summary: null,
  summary_generated_at: null,
  alerted: false,
  announcements,
});

const MONDAY = '2026-11-23';
const older = announcement('Older', '2026-11-22T23:00:00Z');
const newer = announcement('Newer', '2026-11-23T01:00:00Z');

describe('news keys', () => {
  test('are read in both forms', () => {
    expect(newsDate('2026-11-23')).toBe('2026-11-23');
    expect(newsDate('23/11/2026')).toBe('2026-11-23');
    expect([newsDate('23-11-2026'), newsDate(''), newsDate('yesterday')]).toEqual([null, null, null]);
  });
});

describe('the news of a stock', () => {
  test('lists today newest first, whichever form the key has', () => {
    for (const key of ['2026-11-23', '23/11/2026']) {
      const news = newsFor({ news: { [key]: day({ a: older, b: newer }) } }, MONDAY);
      expect(news.todayItems.map(({ headline }) => headline)).toEqual(['Newer', 'Older']);
      expect(news.todayItems.every(({ previousDay }) => !previousDay)).toBe(true);
      expect(news.previousItems).toEqual([]);
    }
  });

  test('takes the previous trading day, over a weekend', () => {
    const news = newsFor({ news: { '20/11/2026': day({ a: older }) } }, MONDAY);
    expect(news.previousItems.map(({ id, previousDay }) => [id, previousDay])).toEqual([['a', true]]);
  });

  test('prefers a day without trading that is nearer, and forgets older days', () => {
    const weekend = { '2026-11-20': day({ friday: older }), '2026-11-21': day({ saturday: older }) };
    expect(newsFor({ news: weekend }, MONDAY).previousItems.map(({ id }) => id)).toEqual(['saturday']);
    expect(newsFor({ news: { '2026-11-19': day({ a: older }) } }, MONDAY).previousItems).toEqual([]);
  });

  test('is empty without any, and ignores days to come', () => {
    expect(newsFor({}, MONDAY)).toEqual({ today: null, todayItems: [], previousItems: [] });
    expect(newsFor({ news: { '2026-11-24': day({ a: newer }) } }, MONDAY).previousItems).toEqual([]);
  });
});

describe('the news icon', () => {
  test('shows for a headline today or for sensitive announcements', () => {
    const icon = (news: Record<string, NewsDay> | undefined, sensitiveAnnouncements: number | null) =>
      hasNewsIcon({ ...(news && { news }), sensitiveAnnouncements }, MONDAY);
    expect(icon({ [MONDAY]: day({}, 'Trading Halt') }, null)).toBe(true);
    expect(icon({ [MONDAY]: day({ a: newer }) }, 0)).toBe(true);
    expect(icon(undefined, 1)).toBe(true);
    expect(icon({ [MONDAY]: day({}) }, 0)).toBe(false);
    expect(icon({ '2026-11-20': day({ a: older }, 'Old') }, null)).toBe(false);
  });

  test('the texts in place of announcements are those of the spec', () => {
    expect(noNewsText({ sensitiveAnnouncements: 0 })).toBe(NO_ANNOUNCEMENTS_TODAY);
    expect(NO_ANNOUNCEMENTS_TODAY).toBe('No announcements captured for today.');
    expect(noNewsText({ sensitiveAnnouncements: 2 })).toBe(SENSITIVE_BUT_UNPUBLISHED);
    expect(SENSITIVE_BUT_UNPUBLISHED).toBe(
      'Price sensitive activity detected, but no ASX announcement was published yet.',
    );
  });
});

describe('the newest headline', () => {
  const early = announcement('Quarterly Report', '2026-11-22T22:10:00Z');
  const late = announcement('Change of Address', '2026-11-22T23:10:00Z');
  const sensitive = { ...early, isPriceSensitive: true };

  test('is that of the newest announcement of today, or what the day itself names', () => {
    expect(newestHeadline({ news: { [MONDAY]: day({ a: early, b: late }) } }, MONDAY)).toBe(
      'Change of Address',
    );
    expect(newestHeadline({ news: { '23/11/2026': day({}, 'Trading Halt') } }, MONDAY)).toBe('Trading Halt');
    expect(newestHeadline({ news: { '2026-11-20': day({ a: early }) } }, MONDAY)).toBeNull();
    expect(newestHeadline({}, MONDAY)).toBeNull();
  });

  test('is followed by the price-sensitive one when that is another', () => {
    expect(newestHeadline({ news: { [MONDAY]: day({ a: sensitive, b: late }) } }, MONDAY)).toBe(
      'Change of Address · Price sensitive: Quarterly Report',
    );
    expect(newestHeadline({ news: { [MONDAY]: day({ a: sensitive }) } }, MONDAY)).toBe('Quarterly Report');
  });

  test('and whether some news is price sensitive is told by the announcements or their count', () => {
    const of = (announcements: Record<string, Announcement>) => ({
      news: { [MONDAY]: day(announcements) },
      sensitiveAnnouncements: null,
    });
    expect(hasSensitiveNews(of({ a: late, b: sensitive }), MONDAY)).toBe(true);
    expect(hasSensitiveNews(of({ a: late }), MONDAY)).toBe(false);
    expect(hasSensitiveNews({ sensitiveAnnouncements: 1 }, MONDAY)).toBe(true);
  });
});

describe('the trend', () => {
  test('is up before down before flat', () => {
    expect([trendWord(2, 0), trendWord(0, 3), trendWord(0, 0), trendWord(1, 1)]).toEqual([
      'up',
      'down',
      'flat',
      'up',
    ]);
  });

  test('is told in days and weeks', () => {
    const texts = (...[daysUp, daysDown, weeksUp, weeksDown]: [number, number, number, number]) =>
      shownTrend({ daysUp, daysDown, weeksUp, weeksDown }).map(({ text }) => text);
    expect(texts(1, 0, 0, 2)).toEqual(['up 1 day', 'down 2 weeks']);
    expect(texts(0, 0, 3, 0)).toEqual(['flat (days)', 'up 3 weeks']);
    expect(texts(0, 0, 0, 0)).toEqual(['flat']);
  });
});
