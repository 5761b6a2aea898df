import { MINUTE_MS } from '#lib/units.ts';
import './calendar.css';
import {
  type ComponentProps,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  lazy,
  type RefObject,
  Suspense,
} from 'react';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import {
  type CalendarDay,
  dayReader,
  datesIn,
  timeOf,
  isPast,
  isUnderWay,
} from '#market/calendar/rules/days.ts';
import { nextEvent } from '../rules/nextEvent.ts';
import { formatDate } from '#texts/format.ts';
import { addDays } from '#lib/sydneyTime.ts';
import { useActions } from '#web/shared/actions.ts';
import { calendarNow, calendarSpeed, clockKind } from './shared/calendarClock.ts';
import { calendarEvents, isStreamLost, retryLive, streamState } from '#web/live/market.ts';
import { STREAM_FAILED, useLasting, useStreamFailure } from '#web/live/useStreamFailure.ts';
import { Pill } from '#ui/Pill.tsx';
import { useFilterKey } from '#ui/useFilterKey.ts';
import {
  type CalendarDays,
  daysOf,
  calendarState,
  hasMarket,
  source,
  sourceText,
  choices,
  followChoices,
  isChosen,
  choose,
  CURRENCIES,
  IMPACT_CHOICES,
} from './calendarState.ts';
import { DayPanel, DAY_LABELS, DayTabs } from './parts/DayPanel.tsx';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { forgetReminders, loadReminders } from './reminders.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { momentText, periodText, typeText } from './eventTexts.ts';
import { zoneLabel } from '#web/shared/zoneNames.ts';
import { ExportButton } from '#web/shared/export/ExportButton.tsx';
import type { ExportedColumn } from '#ui/table/tableModel.ts';
import { isoInSydney } from '#web/shared/export/isoInSydney.ts';
import { Field, NativeSelect, Toggle } from '#ui/Field.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { type CalendarRow, fetchCompanyEvents } from './companyEvents.ts';
import { zoneOffset } from './timeZones.ts';
import { formatFigure, surpriseOf, SURPRISES } from '../rules/figures.ts';

type Events = ReadonlyMap<string, CalendarEvent>;

/** More figures than this are announced together. */
const MAX_ANNOUNCED = 3;

/** Events that have a figure now and did not have one before. */
export function arrivedFigures(before: Events, after: Events): CalendarEvent[] {
  return [...after.values()].filter((event) => {
    const known = before.get(event.id);
    return known !== event && known?.actual === null && event.actual !== null;
  });
}

function figureSentence(event: CalendarEvent): string {
  const surprise = surpriseOf(event);
  const compared = surprise === null ? '' : `, ${SURPRISES[surprise].text.toLowerCase()}`;
  return `${event.countryCode} ${event.name}: ${formatFigure(event.actual, event)}${compared}.`;
}

export function arrivalWords(events: readonly CalendarEvent[]): string {
  const sentences = events.slice(0, MAX_ANNOUNCED).map(figureSentence);
  const others = events.length - sentences.length;
  return [...sentences, ...(others > 0 ? [`And ${others} more.`] : [])].join(' ');
}

/** Figures within this time (ms) are announced together. */
const GATHER_MS = 1500;
/** Minimum time between announcements to screen readers, ms. */
const PAUSE_MS = 60_000;

type ArrivalsProps = {
  events: ReadonlyMap<string, CalendarEvent>;
  isShown(event: CalendarEvent): boolean;
};

function Arrivals({ events, isShown }: ArrivalsProps): ReactNode {
  const [words, setWords] = useState('');
  const before = useRef(events);
  const waiting = useRef<CalendarEvent[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const announcedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const arrived = arrivedFigures(before.current, events).filter(isShown);
    before.current = events;
    waiting.current.push(...arrived);
    if (waiting.current.length === 0 || timer.current !== undefined) return;
    const pause = announcedAt.current + PAUSE_MS - performance.now();
    timer.current = setTimeout(
      () => {
        timer.current = undefined;
        announcedAt.current = performance.now();
        setWords(arrivalWords(waiting.current));
        waiting.current = [];
      },
      Math.max(GATHER_MS, pause),
    );
  }, [events, isShown]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {words}
    </p>
  );
}

