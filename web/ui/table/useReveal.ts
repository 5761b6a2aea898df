import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { rowOf } from './rowFocus.ts';
import type { RowRequest } from './tableModel.ts';

/** How long a panel may grow while its chart and news load, ms. */
const SETTLES_MS = 4000;

const USES = ['pointerdown', 'keydown'] as const;

type Revealed = {
  ids: readonly string[];
  open: ReadonlySet<string>;
  requested: RowRequest | null;
};

/**
 * Scrolls to a row that was opened or jumped to, with its panel if there is room. Follows the growing panel until the
 * user scrolls or interacts.
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
    // Scrolling by this hook leaves the row in place, so it does not end the following.
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

/** Scrolls as little as possible. @returns the panel, if there is one */
function show(scroller: HTMLElement | null, shown: Shown | null): Element | null {
  if (scroller === null || shown === null || performance.now() > shown.until) return null;
  const panel = scroller.querySelector(`[data-detail="${CSS.escape(shown.id)}"]`);
  // The row is last: if there is no room for both, the end of the panel stays out of view.
  for (const part of [panel, rowOf(scroller, shown.id)]) part?.scrollIntoView({ block: 'nearest' });
  shown.top = topOf(scroller, shown.id);
  return panel;
}

/** The row's position in the window, px; 0 if it is not rendered. */
const topOf = (scroller: HTMLElement | null, id: string): number =>
  rowOf(scroller, id)?.getBoundingClientRect().top ?? 0;
