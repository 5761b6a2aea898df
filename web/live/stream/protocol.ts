import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { OverviewRequest, OverviewFigures } from '#subjects/marketOverview/rules/aggregator.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import type { Delta, FeedInfo, Snapshot, StreamMeta } from '#market/rules/stream.ts';

/** State of the connection, as shown in the scanner strip. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'disconnected';

/**
 * The stream's metadata. `feed` is null if the server names no source. `announcements` and `calendar` are null if they
 * are off, and omitted if unknown.
 */
export type MarketMeta = Omit<StreamMeta, 'feed' | Provided> & { feed: FeedInfo | null } & Partial<
    Pick<StreamMeta, Provided>
  >;
type Provided = 'announcements' | 'calendar';
/** A snapshot that was read: every member is valid. */
export type MarketSnapshot = Omit<Snapshot, 'meta'> & { meta: MarketMeta };
export type MarketDelta = Omit<Delta, 'meta'> & { meta: Partial<MarketMeta> };

/** The stocks that a window needs: the union of these members. */
export type Watch = {
  all: boolean;
  codes: readonly string[];
  /** Scanners whose stocks are needed before any filter; the window itself filters, scans and sorts. */
  scanners: readonly ScannerKey[];
};

/**
 * The market of a window; `stocks` are those it watches. `receivedAt` (epoch ms, local clock) is the time of
 * `meta.marketTime`.
 */
export type MarketState = {
  stocks: ReadonlyMap<string, Stock>;
  meta: MarketMeta;
  fx: { data: ReadonlyMap<string, CalendarEvent>; lastUpdated: number | null };
  receivedAt: number;
  /** When the last price of the whole market arrived, epoch ms by the local clock. */
  changedAt: number | null;
  /** The version of the watch that `stocks` answers; omitted for the whole market. */
  version?: number;
};

/**
 * Messages from the holder of the stream (a worker or this window) to a window. A delta has the watched stocks, but
 * `changedAt` is that of the whole market; `version` names the watch that it answers.
 */
export type ToWindow =
  | {
      type: 'state';
      state: MarketState;
      connection: Connection;
      /** Ms since the server last sent something; omitted if it just did. */
      quietMs?: number;
    }
  | {
      type: 'delta';
      delta: MarketDelta;
      /** Complete stocks, applied after the patches. */
      whole?: readonly Stock[];
      receivedAt: number;
      changedAt: number | null;
      version?: number;
    }
  | { type: 'connection'; connection: Connection }
  /** An event of the alert stream; only the lead window plays a sound. */
  | { type: 'alert'; name: AlertEventName; data: string; id: string; isLead: boolean }
  /** State of the alert stream, and the event to resume from; empty if unknown. */
  | { type: 'alertConnection'; connection: Connection; lastEventId: string }
  /** The requested market overview; null if its code could not be loaded. */
  | { type: 'overview'; figures: OverviewFigures | null }
  /** The server sent something without content this many ms ago: a ping, or the answer to `shown`. */
  | { type: 'heard'; agoMs: number }
  /** A poll; a window that does not answer is dropped. */
  | { type: 'ask' };

/**
 * From a window to the holder. `watch`: the stocks it shows. `session`: whose alerts it wants. `here`: answers `ask`.
 * `shown`: it became visible or the network returned. `retry`: the user wants a new connection. `bye`: it closes.
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

/** The user session of a window. The last sender is the lead; a window also sends it when it gets the focus. */
export type SessionWord = {
  type: 'session';
  token: string | null;
  /** The last event of the user's windows; empty if unknown. */
  lastEventId: string;
};

export type Send = (message: FromWindow) => void;
/** Opens a connection that passes the holder's messages to `receive`; returns the sender. */
export type Connect = (receive: (message: ToWindow) => void) => Send;

export type Packed = ToWindow | string;

/**
 * Packs a message. Deltas are sent as JSON, because a window parses 600 patches in a third of the time of cloning them,
 * once per second. States contain maps and are rare, so they are cloned.
 */
export const packed = (message: ToWindow): Packed =>
  message.type === 'delta' || message.type === 'overview' ? JSON.stringify(message) : message;

/** Unpacks a message. Worker and window have the same version, because the worker's address contains a content hash. */
export const unpacked = (message: Packed): ToWindow =>
  typeof message === 'string' ? (JSON.parse(message) as ToWindow) : message;
