import type { ReactNode, Ref } from 'react';

type StackedTableProps = {
  className?: string;
  /** For assistive technology; omitted with a heading next to the table. */
  label?: string;
  isBusy?: boolean;
  ref?: Ref<HTMLTableElement>;
  /**
   * `thead` and `tbody`. Numeric cells have the class `is-number`; each cell except the row's `th` names its heading
   * in `data-heading`.
   */
  children: ReactNode;
};

export const StackedTable = ({ className, label, isBusy = false, ref, children }: StackedTableProps) => (
  <table ref={ref} className={`stacked-table ${className ?? ''}`.trimEnd()} aria-busy={isBusy}>
    {label !== undefined && <caption className="visually-hidden">{label}</caption>}
    {children}
  </table>
);
