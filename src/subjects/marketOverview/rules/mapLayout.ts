import type { SectorFigures } from './totals.ts';
import type { MapStock } from './lists.ts';

export type Tile = { left: number; top: number; width: number; height: number };

/** The worst aspect ratio of the tiles in a row; 1 is a square. */
function worstRatio(sum: number, least: number, greatest: number, side: number): number {
  const square = sum * sum;
  return Math.max((side * side * greatest) / square, square / (side * side * least));
}

/**
 * The squarified treemap of Bruls, Huizing and van Wijk (2000): areas in proportion, tiles close to squares.
 * @param sizes largest first; a size that is not above zero gets a tile without area
 * @returns tiles in the same order, which fill the map without overlaps
 */
export function treemap(sizes: readonly number[], width: number, height: number): Tile[] {
  const tiles: Tile[] = sizes.map(() => ({ left: 0, top: 0, width: 0, height: 0 }));
  const total = sizes.reduce((sum, size) => sum + Math.max(0, size), 0);
  if (total <= 0 || width <= 0 || height <= 0) return tiles;
  const areas = sizes.map((size) => (Math.max(0, size) / total) * width * height);
  const count = areas.filter((area) => area > 0).length;
  const free = { left: 0, top: 0, width, height };
  for (let first = 0; first < count; ) {
    const side = Math.min(free.width, free.height);
    const end = endOfRow(areas, first, count, side);
    placeRow(tiles, areas, first, end, free, end === count);
    first = end;
  }
  return tiles;
}

/** Finds the end of a row: before the size that would make its tiles longer. */
function endOfRow(areas: readonly number[], first: number, count: number, side: number): number {
  const greatest = areas[first] ?? 0;
  let sum = greatest;
  let ratio = worstRatio(sum, greatest, greatest, side);
  let end = first + 1;
  for (; end < count; end += 1) {
    const next = areas[end] ?? 0;
    const longer = worstRatio(sum + next, next, greatest, side);
    if (longer > ratio) break;
    sum += next;
    ratio = longer;
  }
  return end;
}

/** Places a row along the shorter free side and shrinks the free area. @param fills true for the last row */
function placeRow(
  tiles: Tile[],
  areas: readonly number[],
  first: number,
  end: number,
  free: Tile,
  fills: boolean,
): void {
  const isColumn = free.width >= free.height;
  const side = isColumn ? free.height : free.width;
  const sum = areas.slice(first, end).reduce((all, area) => all + area, 0);
  const depth = fills ? (isColumn ? free.width : free.height) : sum / side;
  let at = 0;
  for (let place = first; place < end; place += 1) {
    const length = ((areas[place] ?? 0) / sum) * side;
    tiles[place] = isColumn
      ? { left: free.left, top: free.top + at, width: depth, height: length }
      : { left: free.left + at, top: free.top, width: length, height: depth };
    at += length;
  }
  if (isColumn) {
    free.left += depth;
    free.width = Math.max(0, free.width - depth);
  } else {
    free.top += depth;
    free.height = Math.max(0, free.height - depth);
  }
}

/** Heights of a sector's name: a line, the margins of all lines, and the change below them; px. */
const NAME_LINE = 13;
const NAME_MARGIN = 7;
const CHANGE_HEIGHT = 16;
/** Width of a change with its margins, and of a letter; px. */
const CHANGE_WIDTH = 76;
const LETTER_WIDTH = 7;
/** Width of a tile's margins, px. */
const SIDES = 12;
/** Minimum width of a tile that shows stocks, and their minimum height, px. */
const MIN_WIDTH = 72;
const STOCKS_HEIGHT = 32;

/** The area of a tile in which the name fits, even if it is not a square; px². */
function nameArea(name: string): number {
  const width = Math.max(...wordWidths(name));
  return 1.4 * Math.max(width + SIDES, linesOf(name, width) * NAME_LINE + NAME_MARGIN) ** 2;
}

