import { serverNow } from '#web/live/market.ts';
import { computed, effect, batch } from '@preact/signals-react';
import { type AlertMessage, saySession, takeAlertLine } from '../shared/alertLine.ts';
import { followAlertPreferences } from '../shared/alertPreferences.ts';
import {
  type AlertTrigger,
  publishAlert,
  publishAlertConnection,
  scanAlertsChanged,
  type AlertEvent,
} from '../shared/alertStream.ts';
import { publishHidden, publishUnseen } from '../shared/unseenTriggers.ts';
import { ownCallsChanged } from '#subjects/calls/web/shared/ownCallTurns.ts';
import { route } from '#web/router/router.ts';
import { WATCHLIST_PATH, isOpenTo, routeAt, SETTINGS_PATH } from '#web/router/routes.ts';
import { session, setAccessLevel } from '#subjects/accounts/web/shared/session/session.ts';
import { setUpChanged, patchSettings, type Settings, settings } from '#web/shared/settings.ts';
import { onStored, readStored, writeStored } from '#web/shared/storage.ts';
import { readAccountChange } from '#web/shared/accountChange.ts';
import { PLAN_NAMES } from '#subjects/accounts/rules/upgrade.ts';
import { parseJson, isRecord } from '#lib/json.ts';
import { readRecord, readCount, readList, readText } from '#lib/read.ts';
import { request } from '#web/api/client.ts';
import { currentHash, goTo } from '#web/router/navigate.ts';
import { pathOf } from '#web/router/resolveRoute.ts';
import { showSnackbar } from '#ui/Snackbar.tsx';
import { userOf } from '#subjects/accounts/web/shared/session/interruption.ts';
import { boolean, choice, count, epochMs, list, or, trimmed } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { ALERT_SOUNDS } from '#subjects/alerts/rules/alert.ts';
import { seenCondition } from '#subjects/alerts/answers/alert.ts';

const told = {
  triggerId: count,
  timestamp: epochMs,
  marketTime: epochMs,
  silent: or(boolean, false),
  symbol: trimmed,
  name: trimmed,
  text: trimmed,
  sound: choice(ALERT_SOUNDS),
  seen: list(seenCondition),
};
const stockTrigger = object({ ...told, alertId: count, deactivated: or(boolean, false) }, ['alertId']);
const scanTrigger = object({ ...told, scanAlertId: count }, ['scanAlertId']);
const change = object({ alertId: count, symbol: trimmed });

function dataOf(text: string): unknown {
  const json = parseJson(text);
  return json.ok ? json.value : null;
}

function readTrigger(data: unknown, id: string, now: number): AlertTrigger | null {
  const event = stockTrigger.read(data);
  if (!event) return null;
  const { alertId, triggerId, timestamp, marketTime, ...shown } = event;
  return {
    ...shown,
    // Without the trigger's own id the alert and the moment name it.
    key: triggerId === null ? `${alertId} ${timestamp ?? (id || now)}` : `#${triggerId}`,
    of: 'stock',
    alertId,
    at: timestamp ?? now,
    marketAt: marketTime ?? timestamp ?? now,
  };
}

/** A stock, or a sum of several, that an alert on a whole scan told; null for what can't be read. */
function readScanTrigger(data: string, now: number): AlertTrigger | null {
  const event = scanTrigger.read(dataOf(data));
  if (!event) return null;
  const { scanAlertId, triggerId, timestamp, marketTime, ...shown } = event;
  const at = timestamp ?? now;
  return {
    ...shown,
    key: `scan ${triggerId ?? `${scanAlertId} ${at}`}`,
    of: 'scan',
    alertId: scanAlertId,
    at,
    marketAt: marketTime ?? at,
    deactivated: false,
  };
}

/**
 * An event of the alert stream (specification 7.3).
 * @param id of the event in the stream; '' when it has none
 * @param now stands in for a time that the server does not give, epoch ms
 * @returns null for what can't be read, which is ignored
 */
