import type { ReactNode } from 'react';
import type { ColumnLayout } from './columnLayout.ts';
import { cellClass } from './cellClass.ts';
import './TableSkeleton.css';

const COUNT = 40;

/** % of its cell, so that the bars look like texts. */
const barWidth = (line: number, index: number): number => 45 + ((line * 7 + index * 13) % 40);

/** Rows without data, where the first ones will be. */
export function TableSkeleton<Row>({ layout }: { layout: ColumnLayout<Row> }): ReactNode {
  return (
    <tbody className="table-body" aria-hidden="true">
      {Array.from({ length: COUNT }, (_, line) => (
        <tr key={line} className="table-row is-skeleton">
          {layout.expander && <td className="cell is-expander is-pinned" style={layout.expander} />}
          {layout.shown.map(({ column, style }, index) => (
            <td key={column.id} className={cellClass(column)} style={style}>
              <span className="table-skeleton-bar" style={{ width: `${barWidth(line, index)}%` }} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
