import { computed, effect, type ReadonlySignal, untracked } from '@preact/signals-react';
import { useEffect } from 'react';
import { marketNow, meta } from './market.ts';

/**
 * Which stretch of the market's time the page shows: of a source, of a session, and since a replay's last jump. What was
 * fetched by market time in another one is not of this one. Null before the first snapshot.
 */
export const marketEra: ReadonlySignal<string | null> = computed(() => {
  const known = meta.value;
  return known && `${known.feed?.name ?? ''} ${known.dateToday} ${known.replay?.jumps ?? ''}`;
});

/** Calls whenever the era is another one; the first word of the market is no change of it. Returns the stop function. */
export function onNewEra(run: () => void): () => void {
  let before = marketEra.peek();
  return effect(() => {
    const era = marketEra.value;
    const isOther = before !== null && era !== null && era !== before;
    before = era ?? before;
    if (isOther) untracked(run);
  });
}

/** The same as long as the component is shown. @param run the same function as long as it does the same */
export function useNewEra(run: () => void): void {
  useEffect(() => onNewEra(run), [run]);
}

const MINUTE_MS = 60_000;

/** The moment of the quotes that come now, epoch ms on the market's clock: a delayed source's are older than that. */
export const quoteTime = (): number => marketNow() - (meta.peek()?.feed?.delayMinutes ?? 0) * MINUTE_MS;
