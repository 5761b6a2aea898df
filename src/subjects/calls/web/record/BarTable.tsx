import type { CSSProperties, ReactNode } from 'react';
import type { Direction } from '../../../../../web/ui/Trend.tsx';
import './BarTable.css';

export type BarRow = {
  label: string;
  /** What the bar is as long as; its sign does not count. */
  value: number;
  /** One for each heading after the first. */
  texts: readonly ReactNode[];
  tone: Direction;
};

type BarTableProps = { title: string; note?: string; head: readonly string[]; rows: readonly BarRow[] };

/** Numbers as a table in which each row has a bar: the picture and what is read out are the same. */
export function BarTable({ title, note, head, rows }: BarTableProps): ReactNode {
  const longest = Math.max(...rows.map(({ value }) => Math.abs(value)), 1e-9);
  return (
    <section className="bar-table">
      <h3>{title}</h3>
      {note !== undefined && <p className="bar-table-note">{note}</p>}
      <table>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            {head.map((text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, value, texts, tone }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {texts.map((text, index) => (
                <td key={head[index + 1]} className="is-number">
                  {text}
                </td>
              ))}
              <td className="bar-table-bar" aria-hidden="true">
                {value !== 0 && (
                  <span
                    className={`is-${tone}`}
                    style={{ '--share': Math.abs(value) / longest } as CSSProperties}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
