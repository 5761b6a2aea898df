import { useCallback, useState, useSyncExternalStore } from 'react';

/**
 * The widths at which the layout changes, as media queries. Styles write them as `@media (--phone)`; the build puts
 * the query in its place.
 */
export const BREAKPOINTS = {
  /** Bottom navigation, dialogs as sheets, larger touch targets. */
  phone: '(max-width: 640px)',
  beyondPhone: '(min-width: 641px)',
  /** The navigation drops its icons. */
  tablet: '(max-width: 860px)',
  /** The strip and the header drop what is said elsewhere too, filters take a second row. */
  laptop: '(max-width: 1100px)',
  /** The buttons of a scanner's filter bar drop their texts. */
  desk: '(max-width: 1420px)',
  /** They drop them where the bar has a third group of filters. */
  wide: '(max-width: 1560px)',
} as const;

export type Breakpoint = keyof typeof BREAKPOINTS;

/** How styles name a breakpoint: `--beyond-phone`. */
export const breakpointName = (breakpoint: Breakpoint): string =>
  `--${breakpoint.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

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
