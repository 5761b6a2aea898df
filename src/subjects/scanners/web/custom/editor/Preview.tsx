import { type ReactNode, useMemo } from 'react';
import type { ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { cellText } from '#subjects/scanners/rules/cellText.ts';
import { passesFilters, type ScannerFilters } from '#subjects/scanners/rules/filters.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { Column } from '#subjects/scanners/rules/columns.ts';
import { useArriving, useMatches } from '#subjects/conditions/web/shared/useMatches.ts';
import { countText } from '../countText.ts';
import { useOperandColumns } from '../useOperandColumns.ts';
import { useListedMatches } from '../useListedMatches.ts';
import './Preview.css';
import { operandsOf } from '#subjects/conditions/rules/condition.ts';

type PreviewProps = {
  /** Keeps its identity while the conditions stay the same. */
  logic: Logic;
  /** Whose stocks it looks at, the same object while it stays the same. */
  lists: ScanLists | null;
  stocks: ReadonlyMap<string, Stock>;
  /** The scanner's filters, and the Sydney date that they take for today. */
  filters: ScannerFilters;
  today: string;
};

const MAX_ROWS = 6;

/** By value traded today, the highest first; by code where it is the same or missing. */
const mostTraded = (stocks: Iterable<Stock>): Stock[] =>
  [...stocks]
    .sort((a, b) => (b.value ?? -1) - (a.value ?? -1) || (a.code < b.code ? -1 : 1))
    .slice(0, MAX_ROWS);

/** How many match, and the values that the conditions read: of the matches, or of the most traded when none match. */
export function Preview({ logic, lists, stocks, filters, today }: PreviewProps): ReactNode {
  const { matches } = useListedMatches(useMatches(logic, stocks), lists);
  const operands = useMemo(() => operandsOf(logic), [logic]);
  const columns = useOperandColumns(operands);
  const isPartial = useArriving(operands, stocks);
  if (logic.conditions.length === 0 || matches === null) return null;
  const found = [...matches].flatMap((code) => stocks.get(code) ?? []);
  const shown = found.filter((stock) => passesFilters(stock, filters, today)).length;
  const rows = mostTraded(found.length > 0 ? found : stocks.values());
  return (
    <section className="preview" aria-label="What the scan finds now">
      <p className="preview-count">
        <strong>{countText({ matches: matches.size, total: stocks.size, shown, isPartial })}</strong>
        {found.length === 0 && rows.length > 0 && (
          <span className="muted">The most traded stocks, to compare</span>
        )}
        {found.length > MAX_ROWS && <span className="muted">The most traded of them</span>}
      </p>
      <PreviewTable columns={columns} rows={rows} />
    </section>
  );
}

function PreviewTable({ columns, rows }: { columns: readonly Column[]; rows: readonly Stock[] }): ReactNode {
  return (
    <div className="preview-scroll" tabIndex={0} role="region" aria-label="Values of the conditions">
      <table>
        <thead>
          <tr>
            <th scope="col">Code</th>
            {columns.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((stock) => (
            <tr key={stock.code}>
              <th scope="row">{stock.code}</th>
              {columns.map((column) => (
                <td key={column.id}>{cellText(column, stock)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