function readAlertEvent(
  name: 'alert_triggered' | 'alert_changed',
  data: string,
  id: string,
  now: number,
): AlertEvent | null {
  const event = dataOf(data);
  if (name === 'alert_triggered') {
    const trigger = readTrigger(event, id, now);
    return trigger && { type: 'triggered', trigger };
  }
  // Also without a readable body: something changed.
  return { type: 'changed', ...(change.read(event) ?? { alertId: null, symbol: null }) };
}

/** More are not counted one by one. */
const MAX_UNSEEN = 200;
/** As many as the server may tell again after a break. */
const MAX_RECENT = 200;

/** What this browser keeps of a user's alerts over reloads, for all of its windows. */
type KeptAlerts = {
  /** The keys of triggers that were not seen on the watchlist yet. */
  unseen: readonly string[];
  /** The keys of those that a window was told of last, seen or not. */
  recent: readonly string[];
  /** When the newest of those that were seen fired, by the server's clock. */
  seenAt: number;
  /** The last event of the stream. */
  lastEventId: string;
};

const NOTHING: KeptAlerts = { unseen: [], recent: [], seenAt: 0, lastEventId: '' };

/** Where they are kept; null for a token that can't be read. */
function keptAlertsKey(token: string | null): string | null {
  const user = userOf(token);
  return user === null ? null : `bellbird.alerts.${user}`;
}

function accept(value: unknown): KeptAlerts | null {
  if (!isRecord(value)) return null;
  const { unseen, recent, seenAt, lastEventId } = readRecord(value);
  return {
    unseen: readList(unseen, readText),
    recent: readList(recent, readText),
    seenAt: readCount(seenAt) ?? 0,
    lastEventId: readText(lastEventId) ?? '',
  };
}

/** @param key null keeps nothing */
const readKeptAlerts = (key: string | null): KeptAlerts =>
  (key === null ? null : readStored(key, accept)) ?? NOTHING;

function write(key: string | null, kept: KeptAlerts): KeptAlerts {
  if (key !== null) writeStored(key, kept);
  return kept;
}

/** Notes that a trigger was told; what another window has noted already changes nothing. */
function keepTrigger(key: string | null, before: KeptAlerts, trigger: AlertTrigger): KeptAlerts {
  const kept = key === null ? before : readKeptAlerts(key);
  if (kept.recent.includes(trigger.key)) return kept;
  const isUnseen = trigger.at > kept.seenAt && !kept.unseen.includes(trigger.key);
  return write(key, {
    ...kept,
    recent: [...kept.recent, trigger.key].slice(-MAX_RECENT),
    unseen: isUnseen ? [...kept.unseen, trigger.key].slice(-MAX_UNSEEN) : kept.unseen,
  });
}

/** Notes the last event, from which the stream goes on after a reload. */
function keepEventId(key: string | null, before: KeptAlerts, lastEventId: string): KeptAlerts {
  const kept = key === null ? before : readKeptAlerts(key);
  return kept.lastEventId === lastEventId ? kept : write(key, { ...kept, lastEventId });
}

/** Notes that all were seen that fired until then, by the server's clock. */
function keepSeen(key: string | null, before: KeptAlerts, at: number): KeptAlerts {
  const kept = key === null ? before : readKeptAlerts(key);
  if (kept.unseen.length === 0) return kept;
  return write(key, { ...kept, unseen: [], seenAt: Math.max(kept.seenAt, at) });
}

/** The account may do something else than before, or the stream was opened: this window shows it at once. */
function takeAccount(data: string): void {
  const json = parseJson(data);
  const before = settings.peek();
  const change = readAccountChange(readRecord(json.ok ? json.value : null));
  const level = change.accessLevel ?? null;
  const isShut = level !== null && isShutTo(level);
  batch(() => {
    // Before the screen would say that there is nothing.
    if (isShut) goTo(SETTINGS_PATH);
    if (level !== null) setAccessLevel(level);
    patchSettings(change);
  });
  const news = isShut ? 'You are no longer an administrator.' : newsOf(before, change);
  if (news !== null) showSnackbar(news);
}

