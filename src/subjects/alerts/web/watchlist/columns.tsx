import { UNTIL_OPEN_REASON, untilOpenText } from '#subjects/alerts/rules/alertState.ts';
import { toTarget, type WatchTable } from '#subjects/alerts/rules/watchlist.ts';
import { DASH, formatSigned } from '#texts/format.ts';
import { hasNewsIcon, hasSensitiveNews, newestHeadline } from '#market/rules/announcements.ts';
import { haltOf } from '#market/rules/halted.ts';
import { type QuoteLink, quoteLinkUrl } from '#market/rules/quoteSite.ts';
import type { Stock } from '#market/rules/stock.ts';
import { cellText } from '#market/scanners/rules/cellText.ts';
import { BASE_COLUMNS, type Column, DAY_COLUMN, toneOf } from '#market/scanners/rules/columns.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { sessionPhase } from '#web/live/marketHours.ts';
import type { TableColumn } from '#ui/table/types.ts';
import { NameCell } from '#subjects/stock/web/shared/cells/NameCell.tsx';
import { LateDayCell } from '#subjects/stock/web/shared/day/LateDayCell.tsx';
import type { WatchRow } from './rows.ts';
import SunriseIcon from 'lucide-react/icons/sunrise';
import TriangleAlertIcon from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import XIcon from 'lucide-react/icons/x';

type RemoveButtonProps = {
  symbol: string;
  /** Its icon alone. */
  isShort: boolean;
  isBusy: boolean;
  inTabOrder: boolean;
  onRemove(): void;
};

/** Takes a symbol off the watchlist. */
function RemoveButton({ symbol, isShort, isBusy, inTabOrder, onRemove }: RemoveButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="remove-button tool is-quiet"
      aria-label={`Remove ${symbol}`}
      title={`Remove ${symbol} from the watchlist`}
      disabled={isBusy}
      tabIndex={inTabOrder ? 0 : -1}
      onClick={onRemove}
    >
      {isShort ? <XIcon size={16} aria-hidden /> : 'Remove'}
    </button>
  );
}

// Made once: a line of a table that shows another row draws its mark again.
const UNSAVED = (
  <TriangleAlertIcon className="warn-text" size={14} role="img" aria-label="An alert is not saved" />
);

/** '2', '1 until the open', '3, 1 until the open': how many alerts a symbol has, and how many of them are on until the open. */
function alertsText({ alerts, untilOpen }: Pick<WatchRow, 'alerts' | 'untilOpen'>): string {
  if (untilOpen === 0) return String(alerts);
  const when = untilOpenText(sessionPhase.value);
  return untilOpen === alerts ? `${alerts} ${when}` : `${alerts}, ${untilOpen} ${when}`;
}

/** The alerts of a symbol, and whether one of them waits for its owner to be saved. */
function AlertsCell({ row, isShort }: { row: WatchRow; isShort: boolean }): ReactNode {
  const text = alertsText(row);
  return (
    <span className="cluster gap-1 justify-end" title={row.untilOpen > 0 ? UNTIL_OPEN_REASON : undefined}>
      {row.isUnsaved && UNSAVED}
      {isShort && row.untilOpen > 0 ? (
        <>
          <SunriseIcon className="warn-text" size={14} role="img" aria-label={text} />
          <span aria-hidden>{row.alerts}</span>
        </>
      ) : (
        text
      )}
    </span>
  );
}

export type WatchColumnsInput = {
  table: WatchTable;
  /** Phone width: the code without the company's name, a Remove button without its text. */
  isNarrow: boolean;
  quoteLink: QuoteLink;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
  /** Whether a symbol of the list has a target, and a note: the columns stand there then. */
  hasTargets: boolean;
  hasNotes: boolean;
  /** Whether an alert of the list is on until the open, which its count says. */
  hasUntilOpen: boolean;
  onRemove(row: WatchRow): void;
};

/** The figures of each table (specification, section 2.7), by the scanner that has them too. */
const FIGURES: Readonly<Record<WatchTable, { scanner: ScannerKey; ids: readonly string[] }>> = {
  preOpen: { scanner: 'preMarket', ids: ['match_price', 'close', 'match_value'] },
  trading: { scanner: 'intraDaySmall', ids: ['change_percent', 'last', 'close', 'relativeVolume'] },
};

const figuresOf = (table: WatchTable): readonly Column[] => {
  const { scanner, ids } = FIGURES[table];
  return ids.flatMap((id) => BASE_COLUMNS[scanner].find((column) => column.id === id) ?? []);
};

const figure = (column: Column): TableColumn<WatchRow> => ({
  id: column.id,
  label: column.label,
  numeric: true,
  flashes: column.flashes,
  width: column.kind === 'money' ? 110 : 78,
  maxWidth: column.kind === 'money' ? 190 : 150,
  read: ({ stock }) => stock && column.value(stock),
  text: ({ stock }) => (stock ? cellText(column, stock) : DASH),
  tone: column.colour === 'plain' ? undefined : ({ stock }) => stock && toneOf(column, stock),
});

