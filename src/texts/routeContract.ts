import type { AnyField } from '../lib/contract/fields.ts';

export const TAGS = {
  Accounts: 'Logging in, registering, logging out.',
  'Own account': 'Password, login sessions, data and plan of whoever is logged in.',
  Settings: 'What a user has set: the quote link and the columns of the tables.',
  Chats: 'The Telegram and Discord chats of a user, which alerts are sent to.',
  Devices: 'The browsers of a user that show alerts as notifications, by web push.',
  Market: 'Live prices as a stream, and the way in for a broker bridge.',
  Replay: 'A recorded market that is played again, where the server plays one.',
  News: 'Company announcements.',
  Calendar: 'Reminders of the economic calendar; its events come by the stream.',
  Indicators: 'The catalog of indicators, and what a user chose of it.',
  Watchlist: 'The symbols that a user watches.',
  Alerts: 'Conditions on a symbol, which tell their owner when they hold.',
  Calls: 'Trade ideas and what became of them.',
  Administration: 'For administrators alone.',
  Users: 'For administrators: accounts, plans, and the record of what was done.',
  Channels: 'For administrators: Telegram and Discord channels, and messages to them.',
  Hosting: 'For administrators: log files, backups, restart and updates.',
  Server: 'Which program this is and whether it is well.',
  'Test mode': 'Demo data, on a server that was started for it.',
} as const;
type Tag = keyof typeof TAGS;

/** The operator's keys that a route accepts instead of a user's token, described within a sentence. */
export const KEYS = {
  ingestKey: 'the value of BELLBIRD_INGEST_KEY',
  metricsKey: 'the value of BELLBIRD_METRICS_KEY',
  relayToken: 'a token that relays make of BELLBIRD_RELAY_SECRET',
} as const;

export type Example = {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  status?: number;
};

export type RouteWords = {
  tag: Tag;
  summary: string;
  description?: string;
  answerType?:
    | 'text/event-stream'
    | 'text/html'
    | 'text/plain'
    | 'application/octet-stream'
    | 'application/x-ndjson'
    | 'application/vnd.sqlite3'
    | 'application/gzip';
  /** Refusals beyond those of every route of its kind, by status. */
  refusals?: Readonly<Record<number, string>>;
  key?: keyof typeof KEYS;
  example: Example;
};

/**
 * The agreement of a route and its callers. The route's checks, the types of both sides, the browser's
 * readers, the documentation and the test answers all derive from it.
 */
export type RouteContract = RouteWords & {
  /**
   * Who may call it. A number: users at this level or above. `visitor`: no login needed, but a token is
   * checked. `anyone`: a token is ignored.
   */
  access: 1 | 2 | 3 | 4 | 'visitor' | 'anyone';
  /** An event stream. Its token may be in the query, because browsers can't send headers with it. */
  isStream?: true;
  params?: AnyField;
  query?: AnyField;
  body?: AnyField;
  answer: AnyField | null;
  refusalForms?: Readonly<Record<number, AnyField>>;
};

export type RouteContracts = Readonly<Record<string, RouteContract>>;

export const OFTEN = 'Asked too often, or much of the caller’s waits to be read; `Retry-After` says when.';
export const BUSY = 'Much waits to be read, of all callers.';
export const LOADING_OR_BUSY = 'The market is still loading, or much waits to be read.';
