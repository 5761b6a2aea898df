import {
  type ReactNode,
  useEffect,
  useState,
  type PointerEvent,
  type RefObject,
  useId,
  useMemo,
} from 'react';
import type { QuoteLink } from '#market/rules/quoteSite.ts';
import { type ScannerFilters, passesFilters } from '#market/scanners/rules/filters.ts';
import { type ScannerKey, SCANNERS, type Sort } from '#market/scanners/rules/scanners.ts';
import {
  type HistoryDay,
  changesAnswer,
  daysAnswer,
  historyAnswer,
  type HistoryRows,
} from '../../answers/history.ts';
import { MINUTE_MS } from '#lib/units.ts';
import { historyHours } from '#subjects/scanners/rules/history.ts';
import {
  historyTablesOf,
  type HistoryTable as Table,
  scannerOf,
  historyTitle,
  HISTORY_FIELDS,
  historyStock,
} from '#market/scanners/rules/historyTables.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import { NativeSelect, RangeInput } from '#ui/Field.tsx';
import { marketEpoch } from '#web/live/marketEpoch.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { counted, formatTime, formatDate } from '#texts/format.ts';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { fromSydney } from '#lib/sydneyTime.ts';
import { phasesOf } from '#market/rules/sessionClock.ts';
import { NETWORK_ERROR, readerOf, request } from '#web/api/client.ts';
import { defaultColumns } from '#market/scanners/rules/columns.ts';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { DataTable } from '#ui/table/DataTable.tsx';
import { tableColumns } from '../tableColumns.tsx';
import { ExportedTable } from '../parts/ExportedTable.ts';
import type { ExportedTables } from '../parts/MoreMenu.tsx';
import type { Stock } from '#market/rules/stock.ts';

const loadDays = () => request('GET /api/data/tape/days', { read: readerOf(daysAnswer) });

/** @param time HH:MM in Sydney */
const loadHistory = (table: Table, date: string, time: string) =>
  request('GET /api/data/tape', { query: { table, date, time }, read: readerOf(historyAnswer) });

/** Loads the changes in the minutes before a moment; null for now. */
const loadChanges = (table: Table, moment: { date: string; time: string } | null) =>
  request('GET /api/data/tape/changes', { query: { table, ...moment }, read: readerOf(changesAnswer) });

/** Delay before a request while the slider moves, ms. */
const HAND_PAUSE_MS = 120;

/** Stocks in the order of the answer; null for those that filters hide. */
function stocksOf(table: Table, rows: HistoryRows, filters: ScannerFilters): (Stock | null)[] {
  // The scanner history has no news, so filters by news are ignored.
  const allowed = { ...filters, newsOnly: false, sensitiveOnly: undefined };
  return rows.codes.map((code, index) => {
    const name = { code, name: rows.names[index] ?? code, isFund: rows.funds[index] ?? false };
    const values = HISTORY_FIELDS[table].map((field) => rows.values[field]?.[index] ?? null);
    const stock = historyStock(table, name, values);
    return code !== '' && passesFilters(stock, allowed, '') ? stock : null;
  });
}

type HistoryTableProps = {
  table: Table;
  date: string;
  /** Epoch ms. */
  time: number;
  filters: ScannerFilters;
  isNarrow: boolean;
  quoteLink: QuoteLink;
  exported: RefObject<ExportedTables>;
};

const codeOf = (row: ScannerRow): string => row.code;

/** The default columns without flashes, because nearly everything differs from minute to minute. */
function useStillColumns({ table, isNarrow, quoteLink }: HistoryTableProps) {
  const scanner = scannerOf(table);
  return useMemo(
    () =>
      tableColumns({ scanner, columns: defaultColumns(scanner), isNarrow, quoteLink, today: '' }).map(
        (column) => ({ ...column, flashes: false }),
      ),
    [scanner, isNarrow, quoteLink],
  );
}

/** @param asked time of day in Sydney, HH:MM */
function useHistoryRows({ table, date, filters }: HistoryTableProps, asked: string) {
  const { data, ...loading } = useLoaded(
    () => loadHistory(table, date, asked),
    'The history could not be loaded. Try again.',
    { of: `${table} ${date} ${asked} ${marketEpoch.value ?? ''}`, pauseMs: HAND_PAUSE_MS },
  );
  const rows = useMemo(
    () => (data === null ? [] : stocksOf(table, data.rows, filters).filter((row) => row !== null)),
    [table, data, filters],
  );
  return { ...loading, data, rows };
}

