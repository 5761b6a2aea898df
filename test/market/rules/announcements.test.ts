import { describe, expect, test } from 'bun:test';
import { hasNewsIcon, hasSensitiveNews, newestHeadline, newsFor } from '#market/rules/announcements.ts';
import { offersRefresh, offersSummary, releaseText, summaryOf } from '#market/rules/newsRow.ts';
import type { Announcement, NewsDay, Stock } from '#market/rules/stock.ts';
import { aNewsDay } from '#support/aNewsDay.ts';

const announcement = (headline: string, time = '2026-11-22T23:10:00Z'): Announcement => ({
  headline,
  url: null,
  announcementTypes: [],
  isPriceSensitive: false,
  time,
});
const day = (announcements: Record<string, Announcement>, headline: string | null = null): NewsDay =>
  aNewsDay({ headline, announcements });

const MONDAY = '2026-11-23';
const older = announcement('Older', '2026-11-22T23:00:00Z');
const newer = announcement('Newer', '2026-11-23T01:00:00Z');

describe('the news of a stock', () => {
  test('is listed for today, newest first, with either form of key', () => {
    for (const key of ['2026-11-23', '23/11/2026']) {
      const news = newsFor({ news: { [key]: day({ a: older, b: newer }) } }, MONDAY);
      expect(news.todayItems.map(({ headline }) => headline)).toEqual(['Newer', 'Older']);
      expect(news.todayItems.every(({ previousDay }) => !previousDay)).toBe(true);
      expect(news.previousItems).toEqual([]);
    }
  });

  test('falls back to the previous trading day, over a weekend', () => {
    const news = newsFor({ news: { '20/11/2026': day({ a: older }) } }, MONDAY);
    expect(news.previousItems.map(({ id, previousDay }) => [id, previousDay])).toEqual([['a', true]]);
  });
});

test('the news icon shows for a headline today or sensitive announcements', () => {
  const icon = (news: Record<string, NewsDay> | undefined, sensitiveAnnouncements: number | null) =>
    hasNewsIcon({ ...(news && { news }), sensitiveAnnouncements }, MONDAY);
  expect(icon({ [MONDAY]: day({}, 'Trading Halt') }, null)).toBe(true);
  expect(icon({ [MONDAY]: day({ a: newer }) }, 0)).toBe(true);
  expect(icon(undefined, 1)).toBe(true);
  expect(icon({ [MONDAY]: day({}) }, 0)).toBe(false);
  expect(icon({ '2026-11-20': day({ a: older }, 'Old') }, null)).toBe(false);
});

describe('the newest headline', () => {
  const early = announcement('Quarterly Report', '2026-11-22T22:10:00Z');
  const late = announcement('Change of Address', '2026-11-22T23:10:00Z');
  const sensitive = { ...early, isPriceSensitive: true };

  test('comes from the newest announcement today, or from the day itself', () => {
    expect(newestHeadline({ news: { [MONDAY]: day({ a: early, b: late }) } }, MONDAY)).toBe(
      'Change of Address',
    );
    expect(newestHeadline({ news: { '23/11/2026': day({}, 'Trading Halt') } }, MONDAY)).toBe('Trading Halt');
    expect(newestHeadline({ news: { '2026-11-20': day({ a: early }) } }, MONDAY)).toBeNull();
    expect(newestHeadline({}, MONDAY)).toBeNull();
  });

  test('price-sensitive news is recognised by the announcements or their count', () => {
    const of = (announcements: Record<string, Announcement>) => ({
      news: { [MONDAY]: day(announcements) },
      sensitiveAnnouncements: null,
    });
    expect(hasSensitiveNews(of({ a: late, b: sensitive }), MONDAY)).toBe(true);
    expect(hasSensitiveNews(of({ a: late }), MONDAY)).toBe(false);
    expect(hasSensitiveNews({ sensitiveAnnouncements: 1 }, MONDAY)).toBe(true);
  });
});

const FRIDAY = '2026-11-20';
const summaryIn = (news: Stock['news']) => summaryOf({ ...(news && { news }) }, MONDAY);

test('refresh is offered if today has no headline or something sensitive was seen, never without a name', () => {
  const offered = (change: Partial<Pick<Stock, 'name' | 'news' | 'sensitiveAnnouncements'>>) =>
    offersRefresh({ name: 'BHP GROUP', sensitiveAnnouncements: null, ...change }, MONDAY);

  const news = { [MONDAY]: aNewsDay({ announcements: { a: announcement('Report') } }) };
  expect(offered({})).toBe(true);
  expect(offered({ news: { [FRIDAY]: news[MONDAY] as NewsDay } })).toBe(true);
  expect(offered({ news })).toBe(false);
  expect(offered({ news: { [MONDAY]: aNewsDay({ headline: 'Report' }) } })).toBe(false);
  expect(offered({ news, sensitiveAnnouncements: 1 })).toBe(true);
  expect(offered({ news, sensitiveAnnouncements: 0 })).toBe(false);
  expect(offered({ name: ' ' })).toBe(false);
});

describe('a summary', () => {
  test('is offered from level 2 if there is none, the stock has a name and the server a model', () => {
    const bhp = { name: 'BHP GROUP' };
    const levels = [0, 1, 2, 3, 4].map((accessLevel) =>
      offersSummary(bhp, null, { accessLevel, hasModel: true }),
    );
    expect(levels).toEqual([false, false, true, true, true]);
    expect(offersSummary(bhp, 'It rose.', { accessLevel: 3, hasModel: true })).toBe(false);
    expect(offersSummary(bhp, null, { accessLevel: 3, hasModel: false })).toBe(false);
    expect(offersSummary({ name: '' }, null, { accessLevel: 3, hasModel: true })).toBe(false);
  });

  test('is the previous day’s only while today has no news', () => {
    const old = aNewsDay({ summary: 'Old.', summary_of: 'a', announcements: { a: announcement('Report') } });
    expect(summaryIn({ [FRIDAY]: old })).toMatchObject({ text: 'Old.', of: { id: 'a' } });
    expect(summaryIn({ [FRIDAY]: old, [MONDAY]: aNewsDay() }).text).toBe('Old.');
    expect(summaryIn({ [FRIDAY]: old, [MONDAY]: aNewsDay({ headline: 'New' }) }).text).toBeNull();
    expect(
      summaryIn({ [FRIDAY]: old, [MONDAY]: aNewsDay({ announcements: { a: announcement('New') } }) }).text,
    ).toBeNull();
  });
});

test('the release time is in Sydney, with the date if it is another day', () => {
  expect(releaseText('2026-11-22T22:10:00Z', MONDAY)).toBe('09:10');
  expect(releaseText('2026-11-19T22:10:00Z', MONDAY)).toBe('20 Nov 09:10');
  expect(releaseText('2025-07-01T23:00:00Z', MONDAY)).toBe('2 July 2025 09:00');
  expect(releaseText('nonsense', MONDAY)).toBe('–');
});
