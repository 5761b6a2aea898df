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
import { object, ours } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import { isRecord } from '#lib/json.ts';
import { readCount, readText } from '#lib/read.ts';
import { paidPlan, plan } from './plans.ts';

/** An account of which the server says no level has the lowest. */
const LOWEST_LEVEL = 1;

const accessLevel = readBy(sent(integer, { minimum: LOWEST_LEVEL, maximum: 4 }), (value) =>
  Math.max(LOWEST_LEVEL, readCount(value) ?? LOWEST_LEVEL),
);

/** `POST /api/login` and `POST /api/register` (specification 7.1). */
export const authenticatedAnswer = object({
  authenticated: or(done, false),
  /** Null or '' when the person is not signed in. */
  accessToken: text,
  accessLevel,
  /** A refusal that comes as a 409 is read too. */
  error: readBy(nothing, readText),
});

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

/** `GET /api/settings/second-factor`. */
export const secondFactorAnswer = object(
  {
    on: boolean,
    /** The server demands it of this account before it can administer. */
    demanded: or(boolean, false),
    recoveryCodesLeft: or(count, 0),
  },
  ['on'],
);

/** `POST /api/settings/second-factor/begin`: what an authenticator app is given. */
export const begunAnswer = object(
  {
    /** Base32. */
    secret: words,
    /** An `otpauth:` address with the secret in it. */
    address: words,
  },
  ['secret', 'address'],
);

/** Recovery codes, which are told this once. */
export const recoveryCodesAnswer = object({ recoveryCodes: list(words) }, ['recoveryCodes']);

/** What stands of a person's request once theirs was done. */
export const standingAnswer = object({
  requestedSubscriptionType: orNull(paidPlan),
  /** Why the last one was declined. */
  upgradeDeclinedReason: orNull(text),
});

const told = object(
  {
    /** The user's. */
    id: count,
    username: or(text, ''),
    subscriptionType: ours(plan),
    requestedSubscriptionType: paidPlan,
    /** Null when it is not known. */
    requestedAt: ours(orNull(isoTime)),
  },
  ['id', 'requestedSubscriptionType'],
);

/** A request for a plan that waits for an administrator. */
export const upgradeRequest = readBy(told, (value) =>
  isRecord(value) ? told.read({ ...value, id: count.read(value['id']) ?? value['userId'] }) : null,
);

/** `GET /api/admin/upgrade-requests` (specification 7.7), oldest first. */
export const requestsAnswer = object({ requests: list(upgradeRequest) });

/** `POST /api/admin/approve-upgrade` and `/decline-upgrade`. */
export const decidedAnswer = object({ success: done, username: text });