/** Whether what is shown is not for this level any more. */
function isShutTo(level: number): boolean {
  const shown = routeAt(pathOf(currentHash.peek()));
  return shown !== undefined && !isOpenTo(shown, level);
}

/** What a person did not do in this window, in a sentence; null for nothing of note. */
function newsOf(before: Settings | null, change: Partial<Settings>): string | null {
  if (before === null) return null;
  const { subscriptionType, upgradeDeclinedReason } = change;
  if (subscriptionType !== undefined && subscriptionType !== before.subscriptionType) {
    return `You are now on the ${PLAN_NAMES[subscriptionType]} plan.`;
  }
  return upgradeDeclinedReason && !before.upgradeDeclinedReason
    ? 'Your upgrade request was declined. See the reason in Settings.'
    : null;
}

/** Asks the server for anything: a call that is refused for the session ends it. */
function askWhetherOver(): void {
  request('GET /api/settings').catch(() => undefined);
}

/** A trigger that is told so late, as after a closed lid, only counts. */
const OLD_MS = 15 * 60_000;
/** A window remembers this many triggers that it was told of. */
const MAX_TOLD = 1000;

export type AlertSigns = {
  /** Shows a trigger in this window. */
  show(trigger: AlertTrigger): void;
  /** Makes a sound or a notification, in one window of this browser. */
  sound(trigger: AlertTrigger): void;
  /** The session is another one, or over. */
  clear(): void;
};

type Watching = {
  readonly signs: AlertSigns;
  /** Where this user's alerts are kept; null for nowhere. */
  key: string | null;
  kept: KeptAlerts;
  /** The keys of triggers that this window was told of. */
  told: Set<string>;
  newestAt: number;
  hasAskedWhy: boolean;
};

/**
 * Listens to the signed-in user's alerts in this window: passes on what is new, counts what was not seen, and clears the
 * count when the watchlist is in sight. Returns the stop function.
 */
export function startAlerts(signs: AlertSigns): () => void {
  const watching: Watching = {
    signs,
    key: null,
    kept: readKeptAlerts(null),
    told: new Set(),
    newestAt: 0,
    hasAskedWhy: false,
  };
  // A change of the level alone is no other session.
  const token = computed(() => session.value.accessToken);
  const stops = [
    followAlertPreferences(),
    effect(() => begin(watching, token.value)),
    effect(() => {
      if (route.value?.path === WATCHLIST_PATH) see(watching);
    }),
    watchWindow(watching),
  ];
  takeAlertLine((message) => take(watching, message));
  return () => {
    for (const stop of stops) stop();
    takeAlertLine(null);
    begin(watching, null);
    saySession({ token: null, lastEventId: '' });
    publishAlertConnection('connecting');
  };
}

/** Listens for a session. */
function begin(watching: Watching, token: string | null): void {
  watching.key = keptAlertsKey(token);
  watching.kept = readKeptAlerts(watching.key);
  watching.told = new Set(watching.kept.recent);
  watching.newestAt = watching.kept.seenAt;
  watching.hasAskedWhy = false;
  watching.signs.clear();
  publishUnseen(watching.kept.unseen.length);
  tell(watching, token);
}

/** The window that says it last is the one that makes sounds: the one that somebody uses. */
function tell({ key }: Watching, token = session.peek().accessToken): void {
  saySession({ token, lastEventId: readKeptAlerts(key).lastEventId });
}

