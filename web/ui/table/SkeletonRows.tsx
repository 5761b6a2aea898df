import type { ReactNode } from 'react';
import { cellClass } from './TableRow.tsx';
import type { TableColumn } from './types.ts';
import type { CellStyle } from './widths.ts';

const COUNT = 40;

type SkeletonRowsProps<Row> = {
  columns: readonly TableColumn<Row>[];
  styles: readonly CellStyle[];
  hasExpander: boolean;
};

/** Rows without data, where the first ones will be. */
export function SkeletonRows<Row>({ columns, styles, hasExpander }: SkeletonRowsProps<Row>): ReactNode {
  const offset = hasExpander ? 1 : 0;
  return (
    <tbody className="table-body is-skeleton" aria-hidden="true">
      {Array.from({ length: COUNT }, (_, line) => (
        <tr key={line} className="table-row is-skeleton">
          {hasExpander && <td className="cell is-expander is-pinned" style={styles[0]} />}
          {columns.map((column, index) => (
            <td key={column.id} className={cellClass(column)} style={styles[index + offset]}>
              <span className="bone" style={{ width: `${45 + ((line * 7 + index * 13) % 40)}%` }} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
