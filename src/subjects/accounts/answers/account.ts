import {
  anything,
  boolean,
  count,
  done,
  integer,
  isoTime,
  list,
  map,
  nothing,
  or,
  orNull,
  readBy,
  text,
  trimmed,
  words,
} from '#lib/contract/fields.ts';
import { object, extension } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import { isRecord } from '#lib/json.ts';
import { readCount, readText } from '#lib/read.ts';
import { paidPlan, plan } from './plans.ts';

/** Used if the server sends no access level. */
const LOWEST_LEVEL = 1;

const accessLevel = readBy(sent(integer, { minimum: LOWEST_LEVEL, maximum: 4 }), (value) =>
  Math.max(LOWEST_LEVEL, readCount(value) ?? LOWEST_LEVEL),
);

export const authenticatedAnswer = object({
  authenticated: or(done, false),
  /** Null or empty if the login failed. */
  accessToken: text,
  accessLevel,
  /** The message of a refusal with status 409. */
  error: readBy(nothing, readText),
});

export const loginSession = object(
  {
    /** Identifies the session to its owner. It is not part of a token. */
    id: words,
    /** A short description of the browser; null if it sent none. */
    device: orNull(trimmed),
    createdAt: isoTime,
    lastSeenAt: orNull(isoTime),
    current: or(boolean, false),
  },
  ['id'],
);

/** Answer of `GET /api/settings/sessions`: the caller's session first, then the newest. */
export const sessionsAnswer = object({ sessions: list(loginSession) });

const record = readBy(map(anything), (value) => (isRecord(value) ? value : null));
const records = list(record);

/** Answer of `GET /api/settings/export`: rows of tables, each with its columns. */
export const exportAnswer = object({
  exportedAt: isoTime,
  account: record,
  loginSessions: records,
  loginAddresses: records,
  secondFactor: extension(records),
  linkedChats: records,
  devices: extension(records),
  messages: records,
  watchlists: extension(records),
  watchlist: records,
  alerts: records,
  scanAlerts: records,
  scanAlertFirings: records,
  reviewOfAlerts: extension(records),
  keptFindings: extension(records),
  quietHours: extension(records),
  morningBrief: extension(records),
  selectedIndicators: records,
  scans: records,
  calendarReminders: records,
  chartLevels: records,
  savedOdds: records,
  variantsOfOdds: records,
  questionsADay: records,
  followedSubmitters: extension(records),
  mutedCalls: extension(records),
  ledgerReference: records,
  calls: records,
  corrections: records,
  administration: records,
  broadcasts: records,
  firings: records,
});

export const secondFactorAnswer = object(
  {
    on: boolean,
    /** True if the server requires two-factor login before this account can administer. */
    demanded: or(boolean, false),
    recoveryCodesLeft: or(count, 0),
  },
  ['on'],
);

/** Answer of `POST /api/settings/second-factor/begin`: data for an authenticator app. */
export const begunAnswer = object(
  {
    /** Base32. */
    secret: words,
    /** An `otpauth:` address that includes the secret. */
    address: words,
  },
  ['secret', 'address'],
);

/** Recovery codes, which are shown only once. */
export const recoveryCodesAnswer = object({ recoveryCodes: list(words) }, ['recoveryCodes']);

/** A user's upgrade request after the user changed it. */
export const statusAnswer = object({
  requestedSubscriptionType: orNull(paidPlan),
  upgradeDeclinedReason: orNull(text),
});

const accountAnswer = object(
  {
    id: count,
    username: or(text, ''),
    subscriptionType: extension(plan),
    requestedSubscriptionType: paidPlan,
    requestedAt: extension(orNull(isoTime)),
  },
  ['id', 'requestedSubscriptionType'],
);

export const upgradeRequest = readBy(accountAnswer, (value) =>
  isRecord(value) ? accountAnswer.read({ ...value, id: count.read(value['id']) ?? value['userId'] }) : null,
);

/** Answer of `GET /api/admin/upgrade-requests` (specification 7.7), oldest first. */
export const requestsAnswer = object({ requests: list(upgradeRequest) });

export const decidedAnswer = object({ success: done, username: text });
