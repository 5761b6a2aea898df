import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { ChartLevel } from '#market/bars/rules/chart.ts';
import { roundToStep } from '#market/rules/priceStep.ts';
import type { AlertOffer, Drawing } from '../types.ts';

export type PriceCursorState = {
  /** AUD, a price that an order may have; null while nothing is pointed at. */
  price: number | null;
  setPrice(price: number | null): void;
  /** The reader clicked at a price, AUD. */
  pick(price: number): void;
  /** Where the cursor's line is drawn, px from the top; null where it is not. */
  moved(top: number | null): void;
  place: RefObject<HTMLDivElement | null>;
};

const hasAlert = (levels: readonly ChartLevel[], at: number): boolean =>
  levels.some(({ kind, price }) => kind === 'alert' && price === at);

const NO_LEVELS: readonly ChartLevel[] = [];

/**
 * The price that the reader points at in a chart, as far as alerts are to be had there.
 * @param levels of the chart: once an alert waits there, nobody points at that price any more
 */
export function usePriceCursor(
  offer: AlertOffer | undefined,
  drawing: Drawing | null,
  levels: readonly ChartLevel[] = NO_LEVELS,
): PriceCursorState {
  const [price, setPrice] = useState<number | null>(null);
  const [known, setKnown] = useState(levels);
  if (known !== levels) {
    setKnown(levels);
    if (price !== null && hasAlert(levels, price) && !hasAlert(known, price)) setPrice(null);
  }
  const place = useRef<HTMLDivElement>(null);
  const isOffered = offer !== undefined;
  const shown = isOffered ? price : null;
  const isMarked = useRef(false);
  useEffect(() => {
    if (shown !== null || isMarked.current) drawing?.mark(shown);
    isMarked.current = shown !== null;
  }, [drawing, shown]);
  const pick = useCallback(
    (picked: number) => {
      if (isOffered && picked > 0) setPrice(roundToStep(picked));
    },
    [isOffered],
  );
  // Not by a render: it moves with each picture.
  const moved = useCallback((top: number | null) => {
    place.current?.style.setProperty('--cursor-top', top === null ? '' : `${top}px`);
  }, []);
  return { price: shown, setPrice, pick, moved, place };
}
