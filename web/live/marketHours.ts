import { computed, type ReadonlySignal } from '@preact/signals-react';
import {
  createPhaseReader,
  type MarketLabel,
  marketLabel,
  type SessionPhase,
} from '#market/rules/sessionClock.ts';
import { dataAgeMs, isStreamLost, marketNow, meta } from './market.ts';

const MINUTE_MS = 60_000;
/** The calendar behind the label costs a third of a millisecond: asked once a minute, not with every tick. */
const minute = computed(() => {
  // Both move with the market's clock, which is no signal of its own.
  const hasPrices = dataAgeMs.value !== null;
  const hasMarket = meta.value !== null;
  return hasPrices || hasMarket ? Math.floor(marketNow() / MINUTE_MS) : null;
});

/** The exchange's special days, which the label follows. */
const closures = computed(() => meta.value?.closures);

/** The market's status as the strip names it, to the minute; 'Off-Hours' while nothing is known of the market. */
export const currentLabel: ReadonlySignal<MarketLabel> = computed(() => {
  void closures.value;
  return minute.value === null ? 'Off-Hours' : marketLabel(minute.value * MINUTE_MS);
});

const readPhase = createPhaseReader();

/** The phase of the market's session, read with each change of the market; null before the first snapshot. */
export const sessionPhase: ReadonlySignal<SessionPhase | null> = computed(() =>
  meta.value === null ? null : readPhase(marketNow()).phase,
);

/** In market hours, while the stream is lost: prices that are shown are old. */
export const arePricesOld: ReadonlySignal<boolean> = computed(
  () => isStreamLost.value && currentLabel.value !== 'Off-Hours',
);
