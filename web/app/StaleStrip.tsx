import { computed } from '@preact/signals-react';
import { marketLabel } from '../../src/domain/session.ts';
import { dataAgeMs, marketNow, meta, retryLive, streamState } from '../lib/live.ts';
import { staleNotice } from '../lib/staleness.ts';
import { Button } from '../ui/Button.tsx';

/** Changes only when its words do, not each second. */
const notice = computed(() =>
  staleNotice({
    ageMs: dataAgeMs.value,
    feed: meta.value?.feed ?? null,
    label: marketLabel(marketNow()),
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
