import { describe, expect, test } from 'bun:test';
import { offersRefresh, offersSummary, releaseText, summaryOf } from '../../../src/market/rules/newsRow.ts';
import type { NewsDay, Stock } from '../../../src/market/rules/stock.ts';
import { aNewsDay } from '../../support/aNewsDay.ts';

const TODAY = '2026-11-23';
const FRIDAY = '2026-11-20';
const item = (headline: string, time = '2026-11-22T23:10:00Z') => ({
  headline,
  url: null,
  announcementTypes: [],
  isPriceSensitive: false,
  time,
});
const summaryIn = (news: Stock['news']) => summaryOf({ ...(news && { news }) }, TODAY);

describe('a refresh', () => {
  const offered = (change: Partial<Pick<Stock, 'name' | 'news' | 'sensitiveAnnouncements'>>) =>
    offersRefresh({ name: 'BHP GROUP', sensitiveAnnouncements: null, ...change }, TODAY);
  test('is offered where there is no headline today, or something sensitive was seen; never without a name', () => {
    const news = { [TODAY]: aNewsDay({ announcements: { a: item('Report') } }) };
    expect(offered({})).toBe(true);
    expect(offered({ news: { [FRIDAY]: news[TODAY] as NewsDay } })).toBe(true);
    expect(offered({ news })).toBe(false);
    expect(offered({ news: { [TODAY]: aNewsDay({ headline: 'Report' }) } })).toBe(false);
    expect(offered({ news, sensitiveAnnouncements: 1 })).toBe(true);
    expect(offered({ news, sensitiveAnnouncements: 0 })).toBe(false);
    expect(offered({ name: ' ' })).toBe(false);
  });
});

describe('a summary', () => {
  test('is offered from level 2 on, while there is none, to a stock with a name, by a server with a model', () => {
    const bhp = { name: 'BHP GROUP' };
    const levels = [0, 1, 2, 3, 4].map((accessLevel) =>
      offersSummary(bhp, null, { accessLevel, hasModel: true }),
    );
    expect(levels).toEqual([false, false, true, true, true]);
    expect(offersSummary(bhp, 'It rose.', { accessLevel: 3, hasModel: true })).toBe(false);
    expect(offersSummary(bhp, null, { accessLevel: 3, hasModel: false })).toBe(false);
    expect(offersSummary({ name: '' }, null, { accessLevel: 3, hasModel: true })).toBe(false);
  });

  test('is today’s, with the announcement that it is of', () => {
    const today = aNewsDay({
      summary: 'It rose.',
      summary_generated_at: '2026-11-23T00:00:00Z',
      summary_of: 'b',
      summary_note: 'Made of the headlines.',
      announcements: { a: item('Other'), b: item('Report') },
    });
    expect(summaryIn({ [TODAY]: today, [FRIDAY]: aNewsDay({ summary: 'Old.' }) })).toMatchObject({
      text: 'It rose.',
      generatedAt: '2026-11-23T00:00:00Z',
      note: 'Made of the headlines.',
      of: { id: 'b', headline: 'Report' },
    });
  });

  test('is the previous day’s only while today has nothing', () => {
    const old = aNewsDay({ summary: 'Old.', summary_of: 'a', announcements: { a: item('Report') } });
    expect(summaryIn({ [FRIDAY]: old })).toMatchObject({ text: 'Old.', of: { id: 'a' } });
    expect(summaryIn({ [FRIDAY]: old, [TODAY]: aNewsDay() }).text).toBe('Old.');
    expect(summaryIn({ [FRIDAY]: old, [TODAY]: aNewsDay({ headline: 'New' }) }).text).toBeNull();
    expect(
      summaryIn({ [FRIDAY]: old, [TODAY]: aNewsDay({ announcements: { a: item('New') } }) }).text,
    ).toBeNull();
  });

  test('that failed has a note and nothing else; an announcement that is gone is not named', () => {
    const failed = aNewsDay({ summary_note: 'The model took too long.', announcements: { a: item('New') } });
    expect(summaryIn({ [TODAY]: failed })).toEqual({
      text: null,
      generatedAt: null,
      note: 'The model took too long.',
      of: null,
    });
    expect(summaryIn({ [TODAY]: aNewsDay({ summary: 'Rose.', summary_of: 'x' }) }).of).toBeNull();
    expect(summaryIn(undefined)).toEqual({ text: null, generatedAt: null, note: null, of: null });
  });
});

describe('the time of a release', () => {
  test('is that of Sydney, with the date where it is another day', () => {
    expect(releaseText('2026-11-22T22:10:00Z', TODAY)).toBe('09:10');
    expect(releaseText('2026-11-19T22:10:00Z', TODAY)).toBe('20 Nov 09:10');
    expect(releaseText('2025-07-01T23:00:00Z', TODAY)).toBe('2 July 2025 09:00');
    expect(releaseText('nonsense', TODAY)).toBe('–');
  });
});
