import { NOWHERE } from '#subjects/alerts/rules/alert.ts';
import { checkAlertName, checkDestinations } from '#subjects/alerts/rules/alertRules.ts';
import { checkEventGuard } from '#subjects/alerts/rules/eventGuard.ts';
import { checkSnooze } from '#subjects/alerts/rules/snooze.ts';
import { checkManner, type Manner, PLAIN_MANNER } from '#subjects/alerts/rules/manner.ts';
import {
  COOLDOWN_MINUTES,
  DAY_MAXIMUM,
  MAX_SCAN_ALERTS,
  MINUTE_MAXIMUM,
  type ScanAlert,
} from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import {
  checkCount,
  checkEvent,
  checkScope,
  checkWatchedScan,
} from '#subjects/alerts/rules/scanAlerts/scanAlertRules.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import { refuseTooManyGroups } from '../groups.ts';
import { type ScanAlertChange, type ScanAlertRow, toScanAlert, type ScanAlertStore } from './store.ts';
import type { FilterList } from '#market/scanners/rules/scanFilters.ts';
import type { AccessLevel } from '#platform/http/rules/accessLevel.ts';
import type { Places } from '#subjects/alerts/rules/recipient.ts';
import type { SentTo } from '#platform/outbox/rules/delivery.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { Market } from '#market/types.ts';
import type { Indicators } from '#subjects/indicators/server/service.ts';
import type { ScanEngine } from './engine/engine.ts';

/** What the use cases of scan alerts work with. */
export type ScanAlertsDeps = {
  store: ScanAlertStore;
  clock: SystemClock;
  market: Pick<Market, 'get' | 'date'>;
  indicators: Pick<Indicators, 'alertsChanged' | 'scansOf' | 'alertShortage'>;
  engine: Pick<ScanEngine, 'put' | 'remove' | 'muted' | 'inScan'>;
  /** What became of the messages of triggers by platform; a trigger without messages has no entry. */
  sentOf(kind: 'scan', triggerIds: readonly number[]): ReadonlyMap<number, SentTo[]>;
  /** The chats and devices of a user, working or not. */
  placesOf(userId: number): Places;
  /** The lists of a user. */
  listsOf(userId: number): readonly FilterList[];
  /** What the user's plan gives. */
  levelOf(userId: number): AccessLevel;
  /** A scan alert of the user was added, changed or removed. */
  changed(userId: number, id: number): void;
};

/** A scan alert as it was sent. What is absent stays as it is, or begins as usual. */
export type SentScanAlert = {
  name?: unknown;
  scan?: unknown;
  event?: unknown;
  scope?: unknown;
  cooldown_minutes?: unknown;
  day_maximum?: unknown;
  minute_maximum?: unknown;
  active?: boolean | undefined;
  destinations?: unknown;
  event_guard?: unknown;
  urgent?: unknown;
  group?: unknown;
  sound?: unknown;
  /** ISO 8601; null ends the snooze. */
  snoozed_until?: unknown;
  /** The version that the change was made on; without it the last change wins. */
  version?: number | undefined;
};

/** `conflict`: somebody changed it first, and it is as it was. */
export type ChangedScanAlert = { kind: 'changed' | 'conflict'; alert: ScanAlert };

export const missing = (): AppError =>
  new AppError(404, 'That scan alert does not exist any more. Reload the list.');

const LIMIT_WORDS = {
  cooldown: 'The time for which a stock is not told again, in minutes,',
  day: 'How often one stock is told in a day',
  minute: 'How many messages there are in a minute',
};

/** Takes a stored alert up wherever it works. */
export function takeUp({ engine, indicators, changed }: ScanAlertsDeps, row: ScanAlertRow): ScanAlert {
  const alert = toScanAlert(row);
  engine.put(alert);
  indicators.alertsChanged([row.userId]);
  changed(row.userId, row.id);
  return alert;
}

type Choice = Omit<ScanAlert, 'id' | 'userId' | 'version' | 'lastTriggeredAt' | 'snoozedUntil'>;

/** What an alert begins with. */
const START = {
  name: null,
  event: 'enters',
  scope: 'market',
  cooldownMinutes: COOLDOWN_MINUTES.start,
  dayMaximum: DAY_MAXIMUM.start,
  minuteMaximum: MINUTE_MAXIMUM.start,
  active: true,
  destinations: NOWHERE,
  guard: null,
  ...PLAIN_MANNER,
} as const satisfies Omit<Choice, 'scan'>;

