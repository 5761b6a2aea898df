import { computed, type ReadonlySignal } from '@preact/signals-react';
import { marketNow, meta, serverNow } from '#web/live/market.ts';
import { useEffect, useState } from 'react';

/** The clock by which economic events happen, epoch ms: the market's for a simulated calendar, else the server's. */
export const calendarNow = (): number => (meta.peek()?.calendar?.onMarketClock ? marketNow() : serverNow());

/** How fast that clock runs: 1 is real time. */
export function calendarSpeed(): number {
  const known = meta.peek();
  return known?.calendar?.onMarketClock ? known.clockSpeed : 1;
}

/** Changes with the clock that counts: it is known with the first snapshot, and may be another one later. */
export const clockKind: ReadonlySignal<string> = computed(() => {
  const known = meta.value;
  return known === null ? 'none' : `${known.calendar?.onMarketClock ?? false} ${known.clockSpeed}`;
});

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
