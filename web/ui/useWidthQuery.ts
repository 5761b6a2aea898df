import { useCallback, useState, useSyncExternalStore } from 'react';

/** The layout's breakpoints as media queries. Styles use `@media (--phone)`, which the build replaces. */
export const BREAKPOINTS = {
  /** Phones: bottom navigation, dialogs as sheets, larger touch targets. */
  phone: '(max-width: 640px)',
  beyondPhone: '(min-width: 641px)',
  tablet: '(max-width: 860px)',
  /** Strip and header hide duplicate information; filters use a second row. */
  laptop: '(max-width: 1100px)',
  /** Room for a pane next to the table. */
  dock: '(min-width: 1200px)',
  belowDock: '(max-width: 1199px)',
} as const;

export type Breakpoint = keyof typeof BREAKPOINTS;

/** The name of a breakpoint in style sheets: `--beyond-phone`. */
export const breakpointName = (breakpoint: Breakpoint): string =>
  `--${breakpoint.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export function useWidthQuery(breakpoint: Breakpoint): boolean {
  // Cached, because a scanner renders with every tick.
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
