import './StaleStrip.css';
import { computed } from '@preact/signals-react';
import { dataAgeMs, isStreamBack, meta, retryLive, streamState } from '../live/market.ts';
import { arePricesOld, currentLabel } from '../live/marketHours.ts';
import { LOST_WORDS, lostNotice, staleNotice } from '../live/staleness.ts';
import { Button } from '../ui/Button.tsx';

/** Changes only when its words do, not each second. */
const notice = computed(() =>
  staleNotice({
    // A clock that stands still waits for no price.
    ageMs: meta.value?.clockSpeed === 0 && streamState.value === 'live' ? 0 : dataAgeMs.value,
    feed: meta.value?.feed ?? null,
    label: currentLabel.value,
    connection: streamState.value,
  }),
);

/** The same as soon as the stream is lost, where no scanner strip says it. */
const earlyNotice = computed(() => {
  if (notice.value !== null || !arePricesOld.value) return notice.value;
  return lostNotice(dataAgeMs.value);
});

type StaleStripProps = {
  /** Whether the scanner strip above says that the stream is lost; else this one does. */
  hasScannerStrip: boolean;
};

/** A sentence that counts seconds is told to a screen reader once, without them. */
function Words({ text }: { text: string }) {
  if (!text.startsWith(LOST_WORDS)) return <p role="status">{text}</p>;
  return (
    <p>
      <span className="visually-hidden" role="status">
        {LOST_WORDS}. Reconnecting…
      </span>
      <span aria-hidden>{text}</span>
    </p>
  );
}

/** Says that prices are old, how old, where they come from and why. Old prices never look live. */
export function StaleStrip({ hasScannerStrip }: StaleStripProps) {
  const shown = hasScannerStrip ? notice.value : earlyNotice.value;
  if (shown === null) {
    return !hasScannerStrip && isStreamBack.value ? (
      <p className="stale-strip" role="status">
        Back
      </p>
    ) : null;
  }
  return (
    <div className="stale-strip">
      <Words text={shown} />
      <Button onClick={retryLive}>Retry</Button>
    </div>
  );
}
