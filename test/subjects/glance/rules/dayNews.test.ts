import { describe, expect, test } from 'bun:test';
import {
  filteredNews,
  newsDates,
  type NewsLine,
  newsLinesOf,
  newsTypes,
  OPEN_NEWS,
} from '../../../../src/subjects/glance/rules/dayNews.ts';
import { aNewsDay } from '../../../support/aNewsDay.ts';
import { aStock } from '../../../support/aStock.ts';

const TODAY = '2026-11-18';
const line = (change: Partial<NewsLine>): NewsLine => ({
  ...{ id: `${change.code ?? 'BHP'} ${change.headline ?? ''}`, code: 'BHP', name: 'BHP Group', url: null },
  ...{ headline: 'Quarterly Report', types: ['Report'], isPriceSensitive: false },
  ...{ time: '2026-11-17T23:00:00.000Z', date: TODAY },
  ...change,
});

const LINES = [
  line({ headline: 'Older', time: '2026-11-17T22:00:00.000Z', types: ['Report', 'Other'] }),
  line({ code: 'CBA', headline: 'Trading Halt', isPriceSensitive: true, types: ['Halt'] }),
  line({ headline: "Director's Notice", time: '2026-11-18T01:00:00.000Z' }),
  line({ headline: 'Yesterday', date: '2026-11-17' }),
];
const headlines = (change: Partial<typeof OPEN_NEWS>, watched: ReadonlySet<string> | null = null) =>
  filteredNews(LINES, TODAY, { ...OPEN_NEWS, ...change }, watched).map(({ headline }) => headline);

describe('the list of announcements', () => {
  test('has those of a day, the newest first', () => {
    expect(headlines({})).toEqual(["Director's Notice", 'Trading Halt', 'Older']);
  });

  test('is narrowed by price sensitivity, the user’s list, type and words, all of which must hold', () => {
    expect(headlines({ sensitiveOnly: true })).toEqual(['Trading Halt']);
    expect(headlines({ watchedOnly: true }, new Set(['CBA']))).toEqual(['Trading Halt']);
    expect(headlines({ watchedOnly: true }, null)).toHaveLength(3);
    expect(headlines({ watchedOnly: true }, new Set())).toEqual([]);
    expect(headlines({ type: 'Other' })).toEqual(['Older']);
    expect(headlines({ words: 'directors not' })).toEqual(["Director's Notice"]);
    expect(headlines({ words: 'cba' })).toEqual(['Trading Halt']);
    expect(headlines({ words: 'halt', sensitiveOnly: true, type: 'Report' })).toEqual([]);
  });

  test('knows its days and types', () => {
    expect(newsDates([...LINES, line({ date: '2026-11-20' })], TODAY)).toEqual([TODAY, '2026-11-17']);
    expect(newsTypes(LINES, TODAY)).toEqual(['Report', 'Halt', 'Other']);
  });

  test('is made of a stock’s record, whatever its days are called', () => {
    const item = { headline: 'A', url: null, announcementTypes: ['T'], isPriceSensitive: true, time: 'x' };
    const news = { '18/11/2026': aNewsDay({ announcements: { k: item } }), odd: aNewsDay() };
    expect(newsLinesOf(aStock({ code: 'BHP', news }))).toMatchObject([
      { id: 'BHP k', code: 'BHP', date: TODAY, types: ['T'], isPriceSensitive: true },
    ]);
    expect(newsLinesOf(aStock({}))).toEqual([]);
  });
});
