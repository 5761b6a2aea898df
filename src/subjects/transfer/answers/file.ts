import {
  anything,
  boolean,
  choice,
  count,
  integer,
  isoTime,
  list,
  map,
  number,
  or,
  orNull,
  readBy,
  text,
  words,
} from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { described, sent } from '#lib/contract/requests.ts';
import { TRANSFER_KINDS } from '../rules/kind.ts';

export const TRANSFER_FORMAT = 'bellbird transfer file';
/** Version of the format; increased when a member changes its meaning. */
export const TRANSFER_VERSION = 1;
export const MAX_TRANSFER_MB = 2;
export const MAX_TRANSFER_BYTES = MAX_TRANSFER_MB * 1024 * 1024;
/** Limit of values, counted as commas: three times what one user can have. */
export const MAX_TRANSFER_VALUES = 200_000;

/**
 * Limits per user. A file with more is refused before any rule reads it, because each entry costs time. A test compares
 * these with the subjects' own limits.
 */
export const MAX_IN_FILE = {
  /** Per table: the table's fields and 60 added columns. */
  columns: 200,
  indicators: 60,
  scans: 50,
  watchlists: 20,
  items: 200,
  alerts: 50,
  scanAlerts: 60,
  odds: 30,
  /** Per saved odds. */
  listed: 4000,
  chartLevels: 200,
  /** Per stock. */
  levels: 20,
  submitters: 50,
  mutedStocks: 200,
  calls: 5000,
} as const;
const line = sent(text, { maxLength: 1000 });
const lineOrNull = orNull(line);
const some = <W, K>(of: Parameters<typeof list<W, K>>[0], maxItems: number) => sent(list(of), { maxItems });

/** A list of entries whose form only the rules of the subject know. */
const entries = (maxItems: number) =>
  sent(
    readBy(list(anything), (value): unknown[] => (Array.isArray(value) ? value : [])),
    { maxItems },
  );

const destinations = object({ telegram: boolean, discord: boolean, devices: anything });
const deliveryOptions = { urgent: boolean, group: lineOrNull, sound: lineOrNull, destinations };

const scanInFile = object({
  number: described(integer, 'Number that alerts in the file refer to.'),
  name: line,
  logic: anything,
  lists: optional(
    described(orNull(object({ side: line, name: lineOrNull })), 'Watchlist name; null means any.'),
  ),
});
const listInFile = object({
  name: line,
  items: some(object({ symbol: line, note: lineOrNull, target: orNull(number) }), MAX_IN_FILE.items),
});
const alertInFile = object({
  symbol: line,
  name: lineOrNull,
  active: boolean,
  persistent: boolean,
  logic_json: anything,
  note: lineOrNull,
  expires_at: lineOrNull,
  event_guard: anything,
  cooldown_minutes: number,
  ...deliveryOptions,
});
const scanAlertInFile = object({
  name: lineOrNull,
  scan: anything,
  event: line,
  scope: line,
  active: boolean,
  ...deliveryOptions,
  cooldown_minutes: number,
  day_maximum: number,
  minute_maximum: number,
  event_guard: optional(anything),
});

const oddsInFile = object({
  name: line,
  scan: anything,
  settings: anything,
  listed: optional(some(line, MAX_IN_FILE.listed)),
});

/**
 * A user's settings export for another server. It contains nothing that is specific to one server: no ids, chats,
 * device addresses or secrets. Each kind is optional.
 */
export const transferFile = object({
  format: choice([TRANSFER_FORMAT]),
  version: integer,
  exportedAt: isoTime,
  columns: optional(map(entries(MAX_IN_FILE.columns))),
  indicators: optional(entries(MAX_IN_FILE.indicators)),
  scans: optional(some(scanInFile, MAX_IN_FILE.scans)),
  watchlists: optional(some(listInFile, MAX_IN_FILE.watchlists)),
  alerts: optional(some(alertInFile, MAX_IN_FILE.alerts)),
  scanAlerts: optional(some(scanAlertInFile, MAX_IN_FILE.scanAlerts)),
  odds: optional(some(oddsInFile, MAX_IN_FILE.odds)),
  chartLevels: optional(
    some(object({ symbol: line, prices: some(number, MAX_IN_FILE.levels) }), MAX_IN_FILE.chartLevels),
  ),
  follows: optional(
    object({
      submitters: described(some(line, MAX_IN_FILE.submitters), 'Names of followed submitters.'),
      muted: some(sent(text, { maxLength: 12 }), MAX_IN_FILE.mutedStocks),
    }),
  ),
  preferences: optional(
    object({
      quoteSite: optional(line),
      weeklyReview: optional(boolean),
      adminMessages: optional(boolean),
      morningBrief: optional(object({ active: boolean, minute: number })),
    }),
  ),
  quietHours: optional(object({ active: boolean, from: number, until: number, zone: line, digest: line })),
  /** Exported for people to read; never imported. */
  calls: optional(entries(MAX_IN_FILE.calls)),
});

const noted = object({ text: words, count: or(count, 0), names: list(text) }, ['text']);

const kindOutcome = object(
  {
    kind: choice(TRANSFER_KINDS),
    found: or(count, 0),
    /** Whether the kind is to be imported; if not, the counts are 0. */
    isChosen: or(boolean, false),
    added: or(count, 0),
    changed: or(count, 0),
    same: or(count, 0),
    leftOut: list(noted),
    notes: list(noted),
  },
  ['kind'],
);

export const previewAnswer = object(
  {
    kinds: list(kindOutcome),
    /** Number of calls in the file, which are never imported. */
    calls: or(count, 0),
    /** Identifies this preview, so that the import does what it shows. */
    seen: words,
    isDone: or(boolean, false),
    error: optional(orNull(words)),
  },
  ['seen'],
);
