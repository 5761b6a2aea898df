import './StaleStrip.css';
import { computed } from '@preact/signals-react';
import { marketLabel } from '../../src/domain/market/sessionClock.ts';
import { dataAgeMs, marketNow, meta, retryLive, streamState } from '../shared/live/market.ts';
import { staleNotice } from '../shared/live/staleness.ts';
import { Button } from '../ui/Button.tsx';

const MINUTE_MS = 60_000;
/** The calendar behind the label costs a third of a millisecond: asked once a minute, not with every tick. */
const minute = computed(() => {
  // Both move with the market's clock, which is no signal of its own.
  const hasPrices = dataAgeMs.value !== null;
  const hasMarket = meta.value !== null;
  return hasPrices || hasMarket ? Math.floor(marketNow() / MINUTE_MS) : null;
});
const label = computed(() => marketLabel((minute.value ?? 0) * MINUTE_MS));

/** Changes only when its words do, not each second. */
const notice = computed(() =>
  staleNotice({
    ageMs: dataAgeMs.value,
    feed: meta.value?.feed ?? null,
    label: label.value,
    connection: streamState.value,
  }),
);

/** Says that prices are old, how old, where they come from and why. Old prices never look live. */
export function StaleStrip() {
  if (notice.value === null) return null;
  return (
    <div className="stale-strip">
      <p role="status">{notice.value}</p>
      <Button onClick={retryLive}>Retry</Button>
    </div>
  );
}