/** The font size at which the longest word fits, px. */
const nameSizeOf = (name: string, { width }: Tile): number =>
  Math.max(8, Math.min(11, (11 * (width - SIDES)) / Math.max(...wordWidths(name))));

/** A sector's tile, px. */
export type SectorTile = {
  name: string;
  tile: Tile;
  /** Height of the name, which has the change below it if they do not fit on one line. */
  nameHeight: number;
  nameSize: number;
  /** The largest stocks, and one tile without a code for the others. */
  stocks: { code: string | null; tile: Tile }[];
};

type Part = { code: string | null; size: number };

function nameHeightOf(name: string, { width, height }: Tile): number {
  const own = linesOf(name, width - SIDES) * NAME_LINE + NAME_MARGIN;
  const fits = name.length * LETTER_WIDTH + CHANGE_WIDTH <= width;
  return fits || height < own + CHANGE_HEIGHT + STOCKS_HEIGHT ? own : own + CHANGE_HEIGHT;
}

const wordWidths = (name: string): number[] => name.split(' ').map(({ length }) => length * LETTER_WIDTH);

/** The number of lines that the words need. */
function linesOf(name: string, width: number): number {
  let lines = 1;
  let at = 0;
  for (const length of wordWidths(name)) {
    if (at > 0 && at + length > width) {
      lines += 1;
      at = 0;
    }
    at += length + LETTER_WIDTH;
  }
  return lines;
}

function stockTiles(
  sector: SectorFigures,
  largest: readonly MapStock[],
  tile: Tile,
  nameHeight: number,
): SectorTile['stocks'] {
  if (tile.width < MIN_WIDTH || tile.height < nameHeight + STOCKS_HEIGHT) return [];
  const shown = largest.reduce((sum, { marketCap }) => sum + marketCap, 0);
  const parts = [
    ...largest.map(({ code, marketCap }): Part => ({ code, size: marketCap })),
    { code: null, size: Math.max(0, sector.marketCap - shown) },
  ].sort((a, b) => b.size - a.size);
  const tiles = treemap(
    parts.map(({ size }) => size),
    tile.width,
    tile.height - nameHeight,
  );
  return parts.flatMap(({ code, size }, place) => {
    const one = tiles[place];
    return one && size > 0 ? [{ code, tile: { ...one, top: one.top + nameHeight } }] : [];
  });
}

/**
 * A tile per sector by market cap, with its largest stocks. A small one is large enough for its name.
 * @param sectors largest first; a sector without a market cap gets no tile
 */
export function mapLayout(
  sectors: readonly SectorFigures[],
  largest: Readonly<Record<string, readonly MapStock[]>>,
  width: number,
  height: number,
): SectorTile[] {
  const total = sectors.reduce((sum, { marketCap }) => sum + Math.max(0, marketCap), 0);
  const shown = sectors
    .filter(({ marketCap }) => marketCap > 0)
    .map((sector) => {
      const area = (sector.marketCap / total) * width * height;
      return { sector, size: Math.max(area, nameArea(sector.name)) };
    })
    .sort((a, b) => b.size - a.size);
  const tiles = treemap(
    shown.map(({ size }) => size),
    width,
    height,
  );
  return shown.flatMap(({ sector }, place) => {
    const tile = tiles[place];
    if (!tile) return [];
    const { name } = sector;
    const nameHeight = nameHeightOf(name, tile);
    const stocks = stockTiles(sector, largest[name] ?? [], tile, nameHeight);
    return [{ name, tile, nameHeight, nameSize: nameSizeOf(name, tile), stocks }];
  });
}

/** The members of a map in any order. The layout depends on these and on sizes, which change little within a minute. */
export const membersOf = (
  sectors: readonly SectorFigures[],
  largest: Readonly<Record<string, readonly MapStock[]>>,
): string =>
  sectors
    .map(
      ({ name }) =>
        `${name}: ${(largest[name] ?? [])
          .map(({ code }) => code)
          .sort()
          .join(' ')}`,
    )
    .sort()
    .join('\n');
