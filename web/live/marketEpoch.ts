import { MINUTE_MS } from '#lib/units.ts';
import { computed, effect, type ReadonlySignal, untracked } from '@preact/signals-react';
import { useEffect } from 'react';
import { marketNow, meta } from './market.ts';

/**
 * Identifies a period of the market's time by source, session, and a replay's last jump. Data fetched by market time is
 * valid only in its own period. Null before the first snapshot.
 */
export const marketEpoch: ReadonlySignal<string | null> = computed(() => {
  const known = meta.value;
  return known && `${known.feed?.name ?? ''} ${known.dateToday} ${known.replay?.jumps ?? ''}`;
});

/** Calls back when the period changes, but not for the first one. Returns the stop function. */
export function onNewEpoch(run: () => void): () => void {
  let before = marketEpoch.peek();
  return effect(() => {
    const now = marketEpoch.value;
    const isOther = before !== null && now !== null && now !== before;
    before = now ?? before;
    if (isOther) untracked(run);
  });
}

/** Like `onNewEpoch`, while the component is mounted. @param run must be stable */
export function useNewEpoch(run: () => void): void {
  useEffect(() => onNewEpoch(run), [run]);
}

/** The time of current quotes: the market's clock minus the source's delay, epoch ms. */
export const quoteTime = (): number => marketNow() - (meta.peek()?.feed?.delayMinutes ?? 0) * MINUTE_MS;
