import { MINUTE_MS } from '#lib/units.ts';
import { computed, type ReadonlySignal } from '@preact/signals-react';
import {
  createPhaseReader,
  type MarketLabel,
  marketLabel,
  type SessionPhase,
} from '#market/rules/sessionClock.ts';
import { dataAgeMs, isStreamLost, marketNow, meta } from './market.ts';

/** Computed once per minute, because the label's calendar takes a third of a millisecond. */
const minute = computed(() => {
  // Both change with the market's clock, which is not a signal.
  const hasPrices = dataAgeMs.value !== null;
  const hasMarket = meta.value !== null;
  return hasPrices || hasMarket ? Math.floor(marketNow() / MINUTE_MS) : null;
});

/** A dependency of the label, because it uses the exchange's special days. */
const closures = computed(() => meta.value?.closures);

/** The market status in the strip, to the minute; 'Off-Hours' while unknown. */
export const currentLabel: ReadonlySignal<MarketLabel> = computed(() => {
  void closures.value;
  return minute.value === null ? 'Off-Hours' : marketLabel(minute.value * MINUTE_MS);
});

const readPhase = createPhaseReader();

/** Updated when the market changes; null before the first snapshot. */
export const sessionPhase: ReadonlySignal<SessionPhase | null> = computed(() =>
  meta.value === null ? null : readPhase(marketNow()).phase,
);

export const arePricesOld: ReadonlySignal<boolean> = computed(
  () => isStreamLost.value && currentLabel.value !== 'Off-Hours',
);
