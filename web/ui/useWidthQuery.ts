import { useCallback, useState, useSyncExternalStore } from 'react';
import { type Breakpoint, BREAKPOINTS } from './breakpoints.ts';

/** Whether the window is as wide as a breakpoint says; follows its changes. */
export function useWidthQuery(breakpoint: Breakpoint): boolean {
  // Kept: a scanner renders with every tick, and asking again each time is not free.
  const [query] = useState(() => window.matchMedia(BREAKPOINTS[breakpoint]));
  const subscribe = useCallback(
    (changed: () => void): (() => void) => {
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => query.matches);
}
