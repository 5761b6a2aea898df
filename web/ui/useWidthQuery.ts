import { useCallback, useState, useSyncExternalStore } from 'react';

const QUERY = '(max-width: 640px)';

/** True on a phone-wide screen, where the table keeps only code and metric in sight. */
export function useWidthQuery(): boolean {
  // Kept: a scanner renders with every tick, and asking anew each time is not free.
  const [query] = useState(() => window.matchMedia(QUERY));
  const subscribe = useCallback(
    (changed: () => void): (() => void) => {
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => query.matches);
}
