import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { LineHeights } from '../lineHeights.ts';
import type { RowItem, RowItems } from './rowItems.ts';

/** Runs when the page is idle, at the latest after `within` ms. @returns a function that cancels it */
function whenIdle(run: () => void, within: number): () => void {
  // Safari has no idle callbacks.
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(run, within);
    return () => clearTimeout(timer);
  }
  const id = window.requestIdleCallback(run, { timeout: within });
  return () => window.cancelIdleCallback(id);
}

/** Positions of a body's lines, px from its top. */
type LinePlaces = {
  count: number;
  height: number;
  startOf(line: number): number;
  /** The line at a height, limited to the first and last; -1 if there are no lines. */
  lineAt(y: number): number;
};

/** The visible part of a body, px from its top. */
type Sight = { top: number; height: number };

type LinesInSight = { first: number; last: number };

type Panel = { line: number; start: number; height: number };

/**
 * Positions of lines. All rows have one height; panels, which are few, have their own.
 * @param rowHeight px
 * @param panelHeight of the open panel under a row, px
 */
export function linePlaces(
  items: RowItems,
  rowHeight: number,
  panelHeight: (id: string) => number,
): LinePlaces {
  const { count } = items;
  const panels = items.isPlain ? [] : panelsOf(items, rowHeight, panelHeight);
  const startOf = (line: number): number => {
    const above = panels.findLast((panel) => panel.line < line);
    return above ? endOf(above) + (line - above.line - 1) * rowHeight : line * rowHeight;
  };
  const lineAt = (y: number): number => {
    const from = panels.findLast(({ start }) => start <= y);
    if (!from) return within(Math.floor(y / rowHeight), count);
    const below = Math.floor((y - endOf(from)) / rowHeight) + 1;
    return within(from.line + Math.max(0, below), count);
  };
  return { count, height: startOf(count), startOf, lineAt };
}

const endOf = ({ start, height }: Panel): number => start + height;

const within = (line: number, count: number): number => Math.min(count - 1, Math.max(0, line));

function panelsOf(items: RowItems, rowHeight: number, panelHeight: (id: string) => number): Panel[] {
  const panels: Panel[] = [];
  let extra = 0;
  for (let line = 0; line < items.count; line += 1) {
    const item = items.at(line);
    if (!item?.isDetail) continue;
    const height = panelHeight(item.id);
    panels.push({ line, start: line * rowHeight + extra, height });
    extra += height - rowHeight;
  }
  return panels;
}

/** The visible lines; null if nothing is visible, as in a hidden table. */
export function linesInSight(places: LinePlaces, { top, height }: Sight): LinesInSight | null {
  if (places.count === 0 || height <= 0) return null;
  return { first: places.lineAt(top), last: places.lineAt(top + height - 1) };
}

/**
 * Lines to render, ascending: visible lines, some beyond each edge, and one more.
 * @param overscan lines beyond each edge
 * @param kept the additional line; -1 for none
 */
export function linesToDraw(
  { count }: LinePlaces,
  inSight: LinesInSight | null,
  overscan: number,
  kept: number,
): number[] {
  if (inSight === null) return [];
  const first = Math.max(0, inSight.first - overscan);
  const last = Math.min(count - 1, inSight.last + overscan);
  const lines = Array.from({ length: last - first + 1 }, (_, place) => first + place);
  if (kept < 0 || kept >= count) return lines;
  if (kept < first) return [kept, ...lines];
  return kept > last ? [...lines, kept] : lines;
}

/** Assumed height of a panel until it is measured, px. */
const ESTIMATE = 140;

/** Heights of open panels by row id, px. `measure` is their ref. */
function usePanelHeights() {
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(() => new Map());
  const latest = useRef(heights);
  const note = useCallback((panel: HTMLElement) => {
    const { detail: id } = panel.dataset;
    const height = panel.offsetHeight;
    if (id === undefined || latest.current.get(id) === height) return;
    latest.current = new Map(latest.current).set(id, height);
    setHeights(latest.current);
  }, []);
  const [observer] = useState(
    () =>
      new ResizeObserver((entries, self) => {
        // Renders before the next paint, in which lines would otherwise cover the panel.
        flushSync(() => {
          for (const { target } of entries) {
            if (target.isConnected && target instanceof HTMLElement) note(target);
            else self.unobserve(target);
          }
        });
      }),
  );
  useEffect(() => () => observer.disconnect(), [observer]);
  const measure = useCallback(
    (panel: HTMLElement | null) => {
      if (panel === null) return;
      note(panel);
      observer.observe(panel);
    },
    [note, observer],
  );
  const heightOf = useCallback((id: string) => heights.get(id) ?? ESTIMATE, [heights]);
  return { heightOf, measure };
}

/** Number of lines rendered beyond each edge, after the first paint. */
const OVERSCAN = 4;

