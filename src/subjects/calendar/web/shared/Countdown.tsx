import { type ReactNode, useEffect, useState } from 'react';
import { calendarNow, calendarSpeed } from './calendarClock.ts';
import { formatCountdown } from '#subjects/calendar/rules/nextEvent.ts';
import { twoDigits } from '#lib/text.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** The last minutes are counted in seconds. */
const SECONDS_FROM_MS = 5 * MINUTE_MS;

/** '2 h 05 min', '12 min', '4 min 07 s', '45 s'. @param ms until then */
export function countdownText(ms: number): string {
  if (ms <= MINUTE_MS || ms > SECONDS_FROM_MS) return formatCountdown(ms);
  const seconds = Math.ceil(ms / SECOND_MS);
  return `${Math.floor(seconds / 60)} min ${twoDigits(seconds % 60)} s`;
}

/** How long `countdownText` stays as it is, ms of the same clock; the text changes right after. @param ms until then */
export function countdownStaysMs(ms: number): number {
  const step = ms <= SECONDS_FROM_MS ? SECOND_MS : MINUTE_MS;
  return ms - (Math.ceil(ms / step) - 1) * step;
}

/** However fast the clock runs. */
const MIN_WAIT_MS = 250;
const MARGIN_MS = 10;

/** The time until an event, which writes itself again only when it reads otherwise. @param until epoch ms by the clock of the calendar */
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
