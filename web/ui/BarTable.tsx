import type { CSSProperties, ReactNode } from 'react';
import type { Direction } from './Trend.tsx';

export type BarRow = {
  label: string;
  /** The bar's length; its sign is ignored. */
  value: number;
  /** One text per heading after the first. */
  texts: readonly ReactNode[];
  tone: Direction;
};

type BarTableProps = { title: string; note?: string; head: readonly string[]; rows: readonly BarRow[] };

/** A table with a bar per row, so that sighted users and screen readers get the same data. */
export function BarTable({ title, note, head, rows }: BarTableProps): ReactNode {
  const longest = Math.max(...rows.map(({ value }) => Math.abs(value)), 1e-9);
  return (
    <section className="stack gap-1 min-w-0">
      <h3>{title}</h3>
      {note !== undefined && <p className="muted small">{note}</p>}
      <table className="data-table full-width">
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            {head.map((text, index) => (
              <th key={text} scope="col" className={index > 0 ? 'is-number' : undefined}>
                {text}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BarLine key={row.label} row={row} head={head} share={Math.abs(row.value) / longest} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** @param share length of the bar, 0 to 1 */
function BarLine({ row, head, share }: { row: BarRow; head: readonly string[]; share: number }): ReactNode {
  return (
    <tr>
      <th scope="row">{row.label}</th>
      {row.texts.map((text, index) => (
        <td key={head[index + 1]} className="is-number">
          {text}
        </td>
      ))}
      <td className="bar-table-bar" aria-hidden="true">
        {share !== 0 && <span className={row.tone} style={{ '--share': share } as CSSProperties} />}
      </td>
    </tr>
  );
}
