import './CalendarPage.css';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CalendarEvent } from '../rules/calendarEvent.ts';
import { type CalendarDay, dayReader, datesIn } from '../rules/days.ts';
import { highImpactSoon, nextEvent } from '../rules/nextEvent.ts';
import { formatDate } from '../../../texts/format.ts';
import { addDays } from '../../../market/rules/sydneyTime.ts';
import { useActions } from '../../../../web/shared/actions.ts';
import { useCalendarNow } from './shared/useCalendarNow.ts';
import { SoonNote } from './shared/SoonNote.tsx';
import { calendarEvents, isStreamLost, retryLive, streamState } from '../../../../web/live/market.ts';
import { useLasting } from '../../../../web/live/useLasting.ts';
import { useStreamFailure } from '../../../../web/live/useStreamFailure.ts';
import { Pill } from '../../../../web/ui/Pill.tsx';
import { useFilterKey } from '../../../../web/ui/useFilterKey.ts';
import { type CalendarDays, daysOf } from './calendarDays.ts';
import { calendarState, hasMarket, source, sourceText } from './calendarSource.ts';
import { choices, followChoices, isChosen } from './choices.ts';
import { Arrivals } from './parts/Arrivals.tsx';
import { CalendarControls } from './parts/CalendarControls.tsx';
import { CalendarNotices } from './parts/CalendarNotices.tsx';
import { DayPanel } from './parts/DayPanel.tsx';
import { DAY_LABELS, DayTabs } from './parts/DayTabs.tsx';
import { useCalendarMoment } from './useCalendarMoment.ts';
import { useReminders } from './useReminders.ts';

/** Over a slow line the events come so long after the market's first part. */
const LATE_MS = 10_000;

/** The economic calendar (specification 2.6): the events of three days in a time zone, their figures as they come out. */
export function CalendarPage(): ReactNode {
  useReminders();
  useEffect(followChoices, []);
  const events = calendarEvents.value;
  const chosen = choices.value;
  const moment = useCalendarMoment(events, chosen.zone);
  const dayOf = useMemo(() => dayReader(chosen.zone, moment), [chosen.zone, moment]);
  const days = useMemo(() => daysOf(events.values(), chosen, dayOf), [events, chosen, dayOf]);
  const dates = useMemo(() => datesAround(chosen.zone, moment), [chosen.zone, moment]);
  const { hasFailed, retry } = useStreamFailure(!hasMarket.value, streamState.value, retryLive);
  const state = calendarState(useLasting(hasMarket.value), useLasting(hasMarket.value, LATE_MS));
  const [shown, setShown] = useState<CalendarDay>('today');
  const zoneBox = useRef<HTMLInputElement>(null);
  useFilterKey(zoneBox);
  usePaletteActions(setShown, () => zoneBox.current);
  const isShown = useCallback((event: CalendarEvent) => isChosen(event, chosen), [chosen]);
  const counts = {
    yesterday: days.yesterday.length,
    today: days.today.length,
    tomorrow: days.tomorrow.length,
  };
  return (
    <div className="calendar-page">
      <header className="calendar-head">
        <h1>Economic Calendar</h1>
        <SourceLabel />
        <StreamStatus />
        <Soon />
        <CalendarControls now={moment} zoneRef={zoneBox} />
      </header>
      <CalendarNotices zone={chosen.zone} retryStream={hasFailed ? retry : null} />
      <DayTabs shown={shown} counts={state === 'known' ? counts : null} dates={dates} onShow={setShown} />
      {!hasFailed && (
        <DayPanel
          day={shown}
          label={`Events of ${DAY_LABELS[shown].toLowerCase()}, ${formatDate(dates[shown])}`}
          date={dates[shown]}
          state={state}
          events={days[shown]}
          moment={moment}
          next={comingNext(days, moment)}
        />
      )}
      {state === 'known' && <Arrivals events={events} isShown={isShown} />}
    </div>
  );
}

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
    <span
      className={isLive ? 'calendar-status is-live' : 'calendar-status'}
      title="Connection to the data stream"
    >
      {isLive ? 'live' : 'reconnecting…'}
    </span>
  );
}

/** The events that the scanner strip names, named here too. */
function Soon(): ReactNode {
  const soon = highImpactSoon(calendarEvents.value.values(), useCalendarNow());
  return soon.length > 0 && <SoonNote events={soon} to={null} />;
}

function usePaletteActions(show: (day: CalendarDay) => void, zoneBox: () => HTMLElement | null): void {
  useActions([
    { label: 'Show yesterday’s events', words: 'calendar day', run: () => show('yesterday') },
    { label: 'Show today’s events', words: 'calendar day', run: () => show('today') },
    { label: 'Show tomorrow’s events', words: 'calendar day', run: () => show('tomorrow') },
    { label: 'Change the time zone', words: 'calendar', run: () => undefined, focus: zoneBox },
  ]);
}