function watchWindow(watching: Watching): () => void {
  const focused = () => tell(watching);
  const shown = () => {
    publishHidden(document.hidden);
    if (!document.hidden && route.peek()?.path === WATCHLIST_PATH) see(watching);
  };
  let stopStored = (): void => undefined;
  const stopFollowing = effect(function followOtherWindows() {
    const key = keptAlertsKey(session.value.accessToken);
    stopStored();
    stopStored = key === null ? () => undefined : onStored([key], () => keep(watching, readKeptAlerts(key)));
  });
  window.addEventListener('focus', focused);
  document.addEventListener('visibilitychange', shown);
  shown();
  return () => {
    window.removeEventListener('focus', focused);
    document.removeEventListener('visibilitychange', shown);
    stopFollowing();
    stopStored();
  };
}

function keep(watching: Watching, kept: KeptAlerts): void {
  watching.kept = kept;
  publishUnseen(kept.unseen.length);
}

/** The watchlist is in sight: what fired until now is seen. */
function see(watching: Watching): void {
  if (!document.hidden) keep(watching, keepSeen(watching.key, watching.kept, watching.newestAt));
}

function take(watching: Watching, message: AlertMessage): void {
  if (message.type === 'alertConnection') {
    keepPlace(watching, message.lastEventId);
    return takeConnection(watching, message.connection);
  }
  if (message.name === 'account_changed') return takeAccount(message.data);
  if (message.name === 'sessions_ended') return askWhetherOver();
  if (message.name === 'calls_changed') return ownCallsChanged();
  if (message.name === 'set_up_changed') return setUpChanged();
  // A computer whose own clock is wrong must not take a fresh trigger for an old one.
  const now = serverNow();
  if (message.name === 'scan_alert_changed') return scanAlertsChanged();
  if (message.name === 'scan_alert_triggered') {
    const trigger = readScanTrigger(message.data, now);
    keepPlace(watching, message.id);
    scanAlertsChanged();
    return trigger === null ? undefined : takeTrigger(watching, trigger, message.isLead, now);
  }
  const event = readAlertEvent(message.name, message.data, message.id, now);
  keepPlace(watching, message.id);
  if (event === null) return;
  if (event.type === 'triggered') return takeTrigger(watching, event.trigger, message.isLead, now);
  publishAlert(event);
  // Who was away is told to read everything again.
  if (event.alertId !== null || event.symbol !== null) return;
  ownCallsChanged();
  scanAlertsChanged();
}

/** A reload goes on from there. */
function keepPlace(watching: Watching, eventId: string): void {
  if (eventId) keep(watching, keepEventId(watching.key, watching.kept, eventId));
}

function takeTrigger(watching: Watching, trigger: AlertTrigger, isLead: boolean, now: number): void {
  const { told, signs } = watching;
  // Shown already, perhaps in another window while this one began: what lists alerts has to know it all the same.
  if (told.has(trigger.key)) return publishAlert({ type: 'triggered', trigger });
  told.add(trigger.key);
  if (told.size > MAX_TOLD) for (const oldest of [...told].slice(0, MAX_TOLD / 2)) told.delete(oldest);
  // Snoozed: its owner wants to hear nothing of it.
  if (trigger.silent) return publishAlert({ type: 'triggered', trigger });
  watching.newestAt = Math.max(watching.newestAt, trigger.at);
  keep(watching, keepTrigger(watching.key, watching.kept, trigger));
  if (route.peek()?.path === WATCHLIST_PATH) see(watching);
  publishAlert({ type: 'triggered', trigger });
  if (now - trigger.at > OLD_MS) return;
  signs.show(trigger);
  if (isLead) signs.sound(trigger);
}

function takeConnection(watching: Watching, connection: Parameters<typeof publishAlertConnection>[0]): void {
  publishAlertConnection(connection);
  if (connection === 'live') watching.hasAskedWhy = false;
  if (connection !== 'disconnected' || watching.hasAskedWhy) return;
  watching.hasAskedWhy = true;
  // A stream does not tell why it was refused.
  askWhetherOver();
}
