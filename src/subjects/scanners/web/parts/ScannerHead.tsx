import type { ReactNode } from 'react';
import { formatDate, formatNumber } from '#texts/format.ts';
import type { HeadingState } from '#ui/table/DataTable.tsx';
import type { ScannerRow } from '#subjects/scanners/rules/membership.ts';
import { screenReaderSummary } from '../screenReaderSummary.ts';
import { useScreenReaderSummary } from '../useScreenReaderSummary.ts';
import type { ScannerTableProps } from './ScannerTable.tsx';
import { TakeButton } from '#web/shared/take/TakeButton.tsx';

/** What a screen reader is told of the table, once a minute. */
export function Summary(props: ScannerTableProps & HeadingState<ScannerRow>): ReactNode {
  const { sort, resetKey, count } = props;
  const chosen = `${sort.id} ${sort.desc} ${count === 0} ${resetKey}`;
  const summary = useScreenReaderSummary(props.isLoading, chosen, () =>
    screenReaderSummary({ ...props, rows: props.newestRows() }),
  );
  return (
    <p className="visually-hidden" role="status">
      {summary}
    </p>
  );
}

const openLeftText = (codes: readonly string[]): string =>
  codes.length === 1
    ? `${codes[0]} no longer belongs here; it goes when you close it`
    : `${codes.join(', ')} no longer belong here; they go when you close them`;

/** The title, how many rows the table below has, and whether its order is paused. */
export function Head(props: ScannerTableProps & HeadingState<ScannerRow>): ReactNode {
  const { title, note, count, pausedChip, openLeft, isLoading, isPrimary, isFolded, today } = props;
  const Title = isPrimary ? 'h1' : 'h2';
  return (
    <header className="scanner-head">
      <Title className="scanner-title">{title}</Title>
      {!isFolded && (
        <span className="scanner-count">
          {isLoading ? 'Loading…' : `${formatNumber(count, 0)} ${count === 1 ? 'stock' : 'stocks'}`}
        </span>
      )}
      {openLeft.length > 0 && <span className="scanner-note">{openLeftText(openLeft)}</span>}
      {note && <span className="scanner-note">{note}</span>}
      {isFolded && (
        <span className="scanner-count scanner-none">
          <span>No results yet</span> · <span>{formatDate(today)}</span>
        </span>
      )}
      {!isFolded && !isLoading && (
        <TakeButton label={title} columns={props.columns} rows={props.newestRows} />
      )}
      {pausedChip}
    </header>
  );
}
