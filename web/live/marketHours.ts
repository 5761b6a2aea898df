import { computed, type ReadonlySignal } from '@preact/signals-react';
import { phaseAt, type PhaseSpan, type SessionPhase } from '../../src/market/rules/sessionClock.ts';
import { type MarketLabel, marketLabel } from '../../src/market/rules/marketStatus.ts';
import { dataAgeMs, isStreamLost, marketNow, meta } from './market.ts';

const MINUTE_MS = 60_000;
/** The calendar behind the label costs a third of a millisecond: asked once a minute, not with every tick. */
const minute = computed(() => {
  // Both move with the market's clock, which is no signal of its own.
  const hasPrices = dataAgeMs.value !== null;
  const hasMarket = meta.value !== null;
  return hasPrices || hasMarket ? Math.floor(marketNow() / MINUTE_MS) : null;
});

/** The market's status as the strip names it, to the minute; 'Off-Hours' while nothing is known of the market. */
export const currentLabel: ReadonlySignal<MarketLabel> = computed(() =>
  minute.value === null ? 'Off-Hours' : marketLabel(minute.value * MINUTE_MS),
);

let lastSpan: PhaseSpan | null = null;

/**
 * The phase of the market's session, looked at with each change of the market; null before the first snapshot. The
 * calendar is asked again only when the last phase is over.
 */
export const sessionPhase: ReadonlySignal<SessionPhase | null> = computed(() => {
  if (meta.value === null) return null;
  const now = marketNow();
  if (lastSpan === null || now < lastSpan.since || now >= lastSpan.until) lastSpan = phaseAt(now);
  return lastSpan.phase;
});

/** In market hours, while the stream is lost: prices that are shown are old. */
export const arePricesOld: ReadonlySignal<boolean> = computed(
  () => isStreamLost.value && currentLabel.value !== 'Off-Hours',
);
