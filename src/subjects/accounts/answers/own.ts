import {
  anything,
  boolean,
  isoTime,
  list,
  map,
  or,
  orNull,
  readBy,
  trimmed,
  words,
} from '#lib/contract/fields.ts';
import { object, ours } from '#lib/contract/objects.ts';
import { isRecord } from '#lib/json.ts';

/** A login session of the user's. */
export const loginSession = object(
  {
    /** Names it to its owner; no part of a token. */
    id: words,
    /** The browser in a few words; null where it did not say. */
    device: orNull(trimmed),
    createdAt: isoTime,
    lastSeenAt: orNull(isoTime),
    /** The one that asks. */
    current: or(boolean, false),
  },
  ['id'],
);

/** `GET /api/settings/sessions`: the one that asks first, then the newest. */
export const sessionsAnswer = object({ sessions: list(loginSession) });

const record = readBy(map(anything), (value) => (isRecord(value) ? value : null));
const records = list(record);

/** `GET /api/settings/export`: rows of tables, each with its columns. */
export const exportAnswer = object({
  exportedAt: isoTime,
  account: record,
  loginSessions: records,
  loginAddresses: records,
  secondFactor: ours(records),
  linkedChats: records,
  devices: ours(records),
  messages: records,
  watchlists: ours(records),
  watchlist: records,
  alerts: records,
  scanAlerts: records,
  scanAlertFirings: records,
  reviewOfAlerts: ours(records),
  keptFindings: ours(records),
  quietHours: ours(records),
  selectedIndicators: records,
  scans: records,
  calendarReminders: records,
  questionsADay: records,
  ledgerReference: records,
  calls: records,
  corrections: records,
  administration: records,
  broadcasts: records,
  firings: records,
});
