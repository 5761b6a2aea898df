import { type Column, type ColumnKind, DAY_COLUMN, toneOf } from '#market/scanners/rules/columns.ts';
import { hasNewsIcon, hasSensitiveNews, newestHeadline } from '#market/rules/announcements.ts';
import { haltOf } from '#market/rules/halted.ts';
import { type QuoteLink, quoteLinkUrl } from '#market/rules/quoteSite.ts';
import { cellText } from '#market/scanners/rules/cellText.ts';
import { SCANNERS, type ScannerKey } from '#market/scanners/rules/scanners.ts';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';
import type { TableColumn } from '#ui/table/types.ts';
import { LateDayCell, nameCellIn, SurplusCell } from '#subjects/stock/web/shared/cells.tsx';

export type TableColumnsInput = {
  scanner: ScannerKey;
  /** What is shown, in order. */
  columns: readonly Column[];
  /** Phone width: the name cell shows the code alone, and the metric is pinned behind it. */
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

/** An indicator's label ends with its parameters and timeframe, which tell two of them apart: it must fit. */
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

/** A column keeps this many texts of numbers. */
const MAX_TEXTS = 2000;

/** Writes a column's cells; prices come again and again, and to write one again costs as much as twenty looks. */
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

const newsOf = (row: ScannerRow, today: string): 'none' | 'plain' | 'sensitive' =>
  hasSensitiveNews(row, today) ? 'sensitive' : hasNewsIcon(row, today) ? 'plain' : 'none';

/** The component in a column's cells; undefined where React renders none. */
function componentOf(column: Column): TableColumn<ScannerRow>['render'] {
  if (column.id === DAY_COLUMN.id) return (row) => <LateDayCell stock={row} />;
  if (column.id === 'buy_surplus')
    return (row) => <SurplusCell row={row}>{cellText(column, row)}</SurplusCell>;
  return undefined;
}

/** Writes the cells of the name column. */
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

/** What the one column says is two to sort a spreadsheet by. */
const CODE_AND_NAME: TableColumn<ScannerRow>['taken'] = [
  { label: 'Code', value: ({ code }) => code },
  { label: 'Name', value: ({ name }) => name },
];

/** A scanner's columns as the table draws them. Make them in a memo: the table takes a new array for new columns. */
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
      taken: isName ? CODE_AND_NAME : undefined,
    };
  });
}