/** Minimum delay for fast clocks, ms. */
const MIN_WAIT_MS = 250;
/** Added to delays, because a timer may fire slightly early; ms. */
const MARGIN_MS = 20;

/** Time until the page may change, ms: the next event, or the next minute, because dates begin with one. */
export function quietMs(events: Events, now: number, speed: number): number {
  let until = now - (now % MINUTE_MS) + MINUTE_MS;
  for (const event of events.values()) {
    const time = timeOf(event);
    if (time !== null && time > now && time < until) until = time;
  }
  return Math.max(MIN_WAIT_MS, (until - now) / Math.max(speed, 1e-3) + MARGIN_MS);
}

/** The date, and how many events are over and under way. While it is equal, nothing needs to be drawn. */
function dayCounts(events: Events, dateAt: (time: number) => string, now: number): string {
  const today = dateAt(now);
  let past = 0;
  let underWay = 0;
  for (const event of events.values()) {
    if (isPast(event, today, now)) past += 1;
    if (isUnderWay(event, now)) underWay += 1;
  }
  return `${today} ${past} ${underWay}`;
}

/**
 * Current time of the calendar's clock, epoch ms. It changes only when an event starts or ends, or a day begins in the
 * zone.
 * @param zone an IANA name
 */
function useCalendarMoment(events: Events, zone: string): number {
  const [moment, setMoment] = useState(calendarNow);
  const kind = clockKind.value;
  useEffect(() => {
    const dateAt = datesIn(zone);
    let timer: ReturnType<typeof setTimeout>;
    const check = () => {
      clearTimeout(timer);
      const now = calendarNow();
      setMoment((shown) =>
        dayCounts(events, dateAt, shown) === dayCounts(events, dateAt, now) ? shown : now,
      );
      timer = setTimeout(check, Math.min(MINUTE_MS, quietMs(events, now, calendarSpeed())));
    };
    check();
    // A sleeping window misses timers, so check when it becomes visible.
    document.addEventListener('visibilitychange', check);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', check);
    };
  }, [events, zone, kind]);
  return moment;
}

const TimeZoneSelect = lazy(async () => ({
  default: (await import('./parts/TimeZoneSelect.tsx')).TimeZoneSelect,
}));

const asOptions = <T extends string>(ids: readonly T[]) => ids.map((id) => ({ id, label: id }));
const CURRENCY_OPTIONS = asOptions(CURRENCIES);
const IMPACT_OPTIONS = asOptions(IMPACT_CHOICES);

type CalendarControlsProps = {
  /** Time for which offsets are shown, epoch ms. */
  now: number;
  zoneRef: RefObject<HTMLInputElement | null>;
};

function CalendarControls({ now, zoneRef }: CalendarControlsProps): ReactNode {
  const { zone, currency, impact, companies } = choices.value;
  return (
    <div className="calendar-controls row gap-2-3" role="group" aria-label="Choices">
      <div className="zone-box cluster">
        <Suspense fallback={<ZoneText zone={zone} />}>
          <TimeZoneSelect
            zone={zone}
            onChoose={(chosen) => choose({ zone: chosen })}
            now={now}
            inputRef={zoneRef}
          />
        </Suspense>
        <span className="muted small nowrap">{zoneOffset(zone, now)}</span>
      </div>
      <NativeSelect
        label="Currency"
        value={currency}
        options={CURRENCY_OPTIONS}
        onChoose={(chosen) => choose({ currency: chosen })}
      />
      <NativeSelect
        label="Impact"
        value={impact}
        options={IMPACT_OPTIONS}
        onChoose={(chosen) => choose({ impact: chosen })}
      />
      <Toggle label="Companies" checked={companies} onChange={(isOn) => choose({ companies: isOn })} />
    </div>
  );
}

