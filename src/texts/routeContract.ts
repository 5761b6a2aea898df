import type { AnyField } from '../lib/contract/fields.ts';

export const TAGS = {
  Accounts: 'Log in, register and log out.',
  'Own account': 'Your password, sessions, data and plan.',
  Settings: 'Your settings, such as quote links, table columns and quiet hours.',
  Chats: 'Your Telegram and Discord chats.',
  Devices: 'Your browsers that receive web push notifications.',
  Market: 'Prices, charts and scanners, and the input for a broker bridge.',
  Replay: 'Control of a replayed recording.',
  News: 'Company announcements.',
  Calendar: 'Reminders and history of the economic calendar. The stream contains its events.',
  Indicators: 'The indicator catalog, your indicators and your saved scans.',
  Watchlist: 'Your watchlists.',
  Alerts: 'Your alerts on stocks and scans.',
  Calls: 'Trade ideas and their results.',
  Administration: 'For administrators.',
  Users: 'For administrators: users, plans and the audit log.',
  Channels: 'For administrators: Telegram and Discord channels and their messages.',
  Hosting: 'For administrators: logs, backups, recordings, restarts and updates.',
  Server: 'Version, health and metrics of the server.',
  'Test mode': 'Demo data, on a server in test mode.',
} as const;
type Tag = keyof typeof TAGS;

/** The operator's keys that a route accepts instead of a user's token, described within a sentence. */
export const KEYS = {
  ingestKey: '`Authorization: Bearer <BELLBIRD_INGEST_KEY>`',
  metricsKey: '`Authorization: Bearer <BELLBIRD_METRICS_KEY>`',
  relayToken: 'a token made from BELLBIRD_RELAY_SECRET',
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
    | 'text/csv'
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
 * The contract of a route. The route's checks, the types of both sides, the browser's readers, the
 * documentation and the test answers all derive from it.
 */
export type RouteContract = RouteWords & {
  /**
   * The callers it accepts. A number: users at this level or above. `visitor`: no login needed, but a token is
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

export const OFTEN = 'Too many requests. Wait for the seconds in `Retry-After`.';
export const BUSY = 'The server is busy with other requests.';
export const LOADING_OR_BUSY = 'The market is still loading, or the server is busy.';