function HistoryTable(props: HistoryTableProps): ReactNode {
  const { table, date, time, filters } = props;
  const asked = formatTime(time);
  const { data, isCurrent, error, reload, rows } = useHistoryRows(props, asked);
  const [sort, setSort] = useState<Sort>(SCANNERS[scannerOf(table)].defaultSort);
  const columns = useStillColumns(props);
  const recorded = data?.time ?? null;
  const title = `${historyTitle(table)} at ${asked}`;
  if (error !== null) return <Failure onRetry={() => void reload()}>{error}</Failure>;
  return (
    <section className="tape-table stack gap-0" aria-label={title} aria-busy={!isCurrent}>
      <DataTable
        label={title}
        columns={columns}
        rows={rows}
        rowId={codeOf}
        sort={sort}
        onSort={setSort}
        resetKey={`${date} ${recorded} ${JSON.stringify(filters)}`}
        epoch={`${date} ${recorded}`}
        loading={data === null}
        isPrimary={table !== 'preOpenSnapshot'}
        heading={({ newestRows }) => (
          <TableHead
            table={table}
            count={data === null ? null : rows.length}
            asked={asked}
            shown={isCurrent && recorded !== null ? formatTime(recorded) : asked}
          >
            <ExportedTable tables={props.exported} title={title} columns={columns} rows={newestRows} />
          </TableHead>
        )}
        empty={<EmptyState>{emptyText(recorded, asked, data?.rows.codes.length ?? 0)}</EmptyState>}
      />
    </section>
  );
}

const Failure = ({ children, onRetry }: { children: string; onRetry(): void }): ReactNode => (
  <Banner variant="error" action={<Button onClick={onRetry}>Retry</Button>}>
    {children}
  </Banner>
);

type TableHeadProps = {
  table: Table;
  /** Number of rows; null before they are known. */
  count: number | null;
  /** Requested and shown minute, HH:MM. */
  asked: string;
  shown: string;
  children: ReactNode;
};

function TableHead({ table, count, asked, shown, children }: TableHeadProps): ReactNode {
  const Title = table === 'preOpenSnapshot' ? 'h2' : 'h1';
  return (
    <header className="tape-table-head row muted table-text">
      <Title>{historyTitle(table)}</Title>
      <span>{count === null ? 'Loading…' : counted(count, 'stock')}</span>
      {count !== null && children}
      {shown !== asked && (
        <span>
          Nothing recorded at {asked}. Showing {shown}
        </span>
      )}
    </header>
  );
}

function emptyText(recorded: number | null, asked: string, kept: number): string {
  if (recorded === null) return `Nothing recorded at ${asked}. Choose a time in the bright part of the line.`;
  return kept > 0
    ? `The filters hide all ${counted(kept, 'stock')} of that minute.`
    : 'No stock was in this scanner at that minute.';
}

type HistoryChangesProps = {
  table: Table;
  /** The moment before which changes are listed; null for now. */
  moment: { date: string; time: number } | null;
  filters: ScannerFilters;
};

/** Error if the server could not be reached; the reason is shown next to it. */
const UNREAD = 'Entered and left could not be loaded. Try again.';

/** Reload interval of a live view, ms. */
const LIVE_REFRESH_MS = 20_000;

type Changes = Awaited<ReturnType<typeof loadChanges>>;

const changesOf = (table: Table, { rows, times, entered }: Changes, filters: ScannerFilters) =>
  stocksOf(table, rows, filters).flatMap((stock, index) =>
    stock === null ? [] : [{ stock, time: times[index] ?? 0, isEntered: entered[index] ?? false, index }],
  );

