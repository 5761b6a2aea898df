import { type KeyboardEvent, memo, type ReactNode, useCallback, useRef, useState } from 'react';
import { formatNumber } from '#texts/format.ts';
import { SIDE_LABELS } from '#market/scanners/rules/filters.ts';
import { trendClass, Trend } from '#ui/Trend.tsx';
import { useElementWidth } from '#ui/table/useElementWidth.ts';
import type { SectorFigures } from '../rules/totals.ts';
import type { OverviewFigures } from '../rules/aggregator.ts';
import type { MapStock } from '../rules/lists.ts';
import { changeText, moneyText, strengthOf, type Way, wayOf } from '../rules/overviewText.ts';
import { mapLayout, membersOf, type SectorTile, type Tile } from '../rules/mapLayout.ts';
import { showStock } from '#web/windows/stockPane.ts';
import ChevronRight from 'lucide-react/icons/chevron-right';

type Key = { key: string; altKey: boolean; ctrlKey: boolean; metaKey: boolean };

/** Step of a key, among all tiles or only among those of sectors. */
const STEPS: Readonly<Record<string, { by: 1 | -1; amongSectors: boolean }>> = {
  ArrowRight: { by: 1, amongSectors: false },
  ArrowLeft: { by: -1, amongSectors: false },
  ArrowDown: { by: 1, amongSectors: true },
  ArrowUp: { by: -1, amongSectors: true },
};

/**
 * The tile that a key moves to: left and right the next tile, up and down the next sector, Home and End the first and
 * last tile.
 * @returns null if the key has no target
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

type MapProps = { map: NonNullable<OverviewFigures['map']>; onShow(sector: string): void };

/** Height of the map, px. */
const HEIGHT = 560;
/** Minimum size of a tile with text, px; smaller ones only have a label and a title. */
const MIN_TEXT = { width: 40, height: 16 };
/** Width at which a stock's change fits, px. */
const CHANGE_WIDTH = 66;

/**
 * Minimum time for which a layout stays, ms, unless other stocks appear: it should be readable, and costs as much as
 * everything else.
 */
const STILL_MS = 60_000;

/** The layout of the map, updated once a minute, and when the width or the stocks change. */
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

/** A map of sectors by market cap and change. Tab stops once; the arrows move between tiles. */
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
  const { name, tile, nameHeight, nameSize, stocks } = one;
  const changes = new Map(largest.map(({ code, change }) => [code, change]));
  return (
    <div className="sector-tile" style={tile}>
      <SectorName
        name={name}
        size={nameSize}
        width={tile.width}
        height={stocks.length > 0 ? nameHeight : tile.height}
        isAlone={stocks.length === 0}
        onShow={onShow}
        {...textsOf(sector.change)}
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
            {...textsOf(changes.get(code) ?? null)}
            {...place}
          />
        ),
      )}
    </div>
  );
}

/** The texts of a tile; while they are equal, it is not drawn again. */
type TileTexts = { text: string; way: Way; strength: number };

const textsOf = (change: number | null): TileTexts => ({
  text: changeText(change),
  way: wayOf(change),
  strength: strengthOf(change),
});

type SectorNameProps = TileTexts & {
  name: string;
  /** The font size of the name, px. */
  size: number;
  label: string;
  width: number;
  height: number;
  /** True for a tile without stocks. */
  isAlone: boolean;
  isStop: boolean;
  onShow(sector: string): void;
};

const SectorName = memo(function SectorName(props: SectorNameProps): ReactNode {
  const { name, size, text, way, strength, label, width, height, isAlone, isStop, onShow } = props;
  const hasName = width >= MIN_TEXT.width && height >= MIN_TEXT.height;
  return (
    <button
      type="button"
      className={`sector-name full-width tone-${way}`}
      data-strength={strength}
      data-tile={name}
      data-sector=""
      style={{ height }}
      aria-label={`${label}. Show in the scanner`}
      title={label}
      tabIndex={isStop ? 0 : -1}
      onClick={() => onShow(name)}
    >
      {hasName && (
        <span className="sector-words" style={{ fontSize: size }}>
          {name}
        </span>
      )}{' '}
      {!isAlone && <span className={`nowrap ${trendClass(way)}`}>{text}</span>}
    </button>
  );
});

