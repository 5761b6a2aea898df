import { formatMinutes } from '#texts/format.ts';
import type { MarketLabel } from '#market/rules/sessionClock.ts';
import type { FeedInfo } from '#market/rules/stream.ts';
import type { Connection } from './stream/protocol.ts';
import { lookUp } from '#lib/json.ts';

/** Prices that did not change for this time (ms) in market hours are shown as stale. */
export const STALE_SHOWN_AFTER_MS = 60_000;

type Freshness = {
  label: MarketLabel;
  /** Null before the first snapshot, and if the server names no source. */
  feed: FeedInfo | null;
  /** Ms since the last price; null before the first. */
  ageMs: number | null;
  connection: Connection;
};

/**
 * The sentence in the amber strip: age, source and reason; null if prices are current. Outside market hours, only a
 * source with a problem is mentioned.
 */
export function staleMessage({ label, feed, ageMs, connection }: Freshness): string | null {
  if (feed === null && ageMs === null) return null;
  const age = ageSentence(ageMs, feed);
  const old = ageMs === null || ageMs >= STALE_SHOWN_AFTER_MS;
  if (label !== 'Off-Hours' && old && connection !== 'live') return lostMessage(ageMs);
  if (feed !== null && !feed.healthy) {
    return `${age}. ${feed.problem ?? 'The source reports a problem.'}`;
  }
  if (label === 'Off-Hours' || !old) return feed?.problem ?? null;
  return `${age}. The source has sent nothing since.`;
}

/** @param ageMs time since the last price, ms */
export const lostMessage = (ageMs: number | null): string =>
  `${LOST_WORDS}: ${ageMs === null ? 'no prices received yet' : `prices frozen ${frozenText(ageMs)} ago`}. Reconnecting…`;

export const LOST_WORDS = 'Connection lost';

const frozenText = (ms: number): string =>
  ms < 60_000 ? `${Math.floor(ms / 1000)} s` : formatMinutes(Math.floor(ms / 60_000));

function ageSentence(ageMs: number | null, feed: FeedInfo | null): string {
  const prices = feed === null ? 'Prices' : `Prices from ${sourceName(feed.name)}`;
  // A delayed feed's data is old already when it arrives.
  const delayMs = (feed?.delayMinutes ?? 0) * 60_000;
  return ageMs === null ? `${prices} have not arrived yet` : `${prices} are ${ageText(ageMs + delayMs)} old`;
}

const SOURCE_NAMES: Readonly<Record<string, string>> = {
  simulator: 'the simulated exchange',
  tradingview: 'TradingView',
  ingest: 'the broker bridge',
  replay: 'the recording',
};

/** A source's name in a sentence; a source that is not listed keeps its own name. */
export const sourceName = (name: string): string =>
  lookUp(SOURCE_NAMES, name.startsWith('replay-') ? 'replay' : name) ?? name;

/** An age: 'less than a minute', '2 min', '1 h 05 min'. It is coarse, because screen readers announce each change. */
export function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 1 ? 'less than a minute' : formatMinutes(minutes);
}
