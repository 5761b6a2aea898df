import type { ReactNode, Ref } from 'react';

type StackedTableProps = {
  className?: string;
  /** Names the table for assistive technology; left out where a heading beside it does. */
  label?: string;
  isBusy?: boolean;
  ref?: Ref<HTMLTableElement>;
  /** `thead` and `tbody`. Cells of numbers have the class `is-number`; each cell but the row's own `th` names its heading in
   * `data-heading`. */
  children: ReactNode;
};

/** A small table, all of whose rows are there; on a phone each row is a block of lines. */
export const StackedTable = ({ className, label, isBusy = false, ref, children }: StackedTableProps) => (
  <table ref={ref} className={`stacked-table ${className ?? ''}`.trimEnd()} aria-busy={isBusy}>
    {label !== undefined && <caption className="visually-hidden">{label}</caption>}
    {children}
  </table>
);
