import type { AnyField } from '../lib/contract/fields.ts';

/** The features by which the routes are grouped, in the order in which they are shown. */
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

/** Keys of the operator's that a route takes instead of a user's token: what each is, within a sentence. */
export const KEYS = {
  ingestKey: 'the value of BELLBIRD_INGEST_KEY',
  metricsKey: 'the value of BELLBIRD_METRICS_KEY',
  relayToken: 'a token that relays make of BELLBIRD_RELAY_SECRET',
} as const;

/** A request that is shown, and that the tests send. */
export type Example = {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** What it is answered with; 200 when absent. */
  status?: number;
};

/** A route in words. Everything here is public. */
export type RouteWords = {
  tag: Tag;
  /** One line, without a final stop. */
  summary: string;
  description?: string;
  /** The type of the answer, where it is not JSON. */
  answerType?:
    | 'text/event-stream'
    | 'text/html'
    | 'text/plain'
    | 'application/octet-stream'
    | 'application/x-ndjson'
    | 'application/vnd.sqlite3'
    | 'application/gzip';
  /** What it refuses beside what every route of its kind does, by status. */
  refusals?: Readonly<Record<number, string>>;
  key?: keyof typeof KEYS;
  example: Example;
};

/**
 * What a route and its callers agree on, said once: of it come the route's checks, the types of both sides, the readers
 * of the browser, the documentation, and the answers of the tests.
 */
export type RouteContract = RouteWords & {
  /**
   * Who may call it. A level: users at this level or above. `visitor`: everybody; a token is checked if one is sent. `anyone`:
   * everybody; a token is ignored.
   */
  access: 1 | 2 | 3 | 4 | 'visitor' | 'anyone';
  /** An event stream. Its token may be in the query, because browsers can't send headers with it. */
  isStream?: true;
  params?: AnyField;
  query?: AnyField;
  body?: AnyField;
  /** Null where it is not JSON: `answerType` says what it is. */
  answer: AnyField | null;
  /** The forms of refusals that hold more than the sentence, by status. */
  refusalForms?: Readonly<Record<number, AnyField>>;
};

/** Contracts by method and path, as in 'GET /api/calls/mine'. */
export type RouteContracts = Readonly<Record<string, RouteContract>>;

/** Why a route that reads much may refuse, in the words of the documentation. */
export const OFTEN = 'Asked too often, or much of the caller’s waits to be read; `Retry-After` says when.';
export const BUSY = 'Much waits to be read, of all callers.';
export const LOADING_OR_BUSY = 'The market is still loading, or much waits to be read.';
