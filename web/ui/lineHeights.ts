import { useSyncExternalStore } from 'react';
import { useWidthQuery } from './useWidthQuery.ts';

/**
 * Heights of a table's lines, px. Styles get them as `--table-header-height` and `--row-height`, where the build puts
 * them in the place of their names: `env(--compact-row)`.
 */
export const LINE_HEIGHTS = {
  compact: { header: 30, row: 28 },
  comfortable: { header: 30, row: 36 },
  /** On a phone: 40 px to touch, and the line between two rows. */
  touch: { header: 41, row: 41 },
} as const;

export type LineHeights = (typeof LINE_HEIGHTS)[keyof typeof LINE_HEIGHTS];

function onDensityChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-density'] });
  return () => observer.disconnect();
}

const isComfortable = (): boolean => document.documentElement.dataset.density === 'comfortable';

/** How tall a table's lines are now: by the density attribute on the document's root, and on a phone to be touched. */
export function useLineHeights(): LineHeights {
  const isPhone = useWidthQuery('phone');
  const comfortable = useSyncExternalStore(onDensityChange, isComfortable);
  if (isPhone) return LINE_HEIGHTS.touch;
  return comfortable ? LINE_HEIGHTS.comfortable : LINE_HEIGHTS.compact;
}
