import {
  defaultKeyExtractor,
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
} from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect } from 'react';
import type { LineHeights } from '../lineHeights.ts';
import { itemKey, type RowItem, type RowItems } from './rowItems.ts';

/** Height of an open panel before it is measured, px. */
const DETAIL_ESTIMATE = 140;
/** Lines drawn beyond each edge of what is in sight. */
const OVERSCAN = 4;

export type RowWindowInput = {
  items: RowItems;
  heights: LineHeights;
  scroller: RefObject<HTMLDivElement | null>;
  /** A row that is drawn also out of sight, because the focus may be on it. */
  keepId: string | null;
};

export type VisibleLine = { item: RowItem; line: number; start: number };

/** Which lines of a long body are in sight, and where each stands. */
export function useRowWindow({ items, heights, scroller, keepId }: RowWindowInput) {
  const { row, header } = heights;
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
    estimateSize: (line) => (items.at(line)?.isDetail ? DETAIL_ESTIMATE : row),
    // Another key function measures all lines anew: while all are alike, their places do for keys.
    getItemKey: items.isPlain ? defaultKeyExtractor : keyOf,
    overscan: OVERSCAN,
    rangeExtractor: useRangeWith(keepId === null ? -1 : items.lineOf(keepId)),
    // The sticky header lies over the first rows.
    scrollPaddingStart: header,
    scrollMargin: header,
  });
  useEffect(() => {
    // A new row height makes the old measures wrong.
    virtualizer.measure();
  }, [virtualizer, row]);

  const visible = virtualizer.getVirtualItems().flatMap((virtual): VisibleLine[] => {
    const item = items.at(virtual.index);
    return item ? [{ item, line: virtual.index, start: virtual.start - header }] : [];
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

/** The lines in sight, and one more; -1 for none. */
function useRangeWith(line: number): (range: Range) => number[] {
  return useCallback(
    (range) => {
      const inSight = defaultRangeExtractor(range);
      if (line < 0 || line >= range.count || inSight.includes(line)) return inSight;
      return [...inSight, line].sort((a, b) => a - b);
    },
    [line],
  );
}