type RowWindowInput = {
  items: RowItems;
  heights: LineHeights;
  scroller: RefObject<HTMLDivElement | null>;
  /** A row that is always rendered, because it may have the focus. */
  keepId: string | null;
};

export type VisibleLine = { item: RowItem; line: number; start: number };

export function useRowWindow({ items, heights, scroller, keepId }: RowWindowInput) {
  const { row, header } = heights;
  const { heightOf, measure } = usePanelHeights();
  const places = useMemo(() => linePlaces(items, row, heightOf), [items, row, heightOf]);
  const { sight, seen, isFirst } = useSight(scroller, { places, header });
  // When a panel above the visible part changes height, the visible part stays in place.
  const before = useRef(heightOf);
  useLayoutEffect(() => {
    if (before.current === heightOf) return;
    const past = linePlaces(items, row, before.current);
    before.current = heightOf;
    const line = past.lineAt(seen.current.top);
    const moved = places.startOf(line) - past.startOf(line);
    if (moved !== 0 && scroller.current) scroller.current.scrollTop = seen.current.top + moved;
  }, [heightOf, items, row, places, scroller, seen]);

  const kept = keepId === null ? -1 : items.lineOf(keepId);
  const lines = linesToDraw(places, inSight({ places, header }, sight), isFirst ? 0 : OVERSCAN, kept);
  return {
    visible: lines.flatMap((line): VisibleLine[] => {
      const item = items.at(line);
      return item ? [{ item, line, start: places.startOf(line) }] : [];
    }),
    height: places.height,
    measure,
  };
}

/** `below` is the height of it that the window shows, px. */
type Seen = Sight & { below: number };

const NOTHING: Seen = { top: 0, height: 0, below: 0 };

type Lines = { places: LinePlaces; header: number };

/** The lines in sight, including those below the sticky header. */
const inSight = ({ places, header }: Lines, { top, height }: Sight): LinesInSight | null =>
  linesInSight(places, { top: top - header, height });

const sightOf = (element: HTMLElement): Sight => ({ top: element.scrollTop, height: element.clientHeight });

/**
 * The visible part of a scroller's content; it does not change while the visible lines stay the same. `seen` is the
 * current value. With `isFirst` it ends at the window's edge: a phone is blocked for less time, and the rest follows
 * after the paint.
 */
function useSight(scroller: RefObject<HTMLElement | null>, { places, header }: Lines) {
  const [sight, setSight] = useState(NOTHING);
  const isFirst = useFirst(places.count > 0);
  const latest = useRef({ places, header, sight });
  const seen = useRef(NOTHING);
  const stop = useRef<(() => void) | null>(null);
  const isOther = useCallback((): boolean => {
    const [before, after] = [latest.current.sight, seen.current].map((one) => inSight(latest.current, one));
    return before?.first !== after?.first || before?.last !== after?.last;
  }, []);
  useLayoutEffect(() => {
    latest.current = { places, header, sight };
    // Other rows may have other lines at the same position, like the first rows of an empty table.
    if (isOther()) setSight(seen.current);
  }, [places, header, sight, isOther]);
  useLayoutEffect(() => {
    // A new table has no scroller yet; when its width is known, this renders again.
    if (scroller.current === null || stop.current !== null) return;
    stop.current = watchSight(scroller.current, (now, isFirst) => {
      seen.current = now;
      if (!isOther()) return;
      if (isFirst) setSight(now);
      // Renders in the same frame, so that no position appears empty.
      else flushSync(() => setSight(now));
    });
  });
  useLayoutEffect(
    () => () => {
      stop.current?.();
      stop.current = null;
    },
    [],
  );
  const height = isFirst ? Math.min(sight.height, sight.below) : sight.height;
  return { sight: { ...sight, height }, seen, isFirst };
}

/** The other lines are rendered within this time, ms. */
const OTHERS_WITHIN_MS = 500;

function useFirst(hasLines: boolean): boolean {
  const [isFirst, setFirst] = useState(true);
  useEffect(() => {
    if (!isFirst || !hasLines) return;
    return whenIdle(() => setFirst(false), OTHERS_WITHIN_MS);
  }, [isFirst, hasLines]);
  return isFirst;
}

/** Reports the visible part now and on every scroll or resize. Returns the stop function. */
function watchSight(element: HTMLElement, notify: (sight: Seen, isFirst: boolean) => void): () => void {
  let { height } = sightOf(element);
  const below = Math.max(0, window.innerHeight - element.getBoundingClientRect().top);
  const onScroll = () => notify({ top: element.scrollTop, height, below }, false);
  notify({ ...sightOf(element), below }, true);
  const observer = new ResizeObserver(() => {
    ({ height } = sightOf(element));
    onScroll();
  });
  observer.observe(element);
  element.addEventListener('scroll', onScroll, { passive: true });
  return () => {
    observer.disconnect();
    element.removeEventListener('scroll', onScroll);
  };
}
