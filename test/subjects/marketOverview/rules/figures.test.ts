import { describe, expect, test } from 'bun:test';
import {
  filteredNews,
  type NewsLine,
  newsLinesOf,
  OPEN_NEWS,
} from '#subjects/marketOverview/rules/dayNews.ts';
import { aNewsDay } from '#support/aNewsDay.ts';
import { aStock } from '#support/aStock.ts';
import {
  changeText,
  moneyText,
  strengthOf,
  usualText,
  wayOf,
} from '#subjects/marketOverview/rules/overviewText.ts';
import fc from 'fast-check';
import { mapLayout, type Tile, treemap } from '#subjects/marketOverview/rules/mapLayout.ts';
import {
  CURVE_POINTS,
  emptyCurve,
  meanCurve,
  pointAt,
  usualAt,
} from '#subjects/marketOverview/rules/valueCurve.ts';

describe('the list of announcements', () => {
  const TODAY = '2026-11-18';
  const line = (change: Partial<NewsLine>): NewsLine => ({
    id: `${change.code ?? 'BHP'} ${change.headline ?? ''}`,
    code: 'BHP',
    name: 'BHP Group',
    url: null,
    headline: 'Quarterly Report',
    types: ['Report'],
    isPriceSensitive: false,
    time: '2026-11-17T23:00:00.000Z',
    date: TODAY,
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

  test('contains those of a day, newest first', () => {
    expect(headlines({})).toEqual(["Director's Notice", 'Trading Halt', 'Older']);
  });

  test('is filtered by price sensitivity, watchlist, type and words together', () => {
    expect(headlines({ sensitiveOnly: true })).toEqual(['Trading Halt']);
    expect(headlines({ watchedOnly: true }, new Set(['CBA']))).toEqual(['Trading Halt']);
    expect(headlines({ watchedOnly: true }, null)).toHaveLength(3);
    expect(headlines({ watchedOnly: true }, new Set())).toEqual([]);
    expect(headlines({ type: 'Other' })).toEqual(['Older']);
    expect(headlines({ words: 'directors not' })).toEqual(["Director's Notice"]);
    expect(headlines({ words: 'cba' })).toEqual(['Trading Halt']);
    expect(headlines({ words: 'halt', sensitiveOnly: true, type: 'Report' })).toEqual([]);
  });

  test('is built from a stock’s record, for any date format', () => {
    const item = { headline: 'A', url: null, announcementTypes: ['T'], isPriceSensitive: true, time: 'x' };
    const news = { '18/11/2026': aNewsDay({ announcements: { k: item } }), odd: aNewsDay() };
    expect(newsLinesOf(aStock({ code: 'BHP', news }))).toMatchObject([
      { id: 'BHP k', code: 'BHP', date: TODAY, types: ['T'], isPriceSensitive: true },
    ]);
    expect(newsLinesOf(aStock({}))).toEqual([]);
  });
});

describe('the words of the market', () => {
  test('show a change with its sign, and the direction of the displayed value', () => {
    expect([1.234, -0.5, 0, null].map(changeText)).toEqual(['+1.23%', '−0.50%', '0.00%', '–']);
    expect([1, -1, 0.004, -0.004, null].map(wayOf)).toEqual(['up', 'down', 'flat', 'flat', 'flat']);
    expect([0, 0.1, -0.7, 2, -9, null].map(strengthOf)).toEqual([0, 1, 2, 3, 4, 0]);
    expect(moneyText(3.21e9)).toBe('$3.2 B');
  });

  test('compare the value with the usual one, or explain why they do not', () => {
    const curve = new Array<number | null>(79).fill(200);
    expect(usualText(236, { curve, sessions: 20, minutes: 30 })).toBe('118% of usual');
    expect(usualText(1, { curve, sessions: 2, minutes: 30 })).toBe('usual value after 3 sessions, 2 so far');
    expect(usualText(1, { curve, sessions: 3, minutes: -5 })).toBe('compared from 10:00');
    expect(usualText(1, { curve: curve.fill(null), sessions: 3, minutes: 5 })).toBe(
      'no usual value for this time',
    );
    expect(usualText(1, null)).toBe('');
  });
});

const areaOf = ({ width, height }: Tile): number => width * height;

const overlap = (a: Tile, b: Tile): number =>
  Math.max(0, Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top));

test('a treemap gives each item its share, inside the map and without overlap', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1, maxLength: 25 });
  const side = fc.integer({ min: 40, max: 1500 });
  fc.assert(
    fc.property(sizes, side, side, (unsorted, width, height) => {
      const sorted = unsorted.toSorted((a, b) => b - a);
      const total = sorted.reduce((sum, size) => sum + size, 0);
      const tiles = treemap(sorted, width, height);
      expect(tiles).toHaveLength(sorted.length);
      for (const [place, tile] of tiles.entries()) {
        const share = total === 0 ? 0 : (sorted[place] ?? 0) / total;
        expect(Math.abs(areaOf(tile) - share * width * height)).toBeLessThan(1e-6 * width * height);
        expect(tile.left).toBeGreaterThanOrEqual(0);
        expect(tile.left + tile.width).toBeLessThanOrEqual(width + 1e-6);
        expect(tile.top + tile.height).toBeLessThanOrEqual(height + 1e-6);
        for (const other of tiles.slice(0, place)) expect(overlap(tile, other)).toBeLessThan(1e-3);
      }
    }),
  );
});

