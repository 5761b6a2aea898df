import { type ReactNode, useEffect, useState } from 'react';
import type { QuoteLink } from '../../../../market/rules/quoteLink.ts';
import type { ScannerFilters } from '../../rules/filters.ts';
import type { ScannerKey } from '../../rules/scanners.ts';
import type { TapeDay } from '../../rules/tape/tape.ts';
import { tapeTablesOf } from '../../rules/tape/tapeTables.ts';
import { Banner } from '../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../web/ui/Button.tsx';
import { NativeSelect } from '../../../../../web/ui/NativeSelect.tsx';
import { loadDays } from './api.ts';
import { DayTrack } from './DayTrack.tsx';
import { type Moment, PastBar } from './PastBar.tsx';
import { TapeChanges } from './TapeChanges.tsx';
import './TapePanel.css';
import { TapeTable } from './TapeTable.tsx';
import { dayText } from './tapeText.ts';
import { useDebouncedFetch } from './useDebouncedFetch.ts';

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

/** The tape of a scanner: a line a day to choose a minute on, who entered and left, and the tables of that minute. */
export function TapePanel({ scanner, filters, onPast, today, ...shared }: TapePanelProps): ReactNode {
  const { data, error, retry } = useDebouncedFetch(
    'days',
    loadDays,
    'The tape could not be loaded. Try again.',
    REFRESH_MS,
  );
  const [moment, setMoment] = useState<Moment | null>(null);
  const isPast = moment !== null;
  useEffect(() => {
    onPast(isPast);
    // Closing the panel is the way back too.
    return () => onPast(false);
  }, [isPast, onPast]);
  const tables = tapeTablesOf(scanner);
  const [first] = tables;
  if (first === undefined) return null;
  const hasFailed = error !== null && data === null;
  return (
    <>
      <div className="tape-panel" role="group" aria-label="Tape" data-past={isPast || undefined}>
        {hasFailed ? (
          <Banner variant="error" action={<Button onClick={retry}>Retry</Button>}>
            {error}
          </Banner>
        ) : data === null ? (
          <p role="status">Loading the tape…</p>
        ) : (
          <Days days={data.days} today={today} moment={moment} onChoose={setMoment} />
        )}
        {/* It would fail for the same reason, and say so beside the sentence above. */}
        {!hasFailed && <TapeChanges table={first} moment={moment} filters={filters} />}
        <p className="tape-note">
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
        <p className="tape-note">No earlier days yet. Today appears here tomorrow.</p>
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
