import { useSyncExternalStore } from 'react';

const QUERY = '(max-width: 640px)';

const subscribe = (changed: () => void): (() => void) => {
  const query = window.matchMedia(QUERY);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};

/** True on a phone-wide screen, where the table keeps only code and metric in sight. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(subscribe, () => window.matchMedia(QUERY).matches);
