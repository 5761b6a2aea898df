import { computed, type ReadonlySignal } from '@preact/signals-react';
import { marketNow, meta, serverNow } from '#web/live/market.ts';
import { useEffect, useState } from 'react';

/** The calendar's clock, epoch ms: the market's for a simulated calendar, otherwise the server's. */
export const calendarNow = (): number => (meta.peek()?.calendar?.onMarketClock ? marketNow() : serverNow());

/** Speed of the calendar's clock; 1 is real time. */
export function calendarSpeed(): number {
  const known = meta.peek();
  return known?.calendar?.onMarketClock ? known.clockSpeed : 1;
}

/** A text that changes when another clock applies, which the first snapshot says. */
export const clockKind: ReadonlySignal<string> = computed(() => {
  const known = meta.value;
  return known === null ? 'none' : `${known.calendar?.onMarketClock ?? false} ${known.clockSpeed}`;
});

const REFRESH_MS = 5000;

/** Time of the calendar's clock, epoch ms, updated every 5 s. */
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
