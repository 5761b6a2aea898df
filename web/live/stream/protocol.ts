import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { OverviewRequest, OverviewFigures } from '#subjects/marketOverview/rules/aggregator.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import type { Delta, FeedInfo, Snapshot, StreamMeta } from '#market/rules/stream.ts';

/** The connection in the words of the scanner strip. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'disconnected';

/**
 * `feed` is null if the server names no source. `announcements` and `calendar` are null if they are off, and omitted
 * if unknown.
 */
export type MarketMeta = Omit<StreamMeta, 'feed' | Provided> & { feed: FeedInfo | null } & Partial<
    Pick<StreamMeta, Provided>
  >;
type Provided = 'announcements' | 'calendar';
/** After reading: every member is valid. */
export type MarketSnapshot = Omit<Snapshot, 'meta'> & { meta: MarketMeta };
export type MarketDelta = Omit<Delta, 'meta'> & { meta: Partial<MarketMeta> };

/** The stocks that a window gets: the union of its members. */
export type Watch = {
  all: boolean;
  codes: readonly string[];
  /** The members of these scanners before any filter; the window applies filters, scan and sort. */
  scanners: readonly ScannerKey[];
};

/**
 * The market of a window; `stocks` are those it watches. `receivedAt` (epoch ms, this machine's clock) dates
 * `meta.marketTime`.
 */
export type MarketState = {
  stocks: ReadonlyMap<string, Stock>;
  meta: MarketMeta;
  fx: { data: ReadonlyMap<string, CalendarEvent>; lastUpdated: number | null };
  receivedAt: number;
  /** When the last price of the whole market arrived, epoch ms of this machine's clock. */
  changedAt: number | null;
  /** The watch version of `stocks`; omitted for the whole market. */
  version?: number;
};

/**
 * From the holder of the stream (a worker or this window) to a window. A delta has the watched stocks, but
 * `changedAt` is the whole market's; `version` names the watch that it answers.
 */
export type ToWindow =
  | {
      type: 'state';
      state: MarketState;
      connection: Connection;
      /** Ms since the server last spoke, if not just now. */
      quietMs?: number;
    }
  | {
      type: 'delta';
      delta: MarketDelta;
      /** Whole stocks, applied after the patches. */
      whole?: readonly Stock[];
      receivedAt: number;
      changedAt: number | null;
      version?: number;
    }
  | { type: 'connection'; connection: Connection }
  /** An event of the alert stream; only the lead window plays a sound. */
  | { type: 'alert'; name: AlertEventName; data: string; id: string; isLead: boolean }
  /** The alert stream's status, and the event to resume from; empty if unknown. */
  | { type: 'alertConnection'; connection: Connection; lastEventId: string }
  /** The requested market overview; null if its code failed to load. */
  | { type: 'overview'; told: OverviewFigures | null }
  /** The server spoke this many ms ago without content: a ping, or the answer to `shown`. */
  | { type: 'heard'; agoMs: number }
  /** A window that does not answer is dropped. */
  | { type: 'ask' };

/**
 * From a window to the holder: `watch` the stocks it shows, `session` whose alerts it wants, `here` answers `ask`,
 * `shown` it became visible or the network returned, `retry` the user wants a new connection, `bye` it closes.
 */
export type FromWindow =
  | { type: 'here' | 'shown' | 'retry' | 'bye' }
  | {
      type: 'watch';
      watch: Watch;
      version: number;
      /** The window's first scanner, known before its screen sends a watch. */
      begins?: ScannerKey;
    }
  | OverviewWord
  | SessionWord;

export const ALERT_EVENTS = [
  'alert_triggered',
  'alert_changed',
  'account_changed',
  'sessions_ended',
  'calls_changed',
  'set_up_changed',
  'scan_alert_triggered',
  'scan_alert_changed',
] as const;
export type AlertEventName = (typeof ALERT_EVENTS)[number];

/** The request for a market overview; null for none. */
export type OverviewWord = {
  type: 'overview';
  ask: OverviewRequest | null;
  script: string;
};

/** The last sender is the lead; a window also sends it when it gets the focus. */
export type SessionWord = {
  type: 'session';
  token: string | null;
  /** The last event of the user's windows; empty if unknown. */
  lastEventId: string;
};

export type Send = (message: FromWindow) => void;
/** Receives the holder's messages; returns the sender. */
export type Connect = (receive: (message: ToWindow) => void) => Send;

export type Packed = ToWindow | string;

/**
 * Deltas are sent as JSON: a window parses 600 patches in a third of the time of cloning them, once per second.
 * States have maps and are rare, so they are cloned.
 */
export const packed = (message: ToWindow): Packed =>
  message.type === 'delta' || message.type === 'overview' ? JSON.stringify(message) : message;

/** Worker and window have the same version, because the worker's address includes a content hash. */
export const unpacked = (message: Packed): ToWindow =>
  typeof message === 'string' ? (JSON.parse(message) as ToWindow) : message;
