import { EVENT_END, eventHead } from '#platform/sse/event.ts';
import { parseJson } from '#lib/json.ts';
import type { Delta, Snapshot } from '#market/rules/stream.ts';

/** What the market's stream says; a name that is not known is of a newer primary. */
export type MarketEvent =
  | { name: 'snapshot'; data: Snapshot }
  | { name: 'delta_update'; data: Delta }
  | { name: 'ping'; data: { time: number } };

const NAMES: readonly MarketEvent['name'][] = ['delta_update', 'ping', 'snapshot'];

/**
 * Reads an event's text, which the primary made: what is sealed with the secret is believed to have its form.
 *
 * @param id that it must have
 * @returns null when it is not an event of this id, or of no known name
 */
export function readMarketEvent(text: Uint8Array, id: string): MarketEvent | null {
  const read = new TextDecoder().decode(text);
  const name = NAMES.find((one) => read.startsWith(eventHead(one, id)));
  if (name === undefined || !read.endsWith(EVENT_END)) return null;
  const parsed = parseJson(read.slice(eventHead(name, id).length, -EVENT_END.length));
  return parsed.ok ? ({ name, data: parsed.value } as MarketEvent) : null;
}
