import { type CSSProperties, type ReactNode, useMemo } from 'react';
import type { ColumnLayout } from './columnLayout.ts';
import './TableSkeleton.css';

const COUNT = 40;
/** px between a cell's edge and its text. */
const PADDING = 8;

/** The share of its cell that a bar takes, so that the bars look like texts. */
const shareOf = (index: number): number => (45 + ((index * 13) % 40)) / 100;

/** A bar for every column as one background image: an element for each cell would cost a phone a tenth of a second. */
function barsOf<Row extends object>({ shown, expander }: ColumnLayout<Row>): string {
  const stops: string[] = [];
  let left = expander?.width ?? 0;
  for (const [index, { column, style }] of shown.entries()) {
    const bar = (style.width - 2 * PADDING) * shareOf(index);
    const from = column.numeric ? left + style.width - PADDING - bar : left + PADDING;
    stops.push(`#0000 ${from}px`, `var(--raised) ${from}px ${from + bar}px`, `#0000 ${from + bar}px`);
    left += style.width;
  }
  return `linear-gradient(to right, ${stops.join(', ')})`;
}

/** Rows without data, where the first ones will be. */
export function TableSkeleton<Row extends object>({ layout }: { layout: ColumnLayout<Row> }): ReactNode {
  const bars = useMemo(() => barsOf(layout), [layout]);
  return (
    <tbody
      className="table-body table-skeleton"
      style={{ '--bars': bars } as CSSProperties}
      aria-hidden="true"
    >
      {Array.from({ length: COUNT }, (_, line) => (
        <tr key={line} className="table-row is-skeleton">
          <td className="table-skeleton-bars" />
        </tr>
      ))}
    </tbody>
  );
}
