import { useEffect, useState } from 'react';
import type { CalendarEvent } from '../rules/calendarEvent.ts';
import { datesIn, isPast, isUnderWay, timeOf } from '../rules/days.ts';
import { calendarNow, calendarSpeed, clockKind } from './shared/calendarClock.ts';

type Events = ReadonlyMap<string, CalendarEvent>;

const MINUTE_MS = 60_000;
/** However fast the clock runs. */
const MIN_WAIT_MS = 250;
/** A timer may come a little early. */
const MARGIN_MS = 20;

/** How long, ms, nothing can change: until the next event, and no longer than to the next minute, as dates begin with one. */
export function quietMs(events: Events, now: number, speed: number): number {
  let until = now - (now % MINUTE_MS) + MINUTE_MS;
  for (const event of events.values()) {
    const time = timeOf(event);
    if (time !== null && time > now && time < until) until = time;
  }
  return Math.max(MIN_WAIT_MS, (until - now) / Math.max(speed, 1e-3) + MARGIN_MS);
}

/** What a moment makes of the events: the date, how many are over, and how many are under way. Between two equal ones there is nothing to draw. */
function standing(events: Events, dateAt: (time: number) => string, now: number): string {
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
 * A moment by the clock of the calendar, epoch ms, that stands for now: it moves on only when an event happens or is
 * no longer under way, or a day begins in the zone, not with the clock.
 * @param zone an IANA name
 */
export function useCalendarMoment(events: Events, zone: string): number {
  const [moment, setMoment] = useState(calendarNow);
  const kind = clockKind.value;
  useEffect(() => {
    const dateAt = datesIn(zone);
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      clearTimeout(timer);
      const now = calendarNow();
      setMoment((shown) => (standing(events, dateAt, shown) === standing(events, dateAt, now) ? shown : now));
      timer = setTimeout(look, Math.min(MINUTE_MS, quietMs(events, now, calendarSpeed())));
    };
    look();
    // A window that slept has missed its timers.
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [events, zone, kind]);
  return moment;
}
