import { computed } from '@preact/signals-react';
import type { ReactNode } from 'react';
import { formatTime } from '#texts/format.ts';
import type { ProviderInfo } from '#market/rules/stream.ts';
import { meta } from '#web/live/market.ts';

/** Undefined while the server has said nothing of it; null when it says that there is none. */
const source = computed((): ProviderInfo | null | undefined => meta.value?.announcements);

/** Where the announcements come from, and what is wrong there. */
export function NewsSource(): ReactNode {
  const from = source.value;
  if (from === undefined) return null;
  if (from === null) return <p className="news-source">Announcements are switched off on this server.</p>;
  if (from.healthy) return <p className="news-source">Announcements: {from.label}</p>;
  const last = from.lastUpdate === null ? '' : ` Last update ${formatTime(from.lastUpdate)}.`;
  return (
    <p className="news-source is-unhealthy">
      Announcements: {from.label}. {from.problem ?? 'None are coming in now.'}
      {last}
    </p>
  );
}
