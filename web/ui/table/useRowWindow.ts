import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect } from 'react';
import { itemKey, type RowItem } from './rowItems.ts';
import type { ElementSize } from './useElementSize.ts';

const DETAIL_ESTIMATE = 140;
const OVERSCAN = 6;

export type WindowInput = {
  items: readonly RowItem[];
  size: ElementSize;
  scroller: RefObject<HTMLDivElement | null>;
  /** A row that is drawn also out of sight, because the focus may be on it. */
  keepId: string | null;
};

export type VisibleLine = { item: RowItem; itemIndex: number; start: number };

/** Which lines of a long body are in sight, and where each stands. */
export function useRowWindow({ items, size, scroller, keepId }: WindowInput) {
  const keep = keepId === null ? -1 : items.findIndex((item) => item.id === keepId && !item.isDetail);
  const rangeExtractor = useCallback(
    (range: Range): number[] => {
      const inSight = defaultRangeExtractor(range);
      if (keep < 0 || keep >= range.count || inSight.includes(keep)) return inSight;
      return [...inSight, keep].sort((a, b) => a - b);
    },
    [keep],
  );
  const { rowHeight, headerHeight } = size;
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index]?.isDetail ? DETAIL_ESTIMATE : rowHeight),
    getItemKey: (index) => {
      const item = items[index];
      return item ? itemKey(item) : index;
    },
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

  const visible = virtualizer.getVirtualItems().flatMap((line): VisibleLine[] => {
    const item = items[line.index];
    return item ? [{ item, itemIndex: line.index, start: line.start - headerHeight }] : [];
  });
  return {
    visible,
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    /** Brings a data row into sight, moving no more than needed. */
    scrollTo: (id: string) => {
      const index = items.findIndex((item) => item.id === id && !item.isDetail);
      if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' });
    },
  };
}
