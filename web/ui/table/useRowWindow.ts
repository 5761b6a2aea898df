import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { LineHeights } from '../lineHeights.ts';
import {
  type LinePlaces,
  type LinesInSight,
  linePlaces,
  linesInSight,
  linesToDraw,
  type Sight,
} from './linePlaces.ts';
import { whenIdle } from '../whenIdle.ts';
import type { RowItem, RowItems } from './rowItems.ts';

/** Height of an open panel before it is measured, px. */
const ESTIMATE = 140;

/** How tall the panels open under rows are, by their row's id, px. `measure` is their elements' ref. */
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
        // Before the frame is painted, in which the lines below would lie over the panel.
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

/** Lines drawn beyond each edge of what is in sight, once the first ones are painted. */
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
  const { heightOf, measure } = usePanelHeights();
  const places = useMemo(() => linePlaces(items, row, heightOf), [items, row, heightOf]);
  const { sight, seen, isFirst } = useSight(scroller, { places, header });
  // When a panel above what is in sight becomes taller or lower, what is in sight stays where it is.
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

/** `below` is how much of it the window shows. */
type Seen = Sight & { below: number };

const NOTHING: Seen = { top: 0, height: 0, below: 0 };

type Lines = { places: LinePlaces; header: number };

/** What lies below the sticky header is in sight too. */
const inSight = ({ places, header }: Lines, { top, height }: Sight): LinesInSight | null =>
  linesInSight(places, { top: top - header, height });

const sightOf = (element: HTMLElement): Sight => ({ top: element.scrollTop, height: element.clientHeight });

/**
 * What is seen of what a scroller holds; as long as the lines in sight stay the same, as it was. `seen` is what is seen at
 * this moment. At `isFirst` it ends where the window does: a phone is blocked for less when the first lines come, and the
 * others follow when they are painted.
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
    // Other rows may have other lines in sight of the same place, as the first ones do that come to an empty table.
    if (isOther()) setSight(seen.current);
  }, [places, header, sight, isOther]);
  useLayoutEffect(() => {
    // Not there yet when the table was just mounted: its width, known then, has this rendered once more.
    if (scroller.current === null || stop.current !== null) return;
    stop.current = watchSight(scroller.current, (now, isFirst) => {
      seen.current = now;
      if (!isOther()) return;
      if (isFirst) setSight(now);
      // In the same frame, so that no place is seen empty.
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

/** Within what time the other lines are drawn, however busy the page is, ms. */
const OTHERS_WITHIN_MS = 500;

/** Whether the first lines are yet to be painted. */
function useFirst(hasLines: boolean): boolean {
  const [isFirst, setFirst] = useState(true);
  useEffect(() => {
    if (!isFirst || !hasLines) return;
    return whenIdle(() => setFirst(false), OTHERS_WITHIN_MS);
  }, [isFirst, hasLines]);
  return isFirst;
}

/** Tells what is seen, now and whenever a scroller moves or changes its size. Returns the end of it. */
function watchSight(element: HTMLElement, tell: (sight: Seen, isFirst: boolean) => void): () => void {
  let { height } = sightOf(element);
  const below = Math.max(0, window.innerHeight - element.getBoundingClientRect().top);
  const onScroll = () => tell({ top: element.scrollTop, height, below }, false);
  tell({ ...sightOf(element), below }, true);
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
