import type { Stock } from '../../../../src/domain/market/stock.ts';
import type { Delta, CalendarEvent, StreamMeta } from '../../../../src/domain/market/stream.ts';

/** The link to the server, in the words of the strip: Connecting…, Live, Reconnecting…, Disconnected. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'disconnected';

/** The market as a window sees it. `receivedAt` (epoch ms, this machine's clock) dates `meta.marketTime`. */
export type MarketState = {
  stocks: ReadonlyMap<string, Stock>;
  meta: StreamMeta;
  fx: { data: ReadonlyMap<string, CalendarEvent>; lastUpdated: number | null };
  receivedAt: number;
  /** When a price last came in, epoch ms of this machine's clock; null before the first. */
  changedAt: number | null;
};

/** From the stream's keeper (shared worker, or this window itself) to a window. */
export type ToWindow =
  | { type: 'state'; state: MarketState; connection: Connection }
  | { type: 'delta'; delta: Delta; receivedAt: number }
  | { type: 'connection'; connection: Connection }
  /** Are you still there? A window that does not answer is forgotten. */
  | { type: 'ask' };

/** From a window to the keeper: `shown` when it became visible or the network came back, `retry` when the user asks. */
export type FromWindow = { type: 'hello' | 'here' | 'shown' | 'retry' | 'bye' };

/** A message on its way between worker and window. */
export type Packed = ToWindow | string;

/**
 * Deltas go as text: a window reads the JSON of 600 patches in a third of the time that the browser needs to clone
 * them as objects, and pays it once a second. A state holds maps, and comes seldom: it goes as it is.
 */
export const packed = (message: ToWindow): Packed =>
  message.type === 'delta' ? JSON.stringify(message) : message;

export const unpacked = (message: Packed): ToWindow =>
  typeof message === 'string' ? (JSON.parse(message) as ToWindow) : message;
