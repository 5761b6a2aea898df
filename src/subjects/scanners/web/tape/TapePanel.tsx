import { type ReactNode, useEffect, useState, type PointerEvent } from 'react';
import type { QuoteLink } from '#market/rules/quoteSite.ts';
import type { ScannerFilters } from '#market/scanners/rules/filters.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import type { TapeDay } from '#subjects/scanners/answers/tape.ts';
import { MINUTE_MS, tapeHours } from '#subjects/scanners/rules/tape.ts';
import { tapeTablesOf } from '#market/scanners/rules/tapeTables.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import { NativeSelect, RangeInput } from '#ui/Field.tsx';
import { HAND_PAUSE_MS, loadDays } from './api.ts';
import { TapeChanges } from './TapeChanges.tsx';
import { TapeTable } from './TapeTable.tsx';
import { marketEra } from '#web/live/marketEra.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { formatTime, formatDate } from '#texts/format.ts';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { fromSydney } from '#market/rules/sydneyTime.ts';
import { phasesOf } from '#market/rules/sessionClock.ts';

/** 'Friday 20 November'. */
const dayText = (date: string): string => formatDate(date).replace(/ \d{4}$/, '');

/** A moment on a day's line: how far along it stands, 0 to 1, and what it is called. */
type TrackMark = { at: number; text: string };

const PHASES: Readonly<Record<string, string>> = {
  'pre-open': 'Pre-open',
  open: 'Open',
  'pre-cspa': 'Close',
};

/** Where the phases of a day begin on its line. */
function phaseMarks(date: string): TrackMark[] {
  const hours = tapeHours(date);
  if (!hours) return [];
  return phasesOf(date).flatMap(({ phase, since }) => {
    const name = PHASES[phase];
    if (name === undefined) return [];
    // The open is at 9:59:45: people call it ten.
    const time = formatTime(Math.ceil(since / MINUTE_MS) * MINUTE_MS);
    return [{ at: (since - hours.from) / (hours.to - hours.from), text: `${name} ${time}` }];
  });
}

/** Whether a minute was recorded, or one not much before it. */
const isRecorded = ({ spans }: TapeDay, time: number): boolean =>
  spans.some(({ from, to }) => time >= from && time <= to + 4 * MINUTE_MS);

type DayTrackProps = {
  /** 'Today', 'Friday 20 November'. */
  label: string;
  day: TapeDay;
  /** The minute that is shown, epoch ms; null when it is of another day, or live. */
  time: number | null;
  onChoose(time: number): void;
};

const percent = (share: number): string => `${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`;

/** One day as a line from the pre-open to the close: where it was recorded, and a slider along it. */
function DayTrack(props: DayTrackProps): ReactNode {
  const { label, day, time } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const hours = tapeHours(day.date);
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
  /** Where the line begins, epoch ms. */
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
      aria-label={`Show the scanner as it stood: ${label}`}
      aria-valuetext={isRecorded(day, from + value * MINUTE_MS) ? shown : `${shown}, nothing was recorded`}
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

/** A minute of a session: its Sydney date, YYYY-MM-DD, and epoch ms. */
type Moment = { date: string; time: number };

type PastBarProps = { moment: Moment; onChoose(moment: Moment | null): void };

/** Says that the tables are not live, moves by minutes, and leads back. */
function PastBar({ moment, onChoose }: PastBarProps): ReactNode {
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
        As it stood at <b>{formatTime(time)}</b> on {dayText(date)}. Not live.
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

export type TapePanelProps = {
  scanner: ScannerKey;
  filters: ScannerFilters;
  isNarrow: boolean;
  quoteLink: QuoteLink;
  /** The date of the session that is shown live, YYYY-MM-DD. */
  today: string;
  /** Whether a past minute stands in the place of the live tables. */
  onPast(isPast: boolean): void;
};

const REFRESH_MS = 60_000;

/** The minute that is shown; null for now. */
function usePastMoment(onPast: TapePanelProps['onPast']) {
  const [moment, setMoment] = useState<Moment | null>(null);
  const isPast = moment !== null;
  useEffect(() => {
    onPast(isPast);
    // Closing the panel is the way back too.
    return () => onPast(false);
  }, [isPast, onPast]);
  return [moment, setMoment] as const;
}

/** The tape of a scanner: a line a day to choose a minute on, who entered and left, and the tables of that minute. */
export function TapePanel({ scanner, filters, onPast, today, ...shared }: TapePanelProps): ReactNode {
  const { data, error, reload } = useLoaded(loadDays, 'The tape could not be loaded. Try again.', {
    of: marketEra.value ?? '',
    pauseMs: HAND_PAUSE_MS,
    everyMs: REFRESH_MS,
  });
  const [moment, setMoment] = usePastMoment(onPast);
  const tables = tapeTablesOf(scanner);
  const [first] = tables;
  if (first === undefined) return null;
  const hasFailed = error !== null && data === null;
  return (
    <>
      <div
        className="tape-panel stack gap-1"
        role="group"
        aria-label="Tape"
        data-past={moment !== null || undefined}
      >
        {hasFailed ? (
          <Banner variant="error" action={<Button onClick={() => void reload()}>Retry</Button>}>
            {error}
          </Banner>
        ) : data === null ? (
          <p className="muted" role="status">
            Loading the tape…
          </p>
        ) : (
          <Days days={data.days} today={today} moment={moment} onChoose={setMoment} />
        )}
        {/* It would fail for the same reason, and say so beside the sentence above. */}
        {!hasFailed && <TapeChanges table={first} moment={moment} filters={filters} />}
        <p className="muted small">
          The tape keeps every minute of the stocks that traded at least $5,000, in the default columns. Your
          filters apply, except those for news{filters.gaps === 'down' && '; only gaps up are kept'}.
        </p>
      </div>
      {moment && <PastBar moment={moment} onChoose={setMoment} />}
      {moment &&
        tables.map((table) => (
          <TapeTable key={table} table={table} {...moment} filters={filters} {...shared} />
        ))}
    </>
  );
}

type DaysProps = {
  days: readonly TapeDay[];
  today: string;
  moment: Moment | null;
  onChoose(moment: Moment): void;
};

/** Today and an earlier day, at first the last one. */
function Days({ days, today, moment, onChoose }: DaysProps): ReactNode {
  const earlier = days.filter(({ date }) => date !== today);
  const [chosen, setChosen] = useState<string | null>(null);
  const day = earlier.find(({ date }) => date === chosen) ?? earlier[0];
  const track = (one: TapeDay, label: string) => (
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
          onChoose={setChosen}
        />
      )}
    </>
  );
}
