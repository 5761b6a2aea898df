import type { ReactNode } from 'react';
import './PageTable.css';

type PageTableProps = {
  label: string;
  /** The block that its own styles name. */
  block: 'watch-table' | 'listed-alerts';
  isLoading: boolean;
  children: ReactNode;
};

/** A section whose table is as tall as its rows, on a page that scrolls. */
export function PageTable({ label, block, isLoading, children }: PageTableProps): ReactNode {
  return (
    <section className={`page-table ${block}`} aria-label={label} data-loading={isLoading || undefined}>
      {children}
    </section>
  );
}