/** On a phone there is no room for it, and before the open nothing to draw. */
const DAY: TableColumn<WatchRow> = {
  ...figure(DAY_COLUMN),
  width: 108,
  maxWidth: 132,
  render: ({ stock }) => stock && <LateDayCell stock={stock} />,
};

const percentToTarget = ({ stock, item }: WatchRow): number | null => toTarget(stock, item.target);

/** The nearest stand together, on whichever side they are. */
const TO_TARGET: TableColumn<WatchRow> = {
  id: 'to_target',
  label: 'To target',
  title: 'How far the price has to go to the target, percent',
  numeric: true,
  flashes: false,
  width: 86,
  maxWidth: 130,
  read: (row) => {
    const percent = percentToTarget(row);
    return percent === null ? null : Math.abs(percent);
  },
  text: (row) => {
    const percent = percentToTarget(row);
    return percent === null ? DASH : `${formatSigned(percent, 1)}%`;
  },
  taken: [
    { label: 'Target', value: ({ item }) => item.target },
    { label: 'To target %', value: percentToTarget },
  ],
};

const NOTE: TableColumn<WatchRow> = {
  id: 'note',
  label: 'Note',
  numeric: false,
  flashes: false,
  isLong: true,
  width: 140,
  maxWidth: 320,
  read: ({ item }) => item.note?.toLowerCase() ?? null,
  text: ({ item }) => item.note ?? '',
  render: ({ item }) => item.note !== null && <span title={item.note}>{item.note}</span>,
};

const newsOf = (stock: Stock | null, today: string): 'none' | 'plain' | 'sensitive' => {
  if (stock === null) return 'none';
  return hasSensitiveNews(stock, today) ? 'sensitive' : hasNewsIcon(stock, today) ? 'plain' : 'none';
};

/** What is to be said of a symbol that does not trade; null for one that does. */
const noteOf = ({ stock, isMissing }: WatchRow, isNarrow: boolean): string | null => {
  if (isMissing) return isNarrow ? 'Gone' : 'Not listed';
  return stock && haltOf(stock);
};

const symbolColumn = ({ isNarrow, quoteLink, today }: WatchColumnsInput): TableColumn<WatchRow> => ({
  id: 'symbol',
  label: 'Symbol',
  numeric: false,
  width: isNarrow ? 92 : 216,
  maxWidth: isNarrow ? 92 : 620,
  read: ({ item }) => item.symbol,
  text: ({ item }) => item.symbol,
  pinned: true,
  isRowHeader: true,
  taken: [
    { label: 'Symbol', value: ({ item }) => item.symbol },
    { label: 'Name', value: ({ stock }) => stock?.name ?? null },
  ],
  render: (row, inTabOrder) => (
    <NameCell
      code={row.item.symbol}
      name={row.stock?.name ?? ''}
      note={noteOf(row, isNarrow)}
      url={row.stock && quoteLinkUrl(quoteLink, row.item.symbol)}
      news={newsOf(row.stock, today)}
      headline={row.stock && newestHeadline(row.stock, today)}
      isShort={isNarrow}
      inTabOrder={inTabOrder}
    />
  ),
});

/** A table's columns. Make them in a memo: the table takes a new array for new columns. */
export const watchColumns = (input: WatchColumnsInput): TableColumn<WatchRow>[] => [
  symbolColumn(input),
  {
    id: 'alerts',
    label: 'Alerts',
    numeric: true,
    flashes: false,
    width: input.isNarrow ? 70 : input.hasUntilOpen ? 182 : 76,
    maxWidth: input.hasUntilOpen ? 220 : 110,
    read: ({ alerts }) => alerts,
    text: alertsText,
    render: (row) => <AlertsCell row={row} isShort={input.isNarrow} />,
  },
  ...figuresOf(input.table).map(figure),
  ...(input.isNarrow || input.table === 'preOpen' ? [] : [DAY]),
  ...(input.hasTargets ? [TO_TARGET] : []),
  ...(input.hasNotes ? [NOTE] : []),
  {
    id: 'remove',
    label: 'Remove',
    isSortable: false,
    numeric: false,
    width: input.isNarrow ? 48 : 96,
    maxWidth: input.isNarrow ? 48 : 96,
    read: () => '',
    text: () => '',
    render: (row, inTabOrder) => (
      <RemoveButton
        symbol={row.item.symbol}
        isShort={input.isNarrow}
        isBusy={row.isRemoving}
        inTabOrder={inTabOrder}
        onRemove={() => input.onRemove(row)}
      />
    ),
  },
];
