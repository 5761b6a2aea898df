import { type ReactNode, useEffect, useState } from 'react';
import { calendarNow, calendarSpeed } from './calendarClock.ts';
import { countdownStaysMs, countdownText } from './countdown.ts';

/** However fast the clock runs. */
const MIN_WAIT_MS = 250;
const MARGIN_MS = 10;

/** The time until an event, which writes itself anew only when it reads otherwise. @param until epoch ms by the clock of the calendar */
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
  return <span className="countdown">{text}</span>;
}