type StockTileProps = Tile & TileTexts & { code: string; sector: string; isStop: boolean };

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

export type SectorLabels = { up: string; down: string; value: string };

/** Headings of the figures, which are of match prices before the open. */
export const sectorLabels = (byMatchPrice: boolean): SectorLabels =>
  byMatchPrice
    ? { up: SIDE_LABELS.gappingUp, down: SIDE_LABELS.gappingDown, value: 'Match Value' }
    : { up: SIDE_LABELS.advancers, down: SIDE_LABELS.decliners, value: 'Traded' };

type SectorTableProps = {
  map: NonNullable<OverviewFigures['map']>;
  labels: SectorLabels;
  onShow(sector: string): void;
};

export function SectorTable({ map, labels, onShow }: SectorTableProps): ReactNode {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string) =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(name)) next.add(name);
      return next;
    });
  return (
    <table className="sector-table market-table">
      <caption className="visually-hidden">Sectors, the largest by market cap first</caption>
      <thead>
        <tr>
          <th scope="col">Sector</th>
          <th scope="col">Change</th>
          {[labels.up, labels.down, 'Market Cap', labels.value].map((label) => (
            <th key={label} scope="col" className="sector-wide">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      {map.sectors.map((sector) => (
        <Sector
          key={sector.name}
          sector={sector}
          onShow={onShow}
          largest={map.largest[sector.name] ?? []}
          isOpen={open.has(sector.name)}
          onToggle={() => toggle(sector.name)}
        />
      ))}
    </table>
  );
}

/** Maximum length of a bar, px, and the change that fills it, percent. */
const BAR = 48;
const FULL = 3;

type SectorProps = {
  sector: SectorFigures;
  largest: readonly MapStock[];
  isOpen: boolean;
  onToggle(): void;
  onShow(sector: string): void;
};

function Sector({ sector, largest, isOpen, onToggle, onShow }: SectorProps): ReactNode {
  const { name, change, advancers, decliners, marketCap, value } = sector;
  return (
    <tbody>
      <tr>
        <th scope="row">
          <span className="cluster gap-0">
            <button
              type="button"
              className="sector-opener center muted"
              aria-expanded={isOpen}
              aria-label={`Largest stocks of ${name}`}
              onClick={onToggle}
            >
              <ChevronRight className="chevron" size={14} aria-hidden />
            </button>
            <button
              type="button"
              className="market-stock ellipsis"
              title="Show in the scanner"
              onClick={() => onShow(name)}
            >
              {name}
            </button>
          </span>
        </th>
        <td>
          <ChangeBar change={change} />
        </td>
        <td className="sector-wide">{formatNumber(advancers, 0)}</td>
        <td className="sector-wide">{formatNumber(decliners, 0)}</td>
        <td className="sector-wide">{moneyText(marketCap)}</td>
        <td className="sector-wide">{moneyText(value)}</td>
      </tr>
      {isOpen && largest.map((stock) => <StockRow key={stock.code} stock={stock} />)}
    </tbody>
  );
}

function StockRow({ stock: { code, name, change, marketCap } }: { stock: MapStock }): ReactNode {
  return (
    <tr className="sector-stock">
      <th scope="row">
        <button type="button" className="market-stock ellipsis" onClick={() => showStock(code)}>
          <b>{code}</b> <span className="muted small">{name}</span>
        </button>
      </th>
      <td>
        <ChangeBar change={change} />
      </td>
      <td className="sector-wide" />
      <td className="sector-wide" />
      <td className="sector-wide">{moneyText(marketCap)}</td>
      <td className="sector-wide" />
    </tr>
  );
}

function ChangeBar({ change }: { change: number | null }): ReactNode {
  return (
    <span className="cluster gap-0 justify-end">
      <span
        className={`change-fill ${wayOf(change)}`}
        style={{ width: (Math.min(Math.abs(change ?? 0), FULL) / FULL) * BAR }}
        aria-hidden="true"
      />
      <Trend direction={wayOf(change)}>{changeText(change)}</Trend>
    </span>
  );
}
