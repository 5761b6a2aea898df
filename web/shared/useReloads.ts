import { useEffect } from 'react';

/**
 * Loads again and again while something goes on, as long as the page is in sight.
 *
 * @param isOn whether it goes on
 * @param everyMs ms between two loads
 */
export function useReloads(isOn: boolean, reload: () => unknown, everyMs: number): void {
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [isOn, reload, everyMs]);
}
