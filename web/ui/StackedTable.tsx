import type { ReactNode, Ref } from 'react';

type StackedTableProps = {
  className?: string;
  /** Name for screen readers; omitted if there is a heading next to the table. */
  label?: string;
  isBusy?: boolean;
  ref?: Ref<HTMLTableElement>;
  /**
   * `thead` and `tbody`. Cells with numbers have the class `is-number`; each cell except the row's `th` names its
   * heading in `data-heading`.
   */
  children: ReactNode;
};

export const StackedTable = ({ className, label, isBusy = false, ref, children }: StackedTableProps) => (
  <table ref={ref} className={`stacked-table ${className ?? ''}`.trimEnd()} aria-busy={isBusy}>
    {label !== undefined && <caption className="visually-hidden">{label}</caption>}
    {children}
  </table>
);
