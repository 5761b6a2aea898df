import type { ReactNode, Ref } from 'react';
import './ChangeTints.css';

/**
 * The tints of changed cells, under the rows: two shapes that `useChangeFlash` draws and lets fade. Stands in the
 * table's scroller, before the table. It says nothing that the texts don't say, so it is hidden from screen readers.
 */
export function ChangeTints({ ref }: { ref: Ref<SVGSVGElement> }): ReactNode {
  return (
    <svg ref={ref} className="table-tints" aria-hidden="true" focusable="false">
      <path className="table-tints-up" />
      <path className="table-tints-down" />
    </svg>
  );
}
