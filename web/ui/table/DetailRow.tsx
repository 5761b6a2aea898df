import type { ReactNode } from 'react';
import './DetailRow.css';

export type DetailRowProps = {
  id: string;
  /** Its line in the body, from 0. */
  index: number;
  /** px from the top of the body. */
  start: number;
  /** How many columns it covers. */
  span: number;
  /** Of what is in sight, px. */
  width: number;
  measure(element: HTMLElement | null): void;
  children: ReactNode;
};

/** The panel open under a row; as wide as what is in sight, as tall as its content. */
export function DetailRow({ id, index, start, span, width, measure, children }: DetailRowProps): ReactNode {
  return (
    <tr
      ref={measure}
      role="row"
      className="table-detail"
      aria-rowindex={index + 2}
      data-detail={id}
      style={{ transform: `translateY(${start}px)` }}
    >
      <td role="gridcell" className="table-detail-cell" colSpan={span} aria-colspan={span}>
        <div className="table-detail-content" style={{ width }}>
          {children}
        </div>
      </td>
    </tr>
  );
}
