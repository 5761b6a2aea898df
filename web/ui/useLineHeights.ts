import { useSyncExternalStore } from 'react';
import { LINE_HEIGHTS, type LineHeights } from './lineHeights.ts';
import { useWidthQuery } from './useWidthQuery.ts';

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
