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
/** Of the form of the file. One that has another meaning for a member has a higher one. */
export const TRANSFER_VERSION = 1;
export const MAX_TRANSFER_MB = 2;
export const MAX_TRANSFER_BYTES = MAX_TRANSFER_MB * 1024 * 1024;
/** Commas, which is to say members and entries: three times what one person can have. */
export const MAX_TRANSFER_VALUES = 200_000;

/**
 * What one person can have at most. A file with more is refused before any rule reads it, because each thing in it costs the
 * server time. These are the limits of the subjects, which a test compares with them.
 */
export const MAX_IN_FILE = {
  /** Of one table: its fields and 60 added columns. */
  columns: 200,
  indicators: 60,
  scans: 50,
  watchlists: 20,
  items: 200,
  alerts: 50,
  scanAlerts: 60,
  calls: 5000,
} as const;
const line = sent(text, { maxLength: 1000 });
const lineOrNull = orNull(line);
const some = <W, K>(of: Parameters<typeof list<W, K>>[0], maxItems: number) => sent(list(of), { maxItems });

/** What only the rules of its subject know: as it stands. */
const entries = (maxItems: number) =>
  sent(
    readBy(list(anything), (value): unknown[] => (Array.isArray(value) ? value : [])),
    { maxItems },
  );

const destinations = object({ telegram: boolean, discord: boolean, devices: anything });
const manner = { urgent: boolean, group: lineOrNull, sound: lineOrNull, destinations };

const scanInFile = object({
  number: described(integer, 'By which alerts of the file name it.'),
  name: line,
  logic: anything,
  lists: optional(
    described(orNull(object({ side: line, name: lineOrNull })), 'Lists by name; null is any of them.'),
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
  ...manner,
});
const scanAlertInFile = object({
  name: lineOrNull,
  scan: anything,
  event: line,
  scope: line,
  active: boolean,
  ...manner,
  cooldown_minutes: number,
  day_maximum: number,
  minute_maximum: number,
  event_guard: optional(anything),
});

/**
 * A person's set-up as one file, for another server. There is nothing in it that means something on one server alone: no
 * ids, no chats, no addresses of devices, no secrets. Each kind may be missing.
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
  preferences: optional(
    object({ quoteSite: optional(line), weeklyReview: optional(boolean), adminMessages: optional(boolean) }),
  ),
  quietHours: optional(object({ active: boolean, from: number, until: number, zone: line, digest: line })),
  /** To read: they are not taken anywhere. */
  calls: optional(entries(MAX_IN_FILE.calls)),
});

/** A sentence with how many things it is said of, and the names of the first. */
const told = object({ text: words, count: or(count, 0), names: list(text) }, ['text']);

/** What becomes of one kind of things. */
const kindOutcome = object(
  {
    kind: choice(TRANSFER_KINDS),
    /** How many are in the file. */
    found: or(count, 0),
    /** Whether it is to be taken; the counts are 0 otherwise. */
    isChosen: or(boolean, false),
    added: or(count, 0),
    changed: or(count, 0),
    /** They are here already. */
    same: or(count, 0),
    leftOut: list(told),
    /** Taken, but not as they were. */
    notes: list(told),
  },
  ['kind'],
);

/** What a file brings, or brought, of each kind that it has. */
export const previewAnswer = object(
  {
    kinds: list(kindOutcome),
    /** Calls in the file, which are never taken. */
    calls: or(count, 0),
    /** Names this preview: what is taken is what it says. */
    seen: words,
    /** Whether it was taken. */
    isDone: or(boolean, false),
    /** Why it was not, where it was to be. */
    error: optional(orNull(words)),
  },
  ['seen'],
);
