import { useSyncExternalStore } from 'react';
import { useWidthQuery } from './useWidthQuery.ts';

/** Heights of a table's lines, px. The build inserts them into style sheets: `env(--compact-row)`. */
export const LINE_HEIGHTS = {
  compact: { header: 30, row: 28 },
  comfortable: { header: 30, row: 36 },
  /** Heights on a phone or tablet: a 40 px touch target and the line between rows. */
  touch: { header: 41, row: 41 },
} as const;

export type LineHeights = (typeof LINE_HEIGHTS)[keyof typeof LINE_HEIGHTS];

function onDensityChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-density'] });
  return () => observer.disconnect();
}

const isComfortable = (): boolean => document.documentElement.dataset.density === 'comfortable';

/** The heights for the density of the root element and the width of the window. */
export function useLineHeights(): LineHeights {
  const isTouch = useWidthQuery('touch');
  const comfortable = useSyncExternalStore(onDensityChange, isComfortable);
  if (isTouch) return LINE_HEIGHTS.touch;
  return comfortable ? LINE_HEIGHTS.comfortable : LINE_HEIGHTS.compact;
}
