import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
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

/** Makes the drawing in an element once its code is there, gives it the data as they change, and takes it away again. */
export function useDrawing(
  host: RefObject<HTMLElement | null>,
  { data, fitsAll, load }: Options,
  events: DrawingEvents,
): DrawingState {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const latest = useRef(events);
  latest.current = events;
  const newest = useRef(data);
  newest.current = data;
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
      const drawn = make(
        host.current,
        {
          onPoint: (bar) => latest.current.onPoint(bar),
          onOlder: () => latest.current.onOlder(),
          onPick: (price) => latest.current.onPick(price),
          onCursor: (top) => latest.current.onCursor(top),
        },
        { fitsAll },
      );
      made = guarded(drawn, failed);
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
  }, [host, hasFailed, fitsAll, load]);
  useLayoutEffect(() => {
    if (drawing === null || shown.current === data) return;
    shown.current = data;
    drawing.show(data);
  }, [drawing, data]);
  return { drawing, hasFailed, retry: () => setFailed(false) };
}
