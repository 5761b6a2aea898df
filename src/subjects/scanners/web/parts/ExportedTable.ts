import { type RefObject, useEffect } from 'react';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';
import type { TableColumn } from '#ui/table/tableModel.ts';
import type { ExportedTables } from './MoreMenu.tsx';

type ExportedTableProps = {
  tables: RefObject<ExportedTables>;
  title: string;
  columns: readonly TableColumn<ScannerRow>[];
  rows(): readonly ScannerRow[];
};

/** Offers a table in the filter bar's menu while mounted, as sorted and filtered when it is chosen. */
export function ExportedTable({ tables, title, columns, rows }: ExportedTableProps): null {
  useEffect(() => {
    tables.current.set(title, ({ ofColumns }) => ofColumns(columns, rows()));
  });
  useEffect(() => {
    const { current } = tables;
    return () => void current.delete(title);
  }, [tables, title]);
  return null;
}