/** Placeholder until the code of the time zone field has loaded. */
const ZoneText = ({ zone }: { zone: string }): ReactNode => (
  <Field id="calendar-zone" label="Time zone">
    <input id="calendar-zone" className="input" value={zoneLabel(zone)} readOnly />
  </Field>
);

/** The time of an event; its date if it lasts all day. */
function momentOf(event: CalendarEvent): string | null {
  if (event.isAllDay) return event.dateUtc.slice(0, 10);
  const time = timeOf(event);
  return time === null ? null : isoInSydney(time);
}

/** Columns of the exported table; the unit has its own column. */
const EXPORTED_COLUMNS: readonly ExportedColumn<CalendarRow>[] = [
  { label: 'Time', value: momentOf },
  { label: 'Ctry', value: ({ countryCode }) => countryCode },
  { label: 'Cur', value: ({ currencyCode }) => currencyCode },
  { label: 'Event', value: ({ name, company }) => (company ? `${name}: ${company.headline}` : name) },
  { label: 'Period', value: periodText },
  { label: 'Actual', value: ({ actual }) => actual },
  { label: 'Consensus', value: ({ consensus }) => consensus },
  { label: 'Previous', value: ({ previous, revised }) => revised ?? previous },
  { label: 'Unit', value: ({ unit, potency }) => `${potency === 'ZERO' ? '' : potency}${unit ?? ''}` },
  { label: 'Impact', value: ({ volatility, company }) => (company ? '' : volatility) },
  { label: 'Type', value: typeText },
];

type CalendarBannersProps = {
  /** An IANA name. */
  zone: string;
  /** Reopens the stream if its first message failed; otherwise null. */
  retryStream: (() => void) | null;
};

function CalendarBanners({ zone, retryStream }: CalendarBannersProps): ReactNode {
  return (
    <div className="calendar-notices stack gap-2 flex-none">
      {retryStream !== null && (
        <Banner action={<Button onClick={retryStream}>Retry</Button>}>{STREAM_FAILED}</Banner>
      )}
      {retryStream === null && isStreamLost.value && (
        <Banner variant="warn" action={<Button onClick={retryLive}>Retry</Button>}>
          Connection lost: new figures are missing. Reconnecting…
        </Banner>
      )}
      <SourceProblem zone={zone} />
    </div>
  );
}

function SourceProblem({ zone }: { zone: string }): ReactNode {
  const known = source.value;
  if (known === null || known.healthy) return null;
  const { problem, lastUpdate } = known;
  const isOld = calendarEvents.value.size > 0 && lastUpdate !== null;
  return (
    <Banner variant="warn">
      {problem ?? 'The calendar source reports a problem.'}{' '}
      {isOld && `Shown as of ${momentText(lastUpdate, zone)} (${zoneLabel(zone)}). `}
      Trying again.
    </Banner>
  );
}

/** Reloads when the window becomes visible, because another window may have changed the reminders. */
function useReminders(): void {
  const { accessToken } = session.value;
  useEffect(() => {
    if (accessToken === null) return;
    void loadReminders();
    const onShown = () => {
      if (!document.hidden) void loadReminders();
    };
    document.addEventListener('visibilitychange', onShown);
    return () => {
      document.removeEventListener('visibilitychange', onShown);
      forgetReminders();
    };
  }, [accessToken]);
}

/** How long after the market the events may arrive on a slow connection, ms. */
const LATE_MS = 10_000;

