import { useMemo } from 'react';
import type { Column } from '#market/scanners/rules/columns.ts';
import type { QuoteLink } from '#market/rules/quoteSite.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { shownColumns, withColumns } from '../rules/shownColumns.ts';
import type { MarketView } from '#web/shared/scannerRequests.ts';
import type { TableColumn } from '#ui/table/types.ts';
import { viewColumns } from './marketViews.ts';
import { tableColumns } from './tableColumns.tsx';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';

export type ScannerColumnsInput = {
  scanner: ScannerKey;
  /** The user's layout of this table; undefined shows the default one. */
  layout: unknown;
  /** Columns after those of the layout. */
  moreColumns: readonly Column[];
  view: MarketView | null;
  isNarrow: boolean;
  quoteLink: QuoteLink;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
};

/** The columns of a scanner's tables; the same array until one of the inputs changes. */
export function useScannerColumns(input: ScannerColumnsInput): readonly TableColumn<ScannerRow>[] {
  const { scanner, layout, moreColumns, view, isNarrow, quoteLink, today } = input;
  const shown = useMemo(() => {
    const own = withColumns(shownColumns(scanner, layout), moreColumns);
    return view ? viewColumns(view, own) : own;
  }, [scanner, layout, moreColumns, view]);
  return useMemo(
    () => tableColumns({ scanner, columns: shown, isNarrow, quoteLink, today }),
    [scanner, shown, isNarrow, quoteLink, today],
  );
}
