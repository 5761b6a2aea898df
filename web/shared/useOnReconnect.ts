import { useEffect, useRef, useState } from 'react';
import { onReconnect } from './onReconnect.ts';

/**
 * `onReconnect` for a component: what it could not load is loaded when the network or the server is back, as long as it is
 * shown and has not been loaded since.
 *
 * @param failure null while nothing failed; another object for each failure
 */
export function useOnReconnect(failure: object | null, load: () => unknown): void {
  const latest = useRef<(() => unknown) | null>(null);
  // The same function each time: a load that fails again right after a return is not tried again and again.
  const [run] = useState(() => () => latest.current?.());
  useEffect(() => {
    latest.current = failure === null ? null : load;
    if (failure !== null) onReconnect(run);
    return () => {
      latest.current = null;
    };
  }, [failure, load, run]);
}
