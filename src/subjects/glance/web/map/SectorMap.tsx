import { type KeyboardEvent, memo, type ReactNode, useCallback, useRef, useState } from 'react';
import { formatNumber } from '#texts/format.ts';
import { trendClass } from '#ui/Trend.tsx';
import { useElementWidth } from '#ui/table/useElementWidth.ts';
import type { SectorFigures } from '#subjects/glance/rules/book.ts';
import type { GlanceTold } from '#subjects/glance/rules/follower.ts';
import type { MapStock } from '#subjects/glance/rules/lists.ts';
import { changeText, moneyText, strengthOf, type Way, wayOf } from '#subjects/glance/rules/glanceText.ts';
import { mapLayout, membersOf, type SectorTile, type Tile } from '#subjects/glance/rules/mapLayout.ts';
import { showStock } from '../showInScanner.ts';

type Key = { key: string; altKey: boolean; ctrlKey: boolean; metaKey: boolean };

/** How far a key goes among all tiles, or among those of sectors. */
const STEPS: Readonly<Record<string, { by: 1 | -1; amongSectors: boolean }>> = {
  ArrowRight: { by: 1, amongSectors: false },
  ArrowLeft: { by: -1, amongSectors: false },
  ArrowDown: { by: 1, amongSectors: true },
  ArrowUp: { by: -1, amongSectors: true },
};

/**
 * The tile that a key leads to: left and right the next one, up and down that of the next sector, Home and End the first and
 * the last.
 * @returns null for a key that leads nowhere
 */
function tileAfter({ key, altKey, ctrlKey, metaKey }: Key, map: HTMLElement | null): HTMLElement | null {
  if (map === null || altKey || ctrlKey || metaKey) return null;
  const tiles = [...map.querySelectorAll<HTMLElement>('[data-tile]')];
  if (key === 'Home') return tiles[0] ?? null;
  if (key === 'End') return tiles.at(-1) ?? null;
  const step = STEPS[key];
  if (!step) return null;
  const from = tiles.findIndex((tile) => tile === document.activeElement);
  for (let place = from + step.by; place >= 0 && place < tiles.length; place += step.by) {
    const tile = tiles[place];
    if (tile && (!step.amongSectors || 'sector' in tile.dataset)) return tile;
  }
  return null;
}

type MapProps = { map: NonNullable<GlanceTold['map']>; onShow(sector: string): void };

/** px */
const HEIGHT = 560;
/** Smaller tiles say nothing; their names are in their labels and titles. */
const MIN_TEXT = { width: 40, height: 16 };
/** Of a tile whose change fits on a line, and of one whose name fits beside it. */
const CHANGE_WIDTH = 66;
const NAME_WIDTH = 110;

/** Tiles stand still for so long at least, unless other stocks come: a layout is read, and costs as much as all else. */
const STILL_MS = 60_000;

/** The layout: made again once a minute, when the map is as wide as it was not, and when other stocks are on it. */
function useLayout({ sectors, largest }: MapProps['map'], width: number): SectorTile[] {
  const made = useRef<{ members: string; width: number; at: number; layout: SectorTile[] } | null>(null);
  const members = membersOf(sectors, largest);
  const now = performance.now();
  const before = made.current;
  const stands = before?.members === members && before.width === width && now - before.at < STILL_MS;
  if (before && stands) return before.layout;
  const layout = mapLayout(sectors, largest, width, HEIGHT);
  made.current = { members, width, at: now, layout };
  return layout;
}

/**
 * The sectors by market cap and change. A sector's name shows it in the scanner, a stock's tile goes to its row. One stop for
 * Tab; the arrows go from tile to tile.
 */
export function SectorMap({ map, onShow }: MapProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const width = useElementWidth(frame);
  const layout = useLayout(map, width);
  const [active, setActive] = useState('');
  const sectors = new Map(map.sectors.map((sector) => [sector.name, sector]));
  const stop = layout.some(({ name }) => active.startsWith(name)) ? active : (layout[0]?.name ?? '');
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tileAfter(event, frame.current);
    if (next === null) return;
    event.preventDefault();
    setActive(next.dataset['tile'] ?? '');
    next.focus();
  };
  return (
    <div
      ref={frame}
      className="sector-map"
      style={{ height: HEIGHT }}
      role="group"
      aria-label="Map of the sectors by market cap and change; arrow keys go from tile to tile"
      onKeyDown={onKeyDown}
    >
      {layout.map((one) => {
        const sector = sectors.get(one.name);
        return (
          sector && (
            <SectorBlock
              key={one.name}
              one={one}
              sector={sector}
              stop={stop}
              onShow={onShow}
              largest={map.largest[one.name] ?? []}
            />
          )
        );
      })}
    </div>
  );
}

