import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { mapLayout } from '../../../../src/subjects/glance/rules/mapLayout.ts';
import { type Tile, treemap } from '../../../../src/subjects/glance/rules/treemap.ts';

const areaOf = ({ width, height }: Tile): number => width * height;

const overlap = (a: Tile, b: Tile): number =>
  Math.max(0, Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top));

describe('a map of sizes', () => {
  test('gives each its share, inside the map and beside the others', () => {
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

  test('is laid out in squares where it can be', () => {
    for (const { width, height } of treemap([1, 1, 1, 1], 100, 100)) {
      expect(width).toBeCloseTo(50);
      expect(height).toBeCloseTo(50);
    }
  });

  test('of nothing, or without room, has no area', () => {
    expect(treemap([], 100, 100)).toEqual([]);
    expect(treemap([3, 0], 0, 100).map(areaOf)).toEqual([0, 0]);
    expect(treemap([0, 0], 100, 100).map(areaOf)).toEqual([0, 0]);
  });
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

  test('shows the largest stocks of a sector and the others together, below its name', () => {
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

  test('shows a sector without room for them as a whole', () => {
    const layout = mapLayout([sector('Banks', 100)], { Banks: [stock('CBA', 50)] }, 60, 40);
    expect(layout).toMatchObject([{ name: 'Banks', stocks: [] }]);
  });
});
