import { computed } from '@preact/signals-react';
import type { ReactNode } from 'react';
import { formatTime } from '../../../src/domain/format.ts';
import type { ProviderInfo } from '../../../src/domain/market/stream.ts';
import { meta } from '../live/market.ts';
import './NewsSource.css';

/** Null while nothing is known of it; 'off' when the server says that there is none. */
const source = computed((): ProviderInfo | 'off' | null => {
  const known = meta.value;
  if (known === null) return null;
  // A server that does not name its market source says nothing of this one either.
  return known.announcements ?? (known.feed === null ? null : 'off');
});

/** Where the announcements come from, and what is wrong there. */
export function NewsSource(): ReactNode {
  const from = source.value;
  if (from === null) return null;
  if (from === 'off') return <p className="news-source">Announcements are switched off on this server.</p>;
  if (from.healthy) return <p className="news-source">Announcements: {from.label}</p>;
  const last = from.lastUpdate === null ? '' : ` Last heard of at ${formatTime(from.lastUpdate)}.`;
  return (
    <p className="news-source is-unhealthy">
      Announcements: {from.label}. {from.problem ?? 'They do not come at present.'}
      {last}
    </p>
  );
}
