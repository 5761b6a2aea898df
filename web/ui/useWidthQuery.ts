import { useCallback, useState, useSyncExternalStore } from 'react';

const SIDEWAYS = '(min-width: 641px) and (max-height: 480px) and (pointer: coarse)';

/** The layout's breakpoints as media queries. Styles use `@media (--phone)`, which the build replaces. */
export const BREAKPOINTS = {
  /** Phones, also held sideways: bottom navigation, dialogs as sheets. */
  phone: `(max-width: 640px), ${SIDEWAYS}`,
  beyondPhone: `(not ((max-width: 640px) or (${SIDEWAYS})))`,
  /** Phones held sideways, which have room for a line but not for another. */
  sideways: SIDEWAYS,
  /** Phones and tablets: larger targets. */
  touch: '(max-width: 640px), (pointer: coarse)',
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
