import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { rowOf } from './rowFocus.ts';
import type { RowRequest } from './types.ts';

/** For how long a panel becomes taller as its chart and news come in, ms. */
const SETTLES_MS = 4000;

const USES = ['pointerdown', 'keydown'] as const;

type Revealed = {
  /** The rows of this table. */
  ids: readonly string[];
  /** The rows that are open, of any table. */
  open: ReadonlySet<string>;
  /** The row that was jumped to last. */
  requested: RowRequest | null;
};

/**
 * Scrolls a row that was opened or jumped to into sight, with its panel as far as there is room. Follows the panel while it
 * becomes taller, until the reader scrolls or uses anything.
 */
export function useReveal(scroller: RefObject<HTMLElement | null>, { ids, open, requested }: Revealed): void {
  const before = useRef<Omit<Revealed, 'ids'>>({ open, requested: null });
  const shown = useRef<Shown | null>(null);
  const [grown] = useState(() => new ResizeObserver(() => show(scroller.current, shown.current)));
  useEffect(() => {
    const end = (): void => {
      shown.current = null;
      grown.disconnect();
    };
    // Its own scrolling leaves the row where it was put.
    const scrolled = (): void => {
      if (shown.current && Math.abs(topOf(scroller.current, shown.current.id) - shown.current.top) > 1) end();
    };
    for (const use of USES) window.addEventListener(use, end, { capture: true, passive: true });
    window.addEventListener('scroll', scrolled, { capture: true, passive: true });
    return () => {
      for (const use of USES) window.removeEventListener(use, end, { capture: true });
      window.removeEventListener('scroll', scrolled, { capture: true });
      end();
    };
  }, [scroller, grown]);
  useLayoutEffect(() => {
    const past = before.current;
    before.current = { open, requested };
    const opened = open === past.open ? undefined : [...open].find((id) => !past.open.has(id));
    const id = opened ?? (requested === past.requested ? undefined : requested?.id);
    if (id !== undefined && ids.includes(id)) {
      grown.disconnect();
      shown.current = { id, until: performance.now() + SETTLES_MS, top: 0 };
    }
    const panel = show(scroller.current, shown.current);
    if (panel) grown.observe(panel);
  });
}

type Shown = { id: string; until: number; top: number };

/** Scrolls as far as it has to. @returns the panel, if there is one */
function show(scroller: HTMLElement | null, shown: Shown | null): Element | null {
  if (scroller === null || shown === null || performance.now() > shown.until) return null;
  const panel = scroller.querySelector(`[data-detail="${CSS.escape(shown.id)}"]`);
  // The row last: where there is no room for both, the end of the panel is out of sight.
  for (const part of [panel, rowOf(scroller, shown.id)]) part?.scrollIntoView({ block: 'nearest' });
  shown.top = topOf(scroller, shown.id);
  return panel;
}

/** Where a row is in the window, px; 0 while it is not drawn. */
const topOf = (scroller: HTMLElement | null, id: string): number =>
  rowOf(scroller, id)?.getBoundingClientRect().top ?? 0;
