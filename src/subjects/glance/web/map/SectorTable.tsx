import ChevronRight from 'lucide-react/icons/chevron-right';
import { type ReactNode, useState } from 'react';
import { formatNumber } from '#texts/format.ts';
import { Trend } from '#ui/Trend.tsx';
import type { SectorFigures } from '#subjects/glance/rules/book.ts';
import type { GlanceTold } from '#subjects/glance/rules/follower.ts';
import { changeText, moneyText, wayOf } from '#subjects/glance/rules/glanceText.ts';
import type { MapStock } from '#subjects/glance/rules/lists.ts';
import { showStock } from '../showInScanner.ts';

type SectorTableProps = { map: NonNullable<GlanceTold['map']>; onShow(sector: string): void };

/** Columns that a phone has no room for. */
const WIDE = ['Advancers', 'Decliners', 'Market Cap', 'Traded'];

/** The sectors with their change as a bar, the largest first; each opens to its largest stocks. */
export function SectorTable({ map, onShow }: SectorTableProps): ReactNode {
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
          {WIDE.map((label) => (
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

/** The longest bar, px, and the change from which on a bar is that long, percent. */
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

/** A change in words, and beside them as a bar. */
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
