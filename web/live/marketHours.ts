import { MINUTE_MS } from '#lib/units.ts';
import { computed, type ReadonlySignal } from '@preact/signals-react';
import {
  createPhaseReader,
  type MarketLabel,
  marketLabel,
  type SessionPhase,
} from '#market/rules/sessionClock.ts';
import { dataAgeMs, isStreamLost, marketNow, meta } from './market.ts';

/** The label's calendar takes a third of a millisecond, so it is computed once per minute. */
const minute = computed(() => {
  // Both move with the market's clock, which is not a signal.
  const hasPrices = dataAgeMs.value !== null;
  const hasMarket = meta.value !== null;
  return hasPrices || hasMarket ? Math.floor(marketNow() / MINUTE_MS) : null;
});

/** The label depends on the exchange's special days. */
const closures = computed(() => meta.value?.closures);

/** The market status in the strip, to the minute; 'Off-Hours' while unknown. */
export const currentLabel: ReadonlySignal<MarketLabel> = computed(() => {
  void closures.value;
  return minute.value === null ? 'Off-Hours' : marketLabel(minute.value * MINUTE_MS);
});

const readPhase = createPhaseReader();

/** Updated with each change of the market; null before the first snapshot. */
export const sessionPhase: ReadonlySignal<SessionPhase | null> = computed(() =>
  meta.value === null ? null : readPhase(marketNow()).phase,
);

export const arePricesOld: ReadonlySignal<boolean> = computed(
  () => isStreamLost.value && currentLabel.value !== 'Off-Hours',
);
