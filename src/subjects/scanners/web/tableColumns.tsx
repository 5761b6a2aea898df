import { type Column, type ColumnKind, DAY_COLUMN, toneOf } from '#market/scanners/rules/columns.ts';
import { newestHeadline } from '#market/rules/announcements.ts';
import { haltOf } from '#market/rules/stockState.ts';
import { type QuoteLink, quoteLinkUrl } from '#market/rules/quoteSite.ts';
import { cellText } from '#market/scanners/rules/cellText.ts';
import { SCANNERS, type ScannerKey } from '#market/scanners/rules/scanners.ts';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';
import type { TableColumn } from '#ui/table/tableModel.ts';
import { LateDayCell, nameCellIn, newsOf, SurplusCell } from '#subjects/stock/web/shared/cells.tsx';
import { useMemo } from 'react';
import { shownColumns, withColumns } from '../rules/shownColumns.ts';
import type { MarketView } from '#web/shared/scannerRequests.ts';
import { viewColumns } from './scannerPreferences.ts';

type TableColumnsInput = {
  scanner: ScannerKey;
  columns: readonly Column[];
  /** True on phones: the name cell has only the code, followed by the pinned metric. */
  isNarrow: boolean;
  quoteLink: QuoteLink;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
};

type Widths = { width: number; maxWidth: number };

const WIDTHS: Readonly<Record<ColumnKind, Widths>> = {
  name: { width: 216, maxWidth: 520 },
  text: { width: 148, maxWidth: 200 },
  price: { width: 76, maxWidth: 116 },
  percent: { width: 84, maxWidth: 116 },
  pips: { width: 72, maxWidth: 104 },
  volume: { width: 116, maxWidth: 156 },
  money: { width: 116, maxWidth: 160 },
  ratio: { width: 76, maxWidth: 112 },
  indicator: { width: 88, maxWidth: 120 },
};

const MARKET_CAP: Widths = { width: 132, maxWidth: 164 };
const DAY: Widths = { width: 108, maxWidth: 132 };
const NARROW_NAME: Widths = { width: 86, maxWidth: 86 };
const NARROW_METRIC: Widths = { width: 84, maxWidth: 84 };

function widthsOf(column: Column, isNarrow: boolean, isMetric: boolean): Widths {
  if (isNarrow && column.kind === 'name') return NARROW_NAME;
  if (isNarrow && isMetric) return NARROW_METRIC;
  if (column.width !== undefined) return { width: column.width, maxWidth: column.width };
  if (column.id === 'marketCap') return MARKET_CAP;
  if (column.id === DAY_COLUMN.id) return DAY;
  return column.kind === 'indicator' ? indicatorWidths(column.label) : WIDTHS[column.kind];
}

/** Wide enough for the whole label, because its end distinguishes similar indicators. */
function indicatorWidths(label: string): Widths {
  const width = Math.min(260, Math.max(WIDTHS.indicator.width, Math.round(label.length * 6.6) + 30));
  return { width, maxWidth: width + 24 };
}

function metricSecond(columns: readonly Column[], metricId: string): readonly Column[] {
  const isPinned = (column: Column) => column.kind === 'name' || column.id === metricId;
  const first = columns.filter((column) => column.kind === 'name');
  const metric = columns.filter((column) => column.id === metricId);
  return [...first, ...metric, ...columns.filter((column) => !isPinned(column))];
}

/** Limit of cached texts per column. */
const MAX_TEXTS = 2000;

/** Formats numbers with a cache, because formatting costs about twenty lookups. */
function textWriter(column: Column): (row: ScannerRow) => string {
  const texts = new Map<number, string>();
  return (row) => {
    const value = column.value(row);
    if (typeof value !== 'number') return cellText(column, row);
    let text = texts.get(value);
    if (text === undefined) {
      text = cellText(column, row);
      if (texts.size >= MAX_TEXTS) texts.clear();
      texts.set(value, text);
    }
    return text;
  };
}

function componentOf(column: Column): TableColumn<ScannerRow>['render'] {
  if (column.id === DAY_COLUMN.id) return (row) => <LateDayCell stock={row} />;
  if (column.id === 'buy_surplus')
    return (row) => <SurplusCell row={row}>{cellText(column, row)}</SurplusCell>;
  return undefined;
}

const nameWriter =
  ({ quoteLink, today, isNarrow }: TableColumnsInput): TableColumn<ScannerRow>['draw'] =>
  (cell) => {
    const write = nameCellIn(cell);
    return (row, inTabOrder) =>
      write({
        code: row.code,
        name: row.name,
        note: haltOf(row),
        url: quoteLinkUrl(quoteLink, row.code),
        news: newsOf(row, today),
        headline: newestHeadline(row, today),
        isShort: isNarrow,
        inTabOrder,
      });
  };

/** In a spreadsheet, code and name are separate columns. */
const CODE_AND_NAME: TableColumn<ScannerRow>['exported'] = [
  { label: 'Code', value: ({ code }) => code },
  { label: 'Name', value: ({ name }) => name },
];

/** Call it in a memo, because a new array means new columns. */
export function tableColumns(input: TableColumnsInput): TableColumn<ScannerRow>[] {
  const { scanner, columns, isNarrow } = input;
  const metricId = SCANNERS[scanner].metric.id;
  return (isNarrow ? metricSecond(columns, metricId) : columns).map((column) => {
    const isName = column.kind === 'name';
    const isMetric = column.id === metricId;
    return {
      id: column.id,
      label: column.label,
      title: column.kind === 'indicator' ? column.label : undefined,
      numeric: column.numeric,
      flashes: column.flashes,
      isLong: column.kind === 'text' || undefined,
      ...widthsOf(column, isNarrow, isMetric),
      read: column.value,
      text: textWriter(column),
      tone: column.colour === 'plain' ? undefined : (row) => toneOf(column, row),
      pinned: isName || (isNarrow && isMetric),
      isRowHeader: isName,
      draw: isName ? nameWriter(input) : undefined,
      render: componentOf(column),
      exported: isName ? CODE_AND_NAME : undefined,
    };
  });
}

type ScannerColumnsInput = {
  scanner: ScannerKey;
  /** Saved layout; undefined for the default one. */
  layout: unknown;
  moreColumns: readonly Column[];
  view: MarketView | null;
  isNarrow: boolean;
  quoteLink: QuoteLink;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
};

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