function HistoryChanges({ table, moment, filters }: HistoryChangesProps): ReactNode {
  const id = useId();
  const date = moment?.date;
  const time = moment && formatTime(moment.time);
  const { data, error, reload } = useLoaded(
    () => loadChanges(table, date !== undefined && time ? { date, time } : null),
    UNREAD,
    {
      of: `${table} ${date} ${time} ${marketEpoch.value ?? ''}`,
      pauseMs: HAND_PAUSE_MS,
      everyMs: moment === null ? LIVE_REFRESH_MS : undefined,
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
    // The list scrolls, so the keyboard must be able to reach it.
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

/** A date without the year: 'Friday 20 November'. */
const dayText = (date: string): string => formatDate(date).replace(/ \d{4}$/, '');

/** A label on the day's line; `at` is its position, 0 to 1. */
type TrackMark = { at: number; text: string };

const PHASES: Readonly<Record<string, string>> = {
  'pre-open': 'Pre-open',
  open: 'Open',
  'pre-cspa': 'Close',
};

function phaseMarks(date: string): TrackMark[] {
  const hours = historyHours(date);
  if (!hours) return [];
  return phasesOf(date).flatMap(({ phase, since }) => {
    const name = PHASES[phase];
    if (name === undefined) return [];
    // The open is at 9:59:45, commonly called ten o'clock, so round up.
    const time = formatTime(Math.ceil(since / MINUTE_MS) * MINUTE_MS);
    return [{ at: (since - hours.from) / (hours.to - hours.from), text: `${name} ${time}` }];
  });
}

/** Whether this minute, or one of the four before it, was recorded. */
const isRecorded = ({ spans }: HistoryDay, time: number): boolean =>
  spans.some(({ from, to }) => time >= from && time <= to + 4 * MINUTE_MS);

type DayTrackProps = {
  /** 'Today', 'Friday 20 November'. */
  label: string;
  day: HistoryDay;
  /** The chosen minute, epoch ms; null for a minute of another day, or live. */
  time: number | null;
  onChoose(time: number): void;
};

const percent = (share: number): string => `${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`;

function DayTrack(props: DayTrackProps): ReactNode {
  const { label, day, time } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const hours = historyHours(day.date);
  if (!hours) return null;
  const length = hours.to - hours.from;
  const minutes = Math.round(length / MINUTE_MS);
  const shareOf = (at: number) => (at - hours.from) / length;
  const point = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(width > 0 ? Math.min(1, Math.max(0, (clientX - left) / width)) : null);
  };
  return (
    <div className="day-track" data-chosen={time !== null || undefined}>
      <span className="day-track-label muted table-text">{label}</span>
      <div className="day-track-line" onPointerMove={point} onPointerLeave={() => setPointed(null)}>
        {day.spans.map(({ from, to }) => (
          <span
            key={from}
            className="day-track-recorded"
            style={{ left: percent(shareOf(from)), width: percent(Math.max(0.002, (to - from) / length)) }}
          />
        ))}
        <MinuteSlider {...props} from={hours.from} minutes={minutes} />
        {pointed !== null && (
          <span
            className="day-track-pointed small rounded on-raised"
            style={{ left: percent(pointed) }}
            aria-hidden="true"
          >
            {formatTime(hours.from + Math.round(pointed * minutes) * MINUTE_MS)}
          </span>
        )}
        <PhaseMarks date={day.date} />
      </div>
    </div>
  );
}

type MinuteSliderProps = DayTrackProps & {
  /** Start of the line, epoch ms. */
  from: number;
  minutes: number;
};

function MinuteSlider({ label, day, time, onChoose, from, minutes }: MinuteSliderProps): ReactNode {
  const last = day.spans.at(-1)?.to ?? from;
  const value = Math.round(((time ?? last) - from) / MINUTE_MS);
  const shown = formatTime(from + value * MINUTE_MS);
  return (
    <RangeInput
      min={0}
      max={minutes}
      step={1}
      value={value}
      aria-label={`Scanner history: ${label}`}
      aria-valuetext={isRecorded(day, from + value * MINUTE_MS) ? shown : `${shown}, nothing recorded`}
      onChange={(event) => onChoose(from + event.target.valueAsNumber * MINUTE_MS)}
    />
  );
}

function PhaseMarks({ date }: { date: string }): ReactNode {
  return (
    <span className="day-track-marks" aria-hidden="true">
      {phaseMarks(date).map(({ at, text }) => (
        <span key={text} style={{ left: percent(at) }}>
          {text}
        </span>
      ))}
    </span>
  );
}

/** Sydney date, YYYY-MM-DD, and epoch ms. */
type Moment = { date: string; time: number };

function PastBar({ moment, onChoose }: { moment: Moment; onChoose(moment: Moment | null): void }): ReactNode {
  const { date, time } = moment;
  const move = (minutes: number) => onChoose({ date, time: time + minutes * MINUTE_MS });
  const type = (text: string) => {
    const [hour, minute] = text.split(':').map(Number);
    if (hour === undefined || minute === undefined || Number.isNaN(hour + minute)) return;
    onChoose({ date, time: fromSydney(date, hour, minute) });
  };
  return (
    <div className="past-bar">
      <Banner
        variant="warn"
        action={<Steps time={time} move={move} type={type} onBack={() => onChoose(null)} />}
      >
        Scanner at <b>{formatTime(time)}</b> on {dayText(date)}. Not live.
      </Banner>
    </div>
  );
}

type StepsProps = { time: number; move(minutes: number): void; type(text: string): void; onBack(): void };

function Steps({ time, move, type, onBack }: StepsProps): ReactNode {
  return (
    <span className="cluster gap-1">
      <IconButton label="A minute earlier" onClick={() => move(-1)}>
        <ChevronLeft size={16} aria-hidden />
      </IconButton>
      <input
        type="time"
        className="input"
        aria-label="Time in Sydney"
        value={formatTime(time)}
        onChange={(event) => type(event.target.value)}
      />
      <IconButton label="A minute later" onClick={() => move(1)}>
        <ChevronRight size={16} aria-hidden />
      </IconButton>
      <Button variant="primary" onClick={onBack}>
        Back to now
      </Button>
    </span>
  );
}

type HistoryPanelProps = Omit<HistoryTableProps, 'table' | 'date' | 'time'> & {
  scanner: ScannerKey;
  /** Date of the live session, YYYY-MM-DD. */
  today: string;
  /** Called when a past minute replaces the live tables, and when it ends. */
  onPast(isPast: boolean): void;
};

const REFRESH_MS = 60_000;

function usePastMoment(onPast: HistoryPanelProps['onPast']) {
  const [moment, setMoment] = useState<Moment | null>(null);
  const isPast = moment !== null;
  useEffect(() => {
    onPast(isPast);
    // Closing the panel returns to the live tables.
    return () => onPast(false);
  }, [isPast, onPast]);
  return [moment, setMoment] as const;
}

export function HistoryPanel({ scanner, filters, onPast, today, ...shared }: HistoryPanelProps): ReactNode {
  const { data, error, reload } = useLoaded(loadDays, 'The history could not be loaded. Try again.', {
    of: marketEpoch.value ?? '',
    pauseMs: HAND_PAUSE_MS,
    everyMs: REFRESH_MS,
  });
  const [moment, setMoment] = usePastMoment(onPast);
  const tables = historyTablesOf(scanner);
  const [first] = tables;
  if (first === undefined) return null;
  const hasFailed = error !== null && data === null;
  return (
    <>
      <div
        className="tape-panel stack gap-1"
        role="group"
        aria-label="History"
        data-past={moment !== null || undefined}
      >
        {hasFailed ? (
          <Banner variant="error" action={<Button onClick={() => void reload()}>Retry</Button>}>
            {error}
          </Banner>
        ) : data === null ? (
          <p className="muted" role="status">
            Loading history…
          </p>
        ) : (
          <Days days={data.days} today={today} moment={moment} onChoose={setMoment} />
        )}
        {/* If the rows failed, this would fail for the same reason and repeat the message. */}
        {!hasFailed && <HistoryChanges table={first} moment={moment} filters={filters} />}
        <p className="muted small">
          History keeps each minute for stocks with at least $5,000 traded, in the default columns. Your
          filters apply, except news filters.{filters.gaps === 'down' && ' Only gap ups are kept.'}
        </p>
      </div>
      {moment && <PastBar moment={moment} onChoose={setMoment} />}
      {moment &&
        tables.map((table) => (
          <HistoryTable key={table} table={table} {...moment} filters={filters} {...shared} />
        ))}
    </>
  );
}

type DaysProps = {
  days: readonly HistoryDay[];
  today: string;
  moment: Moment | null;
  onChoose(moment: Moment): void;
};

function Days({ days, today, moment, onChoose }: DaysProps): ReactNode {
  const earlier = days.filter(({ date }) => date !== today);
  const [chosen, setChosen] = useState<string | null>(null);
  const day = earlier.find(({ date }) => date === chosen) ?? earlier[0];
  /** Shows a day at the chosen time of day; without one, at its last recorded minute. */
  const chooseDay = (date: string) => {
    setChosen(date);
    const last = days.find((one) => one.date === date)?.spans.at(-1)?.to;
    const time = moment ? fromSydney(date, 0, 0) + moment.time - fromSydney(moment.date, 0, 0) : last;
    if (time !== undefined) onChoose({ date, time });
  };
  const track = (one: HistoryDay, label: string) => (
    <DayTrack
      key={one.date}
      label={label}
      day={one}
      time={moment?.date === one.date ? moment.time : null}
      onChoose={(time) => onChoose({ date: one.date, time })}
    />
  );
  return (
    <>
      {track(
        days.find(({ date }) => date === today) ?? { date: today, spans: [] },
        `Today, ${dayText(today)}`,
      )}
      {day ? (
        track(day, dayText(day.date))
      ) : (
        <p className="muted small">No earlier days yet. Today appears here tomorrow.</p>
      )}
      {earlier.length > 1 && day && (
        <NativeSelect
          label="Earlier day"
          value={day.date}
          options={earlier.map(({ date }) => ({ id: date, label: dayText(date) }))}
          onChoose={chooseDay}
        />
      )}
    </>
  );
}