type SectorBlockProps = {
  one: SectorTile;
  sector: SectorFigures;
  largest: readonly MapStock[];
  /** The tile that Tab stops at. */
  stop: string;
  onShow(sector: string): void;
};

function SectorBlock({ one, sector, largest, stop, onShow }: SectorBlockProps): ReactNode {
  const { name, tile, stocks } = one;
  const changes = new Map(largest.map(({ code, change }) => [code, change]));
  return (
    <div className="sector-tile" style={tile}>
      <SectorName
        name={name}
        width={tile.width}
        height={stocks.length > 0 ? null : tile.height}
        onShow={onShow}
        {...saidOf(sector.change)}
        label={`${name} ${changeText(sector.change)}, ${formatNumber(sector.stocks, 0)} stocks, ${moneyText(sector.marketCap)}`}
        isStop={stop === name}
      />
      {stocks.map(({ code, tile: place }) =>
        code === null ? (
          <OtherStocks key="" tile={place} count={sector.stocks - stocks.length + 1} />
        ) : (
          <StockTile
            key={code}
            code={code}
            sector={name}
            isStop={stop === `${name} ${code}`}
            {...saidOf(changes.get(code) ?? null)}
            {...place}
          />
        ),
      )}
    </div>
  );
}

/** What a tile says of a change: tiles that say the same are not drawn again. */
type Said = { text: string; way: Way; strength: number };

const saidOf = (change: number | null): Said => ({
  text: changeText(change),
  way: wayOf(change),
  strength: strengthOf(change),
});

type SectorNameProps = Said & {
  name: string;
  label: string;
  width: number;
  /** Of a tile without stocks, px; null for a line above them. */
  height: number | null;
  isStop: boolean;
  onShow(sector: string): void;
};

const SectorName = memo(function SectorName(props: SectorNameProps): ReactNode {
  const { name, text, way, strength, label, width, height, isStop, onShow } = props;
  return (
    <button
      type="button"
      className={`sector-name cluster gap-1 full-width nowrap tone-${way}`}
      data-strength={strength}
      data-tile={name}
      data-sector=""
      style={height === null ? {} : { height }}
      aria-label={`${label}. Show in the scanner`}
      title={label}
      tabIndex={isStop ? 0 : -1}
      onClick={() => onShow(name)}
    >
      {(width >= NAME_WIDTH || (width < CHANGE_WIDTH && width >= MIN_TEXT.width)) && (
        <span className="ellipsis strong">{name}</span>
      )}{' '}
      {width >= CHANGE_WIDTH && <span className={trendClass(way)}>{text}</span>}
    </button>
  );
});

type StockTileProps = Tile & Said & { code: string; sector: string; isStop: boolean };

const StockTile = memo(function StockTile(props: StockTileProps): ReactNode {
  const { code, sector, text, way, strength, isStop, left, top, width, height } = props;
  const show = useCallback(() => showStock(code), [code]);
  const hasText = width >= MIN_TEXT.width && height >= MIN_TEXT.height;
  return (
    <button
      type="button"
      className={`stock-tile stack gap-0 nowrap tone-${way}`}
      data-strength={strength}
      data-tile={`${sector} ${code}`}
      style={{ left, top, width, height }}
      aria-label={`${code} ${text}`}
      title={`${code} ${text}`}
      tabIndex={isStop ? 0 : -1}
      onClick={show}
    >
      {hasText && <b>{code}</b>}{' '}
      {hasText && height >= 2 * MIN_TEXT.height && width >= CHANGE_WIDTH && (
        <span className={trendClass(way)}>{text}</span>
      )}
    </button>
  );
});

function OtherStocks({ tile, count }: { tile: Tile; count: number }): ReactNode {
  const hasText = tile.width >= 64 && tile.height >= MIN_TEXT.height;
  return (
    <span className="other-stocks center muted" style={tile}>
      {hasText && `${formatNumber(count, 0)} others`}
    </span>
  );
}
