import type { SectorFigures } from './book.ts';
import type { MapStock } from './lists.ts';
import { type Tile, treemap } from './treemap.ts';

/** Of a sector's tile, px: the line with its name; below these sides it has no room for stocks. */
const NAME_HEIGHT = 20;
const MIN_WIDTH = 72;
const MIN_HEIGHT = 52;

/** Where a sector stands on the map, and its stocks in it; px. */
export type SectorTile = {
  name: string;
  tile: Tile;
  /** Of its largest stocks, and of all others together, which have no code. */
  stocks: { code: string | null; tile: Tile }[];
};

type Part = { code: string | null; size: number };

function stockTiles(sector: SectorFigures, largest: readonly MapStock[], tile: Tile): SectorTile['stocks'] {
  if (tile.width < MIN_WIDTH || tile.height < MIN_HEIGHT) return [];
  const shown = largest.reduce((sum, { marketCap }) => sum + marketCap, 0);
  const parts = [
    ...largest.map(({ code, marketCap }): Part => ({ code, size: marketCap })),
    { code: null, size: Math.max(0, sector.marketCap - shown) },
  ].sort((a, b) => b.size - a.size);
  const tiles = treemap(
    parts.map(({ size }) => size),
    tile.width,
    tile.height - NAME_HEIGHT,
  );
  return parts.flatMap(({ code, size }, place) => {
    const one = tiles[place];
    return one && size > 0 ? [{ code, tile: { ...one, top: one.top + NAME_HEIGHT } }] : [];
  });
}

/**
 * The map of a market: a tile for each sector, as large as its market cap, with its largest stocks in it.
 * @param sectors the largest first; one without a market cap has no tile
 * @param width px; @param height px
 */
export function mapLayout(
  sectors: readonly SectorFigures[],
  largest: Readonly<Record<string, readonly MapStock[]>>,
  width: number,
  height: number,
): SectorTile[] {
  const shown = sectors.filter(({ marketCap }) => marketCap > 0);
  const tiles = treemap(
    shown.map(({ marketCap }) => marketCap),
    width,
    height,
  );
  return shown.flatMap((sector, place) => {
    const tile = tiles[place];
    return tile
      ? [{ name: sector.name, tile, stocks: stockTiles(sector, largest[sector.name] ?? [], tile) }]
      : [];
  });
}

/** Who is on the map, in whatever order of size: what a layout hangs on besides the sizes, which change little in a minute. */
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
