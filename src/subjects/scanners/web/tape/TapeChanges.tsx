import { type ReactNode, useId, useMemo } from 'react';
import { formatTime } from '#texts/format.ts';
import type { ScannerFilters } from '#market/scanners/rules/filters.ts';
import type { TapeTable } from '#market/scanners/rules/tapeTables.ts';
import { NETWORK_ERROR } from '#web/api/client.ts';
import { Button } from '#ui/Button.tsx';
import { HAND_PAUSE_MS, loadChanges } from './api.ts';
import { stocksOf } from './tapeRows.ts';
import { marketEra } from '#web/live/marketEra.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';

type TapeChangesProps = {
  table: TapeTable;
  /** The moment that is shown; null for now. */
  moment: { date: string; time: number } | null;
  filters: ScannerFilters;
};

/** What stands beside it says why, where the server was not reached. */
const UNREAD = 'Entered and left could not be loaded. Try again.';

/** A tape that is watched live is asked for what is new so often. */
const REFRESH_MS = 20_000;

type Changes = Awaited<ReturnType<typeof loadChanges>>;

/** The changes of stocks that the filters let through. */
const changesOf = (table: TapeTable, { rows, times, entered }: Changes, filters: ScannerFilters) =>
  stocksOf(table, rows, filters).flatMap((stock, index) =>
    stock === null ? [] : [{ stock, time: times[index] ?? 0, isEntered: entered[index] ?? false, index }],
  );

/** Who entered and left a scanner in the last minutes before a moment. */
export function TapeChanges({ table, moment, filters }: TapeChangesProps): ReactNode {
  const id = useId();
  const date = moment?.date;
  const time = moment && formatTime(moment.time);
  const { data, error, reload } = useLoaded(
    () => loadChanges(table, date !== undefined && time ? { date, time } : null),
    UNREAD,
    {
      of: `${table} ${date} ${time} ${marketEra.value ?? ''}`,
      pauseMs: HAND_PAUSE_MS,
      everyMs: moment === null ? REFRESH_MS : undefined,
    },
  );
  const changes = useMemo(
    () => (data === null ? [] : changesOf(table, data, filters)),
    [table, data, filters],
  );
  return (
    <section className="tape-changes muted table-text" aria-labelledby={id}>
      <h2 id={id} className="table-text">
        Entered and left {time === null ? 'in the last 15 minutes' : `in the 15 minutes to ${time}`}
      </h2>
      {error !== null ? (
        <p>
          {error === NETWORK_ERROR ? UNREAD : error} <Button onClick={() => void reload()}>Retry</Button>
        </p>
      ) : data === null ? (
        <p>Loading…</p>
      ) : changes.length === 0 ? (
        <p>No stock entered or left.</p>
      ) : (
        <ChangeList changes={changes} headingId={id} />
      )}
      {data?.isCut && <p className="small">Newest {changes.length} shown</p>}
    </section>
  );
}

type ChangeListProps = { changes: ReturnType<typeof changesOf>; headingId: string };

function ChangeList({ changes, headingId }: ChangeListProps): ReactNode {
  return (
    // It scrolls, so the keyboard must reach it.
    <ul tabIndex={0} aria-labelledby={headingId}>
      {changes.map(({ stock, time, isEntered, index }) => (
        <li key={index}>
          <span>{formatTime(time)}</span> <b title={stock.name}>{stock.code}</b>{' '}
          <span className={isEntered ? 'up' : 'down'}>{isEntered ? 'entered' : 'left'}</span>
        </li>
      ))}
    </ul>
  );
}
