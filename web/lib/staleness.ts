import type { MarketLabel } from '../../src/domain/session.ts';
import type { FeedInfo } from '../../src/domain/stream.ts';
import type { Connection } from './stream/protocol.ts';

/** Prices that did not move for this long in market hours are shown as stale, never as live. */
export const STALE_SHOWN_AFTER_MS = 60_000;

type Freshness = {
  label: MarketLabel;
  feed: FeedInfo | null;
  ageMs: number | null;
  connection: Connection;
};

/**
 * The sentence of the amber strip: how old the prices are, where they come from and why; null while all is
 * well. Outside market hours only a source that says it is unwell is mentioned.
 */
export function staleNotice({ label, feed, ageMs, connection }: Freshness): string | null {
  if (feed === null) return null;
  const age = ageMs === null ? 'Prices have not come in yet' : `Prices are ${ageText(ageMs)} old`;
  const old = ageMs === null || ageMs >= STALE_SHOWN_AFTER_MS;
  if (label !== 'Off-Hours' && old && connection !== 'live') {
    return `${age}. The connection to the server is lost; it is being tried again.`;
  }
  if (!feed.healthy) {
    return `${age}. ${feed.problem ?? `The source (${feed.name}) reports a problem.`}`;
  }
  if (label === 'Off-Hours' || !old) return null;
  return `${age}. The source (${feed.name}) has sent nothing since.`;
}

/** '45 s', '2 min', '1 h 05 min': coarse enough not to flicker. */
export function ageText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
