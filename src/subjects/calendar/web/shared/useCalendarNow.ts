import { useEffect, useState } from 'react';
import { calendarNow, clockKind } from './calendarClock.ts';

const REFRESH_MS = 5000;

/** The time by the clock of the calendar, epoch ms, read again every 5 s and with another clock. */
export function useCalendarNow(): number {
  const [now, setNow] = useState(calendarNow);
  const kind = clockKind.value;
  useEffect(() => {
    const read = () => setNow(calendarNow());
    read();
    const timer = setInterval(read, REFRESH_MS);
    return () => clearInterval(timer);
  }, [kind]);
  return now;
}