describe('the map of a market', () => {
  const figures = {
    stocks: 3,
    traded: 3,
    advancers: 1,
    decliners: 1,
    highs: 0,
    lows: 0,
    ranged: 0,
    value: 1,
  };
  const sector = (name: string, marketCap: number) => ({ ...figures, name, marketCap, change: 1 });
  const stock = (code: string, marketCap: number) => ({ code, name: code, marketCap, change: 1 });

  test('shows the largest stocks of a sector and the rest as one tile, below its name', () => {
    const layout = mapLayout(
      [sector('Banks', 100), sector('None', 0)],
      { Banks: [stock('CBA', 50), stock('NAB', 20)] },
      300,
      200,
    );
    expect(layout.map(({ name }) => name)).toEqual(['Banks']);
    expect(layout[0]?.stocks.map(({ code }) => code)).toEqual(['CBA', null, 'NAB']);
    for (const { tile } of layout[0]?.stocks ?? []) expect(tile.top).toBeGreaterThanOrEqual(20);
  });

  test('leaves room for the names of small sectors', () => {
    const names = ['Technology Hardware & Equipment', 'Investment Companies', 'Food, Beverage & Tobacco'];
    const small = names.map((name) => sector(name, 1));
    const large = ['Materials', 'Banks', 'Energy'].map((name) => sector(name, 1e6));
    const layout = mapLayout([...large, ...small], {}, 1000, 560);
    expect(layout).toHaveLength(6);
    for (const { name, tile, nameHeight, nameSize } of layout) {
      expect(tile.height, name).toBeGreaterThanOrEqual(nameHeight);
      expect(nameSize, name).toBeGreaterThan(8);
    }
  });

  test('shows a sector that is too small for them as a whole', () => {
    const layout = mapLayout([sector('Banks', 100)], { Banks: [stock('CBA', 50)] }, 60, 40);
    expect(layout).toMatchObject([{ name: 'Banks', stocks: [] }]);
  });
});

const flat = (value: number | null) => new Array<number | null>(CURVE_POINTS).fill(value);
const rising = Array.from({ length: CURVE_POINTS }, (_one, point) => point * 100);

test('the points of a session are five minutes apart from 10:00 until 16:30', () => {
  expect([-1, 0, 4.9, 5, 389, 390, 500].map(pointAt)).toEqual([-1, 0, 0, 1, 77, 78, 78]);
});

describe('the usual value', () => {
  test('is not shown for fewer than three sessions', () => {
    expect(meanCurve([flat(10), flat(20)])).toEqual(flat(null));
    expect(meanCurve([flat(10), flat(20), flat(30)])).toEqual(flat(20));
  });

  test('skips the points at which a session was not seen', () => {
    const late = [...flat(null).slice(0, 40), ...flat(60).slice(40)];
    const mean = meanCurve([flat(10), flat(20), flat(30), late]);
    expect(mean[39]).toBe(20);
    expect(mean[40]).toBe(30);
  });

  test('is interpolated between two points, and unknown before 10:00', () => {
    expect(usualAt(rising, -0.1)).toBeNull();
    expect(usualAt(rising, 0)).toBe(0);
    expect(usualAt(rising, 7.5)).toBe(150);
    expect(usualAt(rising, 390)).toBe(7800);
    expect(usualAt(rising, 500)).toBe(7800);
    expect(usualAt(emptyCurve(), 7)).toBeNull();
  });
});
