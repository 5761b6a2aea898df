import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useNewest } from '#web/shared/useNewest.ts';
import type { Drawing, DrawingEvents, MakeDrawing, PriceChartProps } from './types.ts';

export type DrawingState = {
  /** Null until the code is there. */
  drawing: Drawing | null;
  /** The code did not come, or could not draw the data. */
  hasFailed: boolean;
  retry(): void;
};

type Options = Pick<PriceChartProps, 'data'> & { fitsAll: boolean; load: () => Promise<MakeDrawing> };

/** A chart that can't be drawn takes its own place, and not the screen around it. */
const guarded = (drawing: Drawing, failed: (problem: unknown) => void): Drawing => ({
  ...drawing,
  show(data) {
    try {
      drawing.show(data);
    } catch (problem) {
      failed(problem);
    }
  },
});

/** Tells whoever listens at the time. */
const forwarded = (latest: RefObject<DrawingEvents>): DrawingEvents => ({
  onPoint: (bar) => latest.current.onPoint(bar),
  onHover: (price) => latest.current.onHover(price),
  onOlder: () => latest.current.onOlder(),
  onPick: (price) => latest.current.onPick(price),
  onCursor: (top) => latest.current.onCursor(top),
});

/** Shows other data once they are rendered. @param shown what the drawing has */
function useShown<T extends Parameters<Drawing['show']>[0]>(
  drawing: Drawing | null,
  data: T,
  shown: RefObject<T | null>,
): void {
  useLayoutEffect(() => {
    if (drawing === null || shown.current === data) return;
    shown.current = data;
    drawing.show(data);
  }, [drawing, data, shown]);
}

/** Makes the drawing in an element once its code is there, gives it the data as they change, and takes it away again. */
export function useDrawing(
  host: RefObject<HTMLElement | null>,
  { data, fitsAll, load }: Options,
  events: DrawingEvents,
): DrawingState {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const latest = useNewest(events);
  const newest = useNewest(data);
  const shown = useRef<typeof data | null>(null);
  useEffect(() => {
    if (hasFailed) return;
    let made: Drawing | null = null;
    let isShown = true;
    const failed = (problem: unknown): void => {
      console.error('The chart could not be drawn.', problem);
      setFailed(true);
    };
    const begin = (make: MakeDrawing): void => {
      if (!isShown || host.current === null) return;
      made = guarded(make(host.current, forwarded(latest), { fitsAll }), failed);
      // Not with the next render: the picture would come a frame later.
      made.show(newest.current);
      shown.current = newest.current;
      setDrawing(made);
    };
    load()
      .then(begin, () => isShown && setFailed(true))
      .catch(failed);
    return () => {
      isShown = false;
      made?.stop();
      setDrawing(null);
    };
  }, [host, hasFailed, fitsAll, load, latest, newest]);
  useShown(drawing, data, shown);
  return { drawing, hasFailed, retry: () => setFailed(false) };
}
