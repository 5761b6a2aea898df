import {
  defaultKeyExtractor,
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
} from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect } from 'react';
import { itemKey, type RowItem, type RowItems } from './rowItems.ts';
import type { ElementSize } from './useElementSize.ts';

const DETAIL_ESTIMATE = 140;
const OVERSCAN = 4;

export type WindowInput = {
  items: RowItems;
  size: ElementSize;
  scroller: RefObject<HTMLDivElement | null>;
  /** A row that is drawn also out of sight, because the focus may be on it. */
  keepId: string | null;
};

export type VisibleLine = { item: RowItem; line: number; start: number };

/** Which lines of a long body are in sight, and where each stands. */
export function useRowWindow({ items, size, scroller, keepId }: WindowInput) {
  const keep = keepId === null ? -1 : items.lineOf(keepId);
  const rangeExtractor = useCallback(
    (range: Range): number[] => {
      const inSight = defaultRangeExtractor(range);
      if (keep < 0 || keep >= range.count || inSight.includes(keep)) return inSight;
      return [...inSight, keep].sort((a, b) => a - b);
    },
    [keep],
  );
  const { rowHeight, headerHeight } = size;
  const keyOf = useCallback(
    (line: number) => {
      const item = items.at(line);
      return item ? itemKey(item) : line;
    },
    [items],
  );
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: items.count,
    getScrollElement: () => scroller.current,
    estimateSize: (line) => (items.at(line)?.isDetail ? DETAIL_ESTIMATE : rowHeight),
    // Another key function measures all lines anew: while all are alike, their places do for keys.
    getItemKey: items.isPlain ? defaultKeyExtractor : keyOf,
    overscan: OVERSCAN,
    rangeExtractor,
    // The sticky header lies over the first rows.
    scrollPaddingStart: headerHeight,
    scrollMargin: headerHeight,
  });
  useEffect(() => {
    // A new row height makes the old measures wrong.
    if (rowHeight > 0) virtualizer.measure();
  }, [virtualizer, rowHeight]);

  const visible = virtualizer.getVirtualItems().flatMap((virtual): VisibleLine[] => {
    const item = items.at(virtual.index);
    return item ? [{ item, line: virtual.index, start: virtual.start - headerHeight }] : [];
  });
  return {
    visible,
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    /** Brings a data row into sight, moving no more than needed. */
    scrollTo: (id: string) => {
      const line = items.lineOf(id);
      if (line >= 0) virtualizer.scrollToIndex(line, { align: 'auto' });
    },
  };
}
