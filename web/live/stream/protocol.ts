import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { GlanceAsk, GlanceTold } from '#subjects/glance/rules/follower.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import type { Delta, FeedInfo, Snapshot, StreamMeta } from '#market/rules/stream.ts';

/** The link to the server, in the words of the scanner strip: Connecting…, Live, Reconnecting…, Disconnected. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'disconnected';

/**
 * What a page knows of the market as a whole; `feed` is null when the server does not name its source. `announcements` and
 * `calendar` are null when the server says that they are switched off, and left out when it says nothing of them.
 */
export type MarketMeta = Omit<StreamMeta, 'feed' | Provided> & { feed: FeedInfo | null } & Partial<
    Pick<StreamMeta, Provided>
  >;
type Provided = 'announcements' | 'calendar';
/** A snapshot after it was read: every member has its form. */
export type MarketSnapshot = Omit<Snapshot, 'meta'> & { meta: MarketMeta };
/** A delta after it was read. */
export type MarketDelta = Omit<Delta, 'meta'> & { meta: Partial<MarketMeta> };

/** Which stocks a window is sent, with their changes: those that any of these names. */
export type Watch = {
  /** Every stock there is. */
  all: boolean;
  codes: readonly string[];
  /** The members of these scanners before any filter: filters, scan and sort are the window's own. */
  scanners: readonly ScannerKey[];
};

/** The market as a window sees it; `stocks` are those it watches. `receivedAt` (epoch ms, this machine's clock) dates `meta.marketTime`. */
export type MarketState = {
  stocks: ReadonlyMap<string, Stock>;
  meta: MarketMeta;
  fx: { data: ReadonlyMap<string, CalendarEvent>; lastUpdated: number | null };
  receivedAt: number;
  /** When a price of the whole market last came in, epoch ms of this machine's clock; null before the first. */
  changedAt: number | null;
  /** Of the watch that `stocks` follow; left out when they are all there are. */
  version?: number;
};

/**
 * From the holder of the stream (a worker, or this window itself) to a window. A delta holds the changes of the watched
 * stocks, but `changedAt` is that of the whole market; `version` names the watch that it answers.
 */
export type ToWindow =
  | {
      type: 'state';
      state: MarketState;
      connection: Connection;
      /** How long ago the server last spoke, when that was not just now. */
      quietMs?: number;
    }
  | {
      type: 'delta';
      delta: MarketDelta;
      /** Stocks as they are, in the place of what the window has of them, after the patches. */
      whole?: readonly Stock[];
      receivedAt: number;
      changedAt: number | null;
      version?: number;
    }
  | { type: 'connection'; connection: Connection }
  /** An event of the alert stream; one window of all is the lead, which alone makes a sound. */
  | { type: 'alert'; name: AlertEventName; data: string; id: string; isLead: boolean }
  /** How the link of the alert stream is, and which event a reload goes on from; '' when that is not known. */
  | { type: 'alertConnection'; connection: Connection; lastEventId: string }
  /** How the market stands as a whole, to a window that asked for it; null when the code of that does not come. */
  | { type: 'glance'; told: GlanceTold | null }
  /** The server spoke this many ms ago, and there was nothing to pass on: a ping, or the answer to `shown`. */
  | { type: 'heard'; agoMs: number }
  /** Are you still there? A window that does not answer is forgotten. */
  | { type: 'ask' };

/**
 * From a window to the holder of the stream: `watch` which stocks it shows, `session` whose alerts it wants, `here` answers
 * `ask`, `shown` when the window became visible or the network came back, `retry` when the user asks for a new connection,
 * `bye` when the window closes.
 */
export type FromWindow =
  | { type: 'here' | 'shown' | 'retry' | 'bye' }
  | {
      type: 'watch';
      watch: Watch;
      version: number;
      /** The scanner that the window opens with, known before its screen says what it watches. */
      begins?: ScannerKey;
    }
  | GlanceWord
  | SessionWord;

/** The names of the alert stream's events, but for its ping. */
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

/** What a window wants to know of the market as a whole; null for nothing. */
export type GlanceWord = {
  type: 'glance';
  ask: GlanceAsk | null;
  /** The address of the code that a worker needs for it. */
  script: string;
};

/** The window that said this last is the lead: it says so when it gets the focus too. */
export type SessionWord = {
  type: 'session';
  /** Null while nobody is signed in. */
  token: string | null;
  /** The last event that the user's windows had before this; '' when that is not known. */
  lastEventId: string;
};

/** Sends a message to the holder of the stream. */
export type Send = (message: FromWindow) => void;
/** Takes what the holder of the stream says to this window; gives the way back. */
export type Connect = (receive: (message: ToWindow) => void) => Send;

/** A message on its way between worker and window. */
export type Packed = ToWindow | string;

/**
 * Deltas go as text: a window reads the JSON of 600 patches in a third of the time that the browser needs to clone
 * them as objects, and pays it once a second. A state holds maps, and comes seldom: it goes as it is.
 */
export const packed = (message: ToWindow): Packed =>
  message.type === 'delta' || message.type === 'glance' ? JSON.stringify(message) : message;

/** The message that was packed; worker and window are of one version, as the worker's address names its content. */
export const unpacked = (message: Packed): ToWindow =>
  typeof message === 'string' ? (JSON.parse(message) as ToWindow) : message;
