import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { formatFigure, surpriseOf, SURPRISES } from '#subjects/calendar/rules/figures.ts';

type Events = ReadonlyMap<string, CalendarEvent>;

/** This many are read out one by one. */
const MAX_TOLD = 3;

/** Events whose figure is there, and was not before. */
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

/** What a screen reader is told of figures that arrived. */
export function arrivalWords(events: readonly CalendarEvent[]): string {
  const told = events.slice(0, MAX_TOLD).map(figureSentence);
  const others = events.length - told.length;
  return [...told, ...(others > 0 ? [`And ${others} more.`] : [])].join(' ');
}

/** Figures that come out together arrive within so long. */
const GATHER_MS = 1500;
/** A screen reader is interrupted once a minute at most. */
const PAUSE_MS = 60_000;

type ArrivalsProps = {
  events: ReadonlyMap<string, CalendarEvent>;
  /** Whether an event is shown. */
  isShown(event: CalendarEvent): boolean;
};

/** Tells a screen reader of figures that arrive, politely. */
export function Arrivals({ events, isShown }: ArrivalsProps): ReactNode {
  const [words, setWords] = useState('');
  const before = useRef(events);
  const waiting = useRef<CalendarEvent[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const toldAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const arrived = arrivedFigures(before.current, events).filter(isShown);
    before.current = events;
    waiting.current.push(...arrived);
    if (waiting.current.length === 0 || timer.current !== undefined) return;
    const pause = toldAt.current + PAUSE_MS - performance.now();
    timer.current = setTimeout(
      () => {
        timer.current = undefined;
        toldAt.current = performance.now();
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
