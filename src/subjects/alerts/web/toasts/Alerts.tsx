import { type ComponentType, useEffect, useState } from 'react';
import { withStyles } from '#web/shared/lateStyles.ts';
import { onReconnect } from '#web/shared/onReconnect.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';

const FETCH_AFTER_MS = 2000;

export function Alerts() {
  const [Watch, setWatch] = useState<ComponentType | null>(null);
  const { isAuthenticated } = session.value;
  useEffect(() => {
    if (!isAuthenticated || Watch !== null) return;
    let isWanted = true;
    const load = () => {
      withStyles(import('./AlertWatch.tsx')).then(
        ({ AlertWatch }) => isWanted && setWatch(() => AlertWatch),
        (problem: unknown) => {
          console.warn('The alert watcher could not be loaded.', problem);
          if (isWanted) onReconnect(load);
        },
      );
    };
    const timer = setTimeout(load, FETCH_AFTER_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [isAuthenticated, Watch]);
  return isAuthenticated && Watch !== null && <Watch />;
}