/** @param before null for a new alert @throws AppError 400 naming what is at fault */
function chosen(deps: ScanAlertsDeps, userId: number, sent: SentScanAlert, before: Choice | null): Choice {
  const base: Omit<Choice, 'scan'> = before ?? START;
  const event = sent.event === undefined ? base.event : accepted(checkEvent(sent.event));
  const scope = sent.scope === undefined ? base.scope : accepted(checkScope(sent.scope));
  const active = sent.active ?? base.active;
  const isSameScan = sent.scan === undefined || Bun.deepEquals(sent.scan, before?.scan);
  // What stays is not judged again, so that an alert whose scan is gone can still be renamed, and switched off.
  const isJudged = !before || !isSameScan || event !== before.event || (active && !before.active);
  const scan = isJudged
    ? accepted(
        checkWatchedScan(
          sent.scan ?? before?.scan,
          event,
          deps.indicators.scansOf(userId),
          deps.listsOf(userId),
        ),
      )
    : before.scan;
  const count = (value: unknown, kept: number, check: (value: unknown) => ReturnType<typeof checkCount>) =>
    value === undefined ? kept : accepted(check(value));
  return {
    scan,
    event,
    scope,
    active,
    name: sent.name === undefined ? base.name : accepted(checkAlertName(sent.name)),
    cooldownMinutes: count(sent.cooldown_minutes, base.cooldownMinutes, (value) =>
      checkCount(value, 'cooldown_minutes', LIMIT_WORDS.cooldown, COOLDOWN_MINUTES),
    ),
    dayMaximum: count(sent.day_maximum, base.dayMaximum, (value) =>
      checkCount(value, 'day_maximum', LIMIT_WORDS.day, DAY_MAXIMUM),
    ),
    minuteMaximum: count(sent.minute_maximum, base.minuteMaximum, (value) =>
      checkCount(value, 'minute_maximum', LIMIT_WORDS.minute, MINUTE_MAXIMUM),
    ),
    destinations: accepted(checkDestinations(sent.destinations, base.destinations)),
    guard: sent.event_guard === undefined ? base.guard : accepted(checkEventGuard(sent.event_guard)),
    ...chosenManner(deps, userId, sent, base),
  };
}

function chosenManner({ store }: ScanAlertsDeps, userId: number, sent: SentScanAlert, base: Manner): Manner {
  const manner = accepted(checkManner(sent, base));
  if (manner.group !== base.group) refuseTooManyGroups(manner.group, () => store.groups(userId));
  return manner;
}

function toColumns({ destinations, ...choice }: Choice) {
  return { ...choice, ...destinations };
}

/** @param used how many count against the plan's limit @throws AppError 400 */
function refuseTooMany(deps: ScanAlertsDeps, userId: number, used: number): void {
  const limit = MAX_SCAN_ALERTS[deps.levelOf(userId)];
  if (used < limit) return;
  const more = limit < MAX_SCAN_ALERTS[3] ? ' A larger plan has more.' : '';
  throw new AppError(
    400,
    `Your plan has ${limit} alerts on whole scans, and you use ${used}. Delete one or switch it off first.${more}`,
  );
}

/** A plan counts the alerts that are on, and twice as many may be kept. */
export const KEPT_FOR_EACH = 2;

function refuseMoreKept(deps: ScanAlertsDeps, userId: number): void {
  const most = MAX_SCAN_ALERTS[deps.levelOf(userId)] * KEPT_FOR_EACH;
  if (deps.store.count(userId) < most) return;
  throw new AppError(
    400,
    `You already have ${most} alerts on whole scans. Delete one before you add another.`,
  );
}

/**
 * Adds a scan alert, within a caller's transaction too: nothing but the database knows of it then.
 * @throws AppError 400 naming what is at fault
 */
export function putScanAlert(deps: ScanAlertsDeps, userId: number, sent: SentScanAlert): ScanAlertRow {
  const choice = chosen(deps, userId, sent, null);
  refuseMoreKept(deps, userId);
  if (choice.active) refuseTooMany(deps, userId, deps.store.activeCount(userId, null));
  const now = deps.clock.now();
  return deps.store.insert({ userId, ...toColumns(choice), createdAt: now, updatedAt: now });
}

/** @throws AppError 400 naming what is at fault */
export const createScanAlert = (deps: ScanAlertsDeps, userId: number, sent: SentScanAlert): ScanAlert =>
  takeUp(deps, putScanAlert(deps, userId, sent));

const isNews = (row: ScanAlertRow, change: ScanAlertChange): boolean =>
  Object.entries(change).some(([key, value]) => !Bun.deepEquals(row[key as keyof ScanAlertRow], value));

/**
 * Changes what was sent of a scan alert. A change that says nothing new is none.
 * @throws AppError 400 naming what is at fault, 404 when there is no such alert of the user's
 */
export function changeScanAlert(
  deps: ScanAlertsDeps,
  userId: number,
  id: number,
  sent: SentScanAlert,
): ChangedScanAlert {
  const { store, clock } = deps;
  const row = store.own(userId, id);
  if (!row) throw missing();
  if (sent.version !== undefined && sent.version !== row.version) {
    return { kind: 'conflict', alert: toScanAlert(row) };
  }
  const choice = chosen(deps, userId, sent, toScanAlert(row));
  const isSwitchedOn = choice.active && !row.active;
  if (isSwitchedOn) refuseTooMany(deps, userId, deps.store.activeCount(userId, id));
  const snoozedUntil =
    sent.snoozed_until === undefined
      ? isSwitchedOn
        ? null
        : row.snoozedUntil
      : accepted(checkSnooze(sent.snoozed_until, clock.now()));
  const columns = toColumns(choice);
  const change = { ...columns, snoozedUntil };
  if (!isNews(row, change)) return { kind: 'changed', alert: toScanAlert(row) };
  const version = isNews(row, columns) ? row.version + 1 : row.version;
  const changed = store.update(userId, id, { ...change, version, updatedAt: clock.now() });
  if (!changed) throw missing();
  return { kind: 'changed', alert: takeUp(deps, changed) };
}
