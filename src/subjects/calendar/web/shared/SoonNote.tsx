import { SECOND_MS, MINUTE_MS } from '#lib/units.ts';
import { type ReactNode, useEffect, useState } from 'react';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import { formatFigure } from '../../rules/figures.ts';
import { formatTime } from '#texts/format.ts';
import { Tooltip } from '#ui/Tooltip.tsx';
import './calendar.css';
import { calendarNow, calendarSpeed } from './calendarClock.ts';
import { formatCountdown } from '../../rules/nextEvent.ts';
import { twoDigits } from '#lib/text.ts';

/** From this time on (ms), the countdown shows seconds. */
const SECONDS_FROM_MS = 5 * MINUTE_MS;

/** '2 h 05 min', '12 min', '4 min 07 s', '45 s'. @param ms time left */
export function countdownText(ms: number): string {
  if (ms <= MINUTE_MS || ms > SECONDS_FROM_MS) return formatCountdown(ms);
  const seconds = Math.ceil(ms / SECOND_MS);
  return `${Math.floor(seconds / 60)} min ${twoDigits(seconds % 60)} s`;
}

/** How long the text of `countdownText` stays valid, ms. @param ms time left */
export function countdownStaysMs(ms: number): number {
  const step = ms <= SECONDS_FROM_MS ? SECOND_MS : MINUTE_MS;
  return ms - (Math.ceil(ms / step) - 1) * step;
}

/** Minimum delay for fast clocks, ms. */
const MIN_WAIT_MS = 250;
const MARGIN_MS = 10;

/** A countdown that renders only when its text changes. @param until epoch ms by the calendar's clock */
export function Countdown({ until }: { until: number }): ReactNode {
  const [text, setText] = useState(() => countdownText(until - calendarNow()));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const write = () => {
      clearTimeout(timer);
      const left = until - calendarNow();
      setText(countdownText(left));
      if (left <= 0) return;
      const wait = countdownStaysMs(left) / Math.max(calendarSpeed(), 1e-3) + MARGIN_MS;
      timer = setTimeout(write, Math.min(60_000, Math.max(MIN_WAIT_MS, wait)));
    };
    write();
    document.addEventListener('visibilitychange', write);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', write);
    };
  }, [until]);
  return <span>{text}</span>;
}

/** '10:30 Sydney: CPI. Consensus 3.0%, previous 2.9%' */
function soonText(event: CalendarEvent): string {
  const figures = [
    event.consensus !== null && `consensus ${formatFigure(event.consensus, event)}`,
    event.previous !== null && `previous ${formatFigure(event.revised ?? event.previous, event)}`,
  ].filter(Boolean);
  const ahead = figures.length === 0 ? '' : ` (${figures.join(', ')})`;
  return `${formatTime(event.dateUtc)} Sydney: ${event.name}${ahead}`;
}

type SoonNoteProps = {
  /** HIGH impact AUD events within the next hour, sorted; at least one. */
  events: readonly CalendarEvent[];
  /** Target of the link; null for no link. */
  to: string | null;
};

/** The name of the first event with a countdown; the tooltip lists all events. */
export function SoonNote({ events, to }: SoonNoteProps): ReactNode {
  const [first] = events;
  const until = first && timeOf(first);
  if (first === undefined || until === null || until === undefined) return null;
  const words = (
    <>
      <span className="flex-none warn-text strong">
        {first.currencyCode} in <Countdown until={until} />
      </span>
      <span className="soon-name ellipsis">{first.name}</span>
      {events.length > 1 && <span className="flex-none muted">+{events.length - 1}</span>}
    </>
  );
  const text = events.map(soonText).join('\n');
  return (
    <span className="soon-tip cluster gap-0 min-w-0">
      <Tooltip text={text}>
        {to === null ? (
          <span className="soon-note cluster min-w-0 small nowrap rounded" role="note">
            {words}
          </span>
        ) : (
          <a className="soon-note cluster min-w-0 small nowrap rounded" href={`#${to}`}>
            {words}
          </a>
        )}
      </Tooltip>
    </span>
  );
}
