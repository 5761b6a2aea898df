import { computed } from '@preact/signals-react';
import { marketLabel } from '../../src/domain/session.ts';
import { dataAgeMs, marketNow, meta, streamState } from '../lib/live.ts';
import { staleNotice } from '../lib/staleness.ts';

/** Changes only when its words do, not each second. */
const notice = computed(() =>
  staleNotice({
    ageMs: dataAgeMs.value,
    feed: meta.value?.feed ?? null,
    label: marketLabel(marketNow()),
    connection: streamState.value,
  }),
);

/** Says that prices are old, how old, and why. Old prices never look live. */
export function StaleStrip() {
  if (notice.value === null) return null;
  return (
    <div className="stale-strip" role="status">
      {notice.value}
    </div>
  );
}