/** The calendar (specification 2.6). */
export function CalendarPage(): ReactNode {
  useReminders();
  useEffect(followChoices, []);
  const events = calendarEvents.value;
  const chosen = choices.value;
  const moment = useCalendarMoment(events, chosen.zone);
  const dayOf = useMemo(() => dayReader(chosen.zone, moment), [chosen.zone, moment]);
  // Failures are not shown, because the economic events do not depend on them.
  const { data: companies } = useLoaded(fetchCompanyEvents, 'The company events could not be loaded.', {
    everyMs: MINUTE_MS,
  });
  const days = useMemo(
    () => daysOf([...events.values(), ...(companies ?? [])], chosen, dayOf),
    [events, companies, chosen, dayOf],
  );
  const dates = useMemo(() => datesAround(chosen.zone, moment), [chosen.zone, moment]);
  const { hasFailed, retry } = useStreamFailure(!hasMarket.value, streamState.value, retryLive);
  const state = calendarState(useLasting(hasMarket.value), useLasting(hasMarket.value, LATE_MS));
  const [shown, setShown] = useState<CalendarDay>('today');
  const zoneBox = useRef<HTMLInputElement>(null);
  useFilterKey(zoneBox);
  usePaletteActions(setShown, () => zoneBox.current);
  const isShown = useCallback((event: CalendarEvent) => isChosen(event, chosen), [chosen]);
  const counts = state === 'known' ? countsOf(days) : null;
  return (
    <div className="calendar-page stack gap-0">
      <header className="row gap-2-3 flex-none pad-2-3">
        <h1>Economic Calendar</h1>
        <SourceLabel />
        <StreamStatus />
        <CalendarControls now={moment} zoneRef={zoneBox} />
      </header>
      <CalendarBanners zone={chosen.zone} retryStream={hasFailed ? retry : null} />
      <Days shown={shown} days={days} counts={counts} dates={dates} onShow={setShown} />
      {!hasFailed && (
        <DayPanel
          day={shown}
          date={dates[shown]}
          state={state}
          events={days[shown]}
          moment={moment}
          label={`Events of ${DAY_LABELS[shown].toLowerCase()}, ${formatDate(dates[shown])}`}
          next={comingNext(days, moment)}
        />
      )}
      {state === 'known' && <Arrivals events={events} isShown={isShown} />}
    </div>
  );
}

const Days = ({ days, ...tabs }: ComponentProps<typeof DayTabs> & { days: CalendarDays }): ReactNode => (
  <div className="calendar-days cluster flex-none">
    <DayTabs {...tabs} />
    <ExportButton
      label={`Economic calendar, ${tabs.dates[tabs.shown]}`}
      columns={EXPORTED_COLUMNS}
      rows={() => days[tabs.shown]}
    />
  </div>
);

const countsOf = ({ yesterday, today, tomorrow }: CalendarDays) => ({
  yesterday: yesterday.length,
  today: today.length,
  tomorrow: tomorrow.length,
});

const comingNext = ({ today, tomorrow }: CalendarDays, moment: number): CalendarEvent | null =>
  nextEvent(today, moment) ?? nextEvent(tomorrow, moment);

function datesAround(zone: string, moment: number): Record<CalendarDay, string> {
  const today = datesIn(zone)(moment);
  return { yesterday: addDays(today, -1), today, tomorrow: addDays(today, 1) };
}

function SourceLabel(): ReactNode {
  const known = source.value;
  return known !== null && <Pill variant={known.healthy ? 'plain' : 'stale'}>{sourceText(known.label)}</Pill>;
}

function StreamStatus(): ReactNode {
  const isLive = streamState.value === 'live' && !isStreamLost.value;
  return (
    <span className={`dot small ${isLive ? 'tone-up' : 'tone-stale'}`} title="Connection to the data stream">
      {isLive ? 'live' : 'reconnecting…'}
    </span>
  );
}

function usePaletteActions(show: (day: CalendarDay) => void, zoneBox: () => HTMLElement | null): void {
  useActions([
    { label: 'Show yesterday’s events', words: 'calendar day', run: () => show('yesterday') },
    { label: 'Show today’s events', words: 'calendar day', run: () => show('today') },
    { label: 'Show tomorrow’s events', words: 'calendar day', run: () => show('tomorrow') },
    { label: 'Change the time zone', words: 'calendar', run: () => undefined, focus: zoneBox },
  ]);
}
