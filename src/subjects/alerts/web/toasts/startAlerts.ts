import { serverNow } from '#web/live/market.ts';
import { computed, effect, batch } from '@preact/signals-react';
import {
  type AlertMessage,
  sendSession,
  takeAlertLine,
  type AlertTrigger,
  publishAlert,
  publishAlertConnection,
  scanAlertsChanged,
  type AlertEvent,
  publishHidden,
  publishUnseen,
} from '../shared/alertStream.ts';
import { followAlertPreferences } from '../shared/alertPreferences.ts';
import { ownCallsChanged } from '#subjects/calls/web/shared/callSignals.ts';
import { route } from '#web/router/router.ts';
import { WATCHLIST_PATH, isOpenTo, routeAt, SETTINGS_PATH } from '#web/router/routes.ts';
import { session, setAccessLevel } from '#subjects/accounts/web/shared/session/session.ts';
import { loadSettings, setUpChanged, patchSettings, type Settings, settings } from '#web/shared/settings.ts';
import { onStored, readStored, writeStored } from '#web/shared/storage.ts';
import { readAccountChange } from '#web/shared/accountChange.ts';
import { PLAN_NAMES } from '#subjects/accounts/rules/upgrade.ts';
import { parseJson, isRecord } from '#lib/json.ts';
import { readRecord, readCount, readList, readText } from '#lib/read.ts';
import { request } from '#web/api/client.ts';
import { currentHash, goTo, pathOf } from '#web/router/navigate.ts';
import { showSnackbar } from '#ui/Snackbar.tsx';
import { userOf } from '#subjects/accounts/web/shared/session/interruption.ts';
import { boolean, choice, count, epochMs, list, or, trimmed } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { ALERT_SOUNDS } from '#subjects/alerts/answers/options.ts';
import { seenCondition } from '#subjects/alerts/answers/alert.ts';

const triggerMembers = {
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
const stockTrigger = object({ ...triggerMembers, alertId: count, deactivated: or(boolean, false) }, [
  'alertId',
]);
const scanTrigger = object({ ...triggerMembers, scanAlertId: count }, ['scanAlertId']);
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
    // Without a trigger id, the alert and the time identify it.
    key: triggerId === null ? `${alertId} ${timestamp ?? (id || now)}` : `#${triggerId}`,
    of: 'stock',
    alertId,
    at: timestamp ?? now,
    marketAt: marketTime ?? timestamp ?? now,
  };
}

/** A trigger of a scan alert, for one stock or a summary of several; null if unreadable. */
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
 * Reads an event of the alert stream (specification 7.3).
 * @param id event id in the stream; '' if it has none
 * @param now replaces a missing time, epoch ms
 * @returns null if the event is unreadable
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
  return { type: 'changed', ...(change.read(event) ?? { alertId: null, symbol: null }) };
}

/** Maximum number of unseen triggers that are counted. */
const MAX_UNSEEN = 200;
/** Limit of stored keys. The server repeats at most this many triggers after a reconnect. */
const MAX_RECENT = 200;

/** Kept per user across reloads, shared by all windows of this browser. */
type KeptAlerts = {
  /** Keys of triggers that the watchlist has not shown yet. */
  unseen: readonly string[];
  /** Keys of the last triggers received, seen or not. */
  recent: readonly string[];
  /** Time of the newest seen trigger, server time, epoch ms. */
  seenAt: number;
  /** Last event id of the stream. */
  lastEventId: string;
};

const NOTHING: KeptAlerts = { unseen: [], recent: [], seenAt: 0, lastEventId: '' };

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

const readKeptAlerts = (key: string | null): KeptAlerts =>
  (key === null ? null : readStored(key, accept)) ?? NOTHING;

function write(key: string | null, kept: KeptAlerts): KeptAlerts {
  if (key !== null) writeStored(key, kept);
  return kept;
}

/** Records a trigger. Has no effect if another window already recorded it. */
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

function keepEventId(key: string | null, before: KeptAlerts, lastEventId: string): KeptAlerts {
  const kept = key === null ? before : readKeptAlerts(key);
  return kept.lastEventId === lastEventId ? kept : write(key, { ...kept, lastEventId });
}

/** Marks all triggers up to `at` (server time) as seen. */
function keepSeen(key: string | null, before: KeptAlerts, at: number): KeptAlerts {
  const kept = key === null ? before : readKeptAlerts(key);
  if (kept.unseen.length === 0) return kept;
  return write(key, { ...kept, unseen: [], seenAt: Math.max(kept.seenAt, at) });
}

/** Applies an account change. Also runs when the stream opens. */
function receiveAccount(data: string): void {
  const json = parseJson(data);
  const before = settings.peek();
  const change = readAccountChange(readRecord(json.ok ? json.value : null));
  const level = change.accessLevel ?? null;
  const isShut = level !== null && isShutTo(level);
  batch(() => {
    // Navigates first, so that the closed screen does not appear empty.
    if (isShut) goTo(SETTINGS_PATH);
    if (level !== null) setAccessLevel(level);
    patchSettings(change);
  });
  const plan = change.subscriptionType;
  if (before !== null && plan !== undefined && plan !== before.subscriptionType) {
    // Open screens show the limits of the new plan.
    void loadSettings();
    scanAlertsChanged();
  }
  const news = isShut ? 'You are no longer an administrator.' : newsOf(before, change);
  if (news !== null) showSnackbar(news);
}

function isShutTo(level: number): boolean {
  const shown = routeAt(pathOf(currentHash.peek()));
  return shown !== undefined && !isOpenTo(shown, level);
}

/** Describes a change that was made elsewhere; null if it needs no message. */
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

/** Sends a request to find out whether the session has ended: the refusal of any request ends it. */
function askWhetherOver(): void {
  request('GET /api/settings').catch(() => undefined);
}

/** Triggers older than this (ms), for example after sleep, are counted but not shown. */
const OLD_MS = 15 * 60_000;
const MAX_SHOWN = 1000;

export type AlertSigns = {
  show(trigger: AlertTrigger): void;
  /** Plays a sound or shows a notification, in only one window per browser. */
  sound(trigger: AlertTrigger): void;
  clear(): void;
};

type Watching = {
  readonly signs: AlertSigns;
  key: string | null;
  kept: KeptAlerts;
  shown: Set<string>;
  newestAt: number;
  hasAskedWhy: boolean;
};

/**
 * Handles the user's alerts in this window: shows new ones and counts unseen ones. The count resets while the
 * watchlist is visible. Returns the stop function.
 */
export function startAlerts(signs: AlertSigns): () => void {
  const watching: Watching = {
    signs,
    key: null,
    kept: readKeptAlerts(null),
    shown: new Set(),
    newestAt: 0,
    hasAskedWhy: false,
  };
  // Compares tokens, because a change of the access level is not a new session.
  const token = computed(() => session.value.accessToken);
  const stops = [
    followAlertPreferences(),
    effect(() => begin(watching, token.value)),
    effect(() => {
      if (route.value?.path === WATCHLIST_PATH) see(watching);
    }),
    watchWindow(watching),
  ];
  takeAlertLine((message) => receive(watching, message));
  return () => {
    for (const stop of stops) stop();
    takeAlertLine(null);
    begin(watching, null);
    sendSession({ token: null, lastEventId: '' });
    publishAlertConnection('connecting');
  };
}

function begin(watching: Watching, token: string | null): void {
  watching.key = keptAlertsKey(token);
  watching.kept = readKeptAlerts(watching.key);
  watching.shown = new Set(watching.kept.recent);
  watching.newestAt = watching.kept.seenAt;
  watching.hasAskedWhy = false;
  watching.signs.clear();
  publishUnseen(watching.kept.unseen.length);
  notify(watching, token);
}

/** Announces this window. The last one to announce itself plays the sounds, which makes it the focused one. */
function notify({ key }: Watching, token = session.peek().accessToken): void {
  sendSession({ token, lastEventId: readKeptAlerts(key).lastEventId });
}

function watchWindow(watching: Watching): () => void {
  const focused = () => notify(watching);
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

function see(watching: Watching): void {
  if (!document.hidden) keep(watching, keepSeen(watching.key, watching.kept, watching.newestAt));
}

function receive(watching: Watching, message: AlertMessage): void {
  if (message.type === 'alertConnection') {
    keepPlace(watching, message.lastEventId);
    return receiveConnection(watching, message.connection);
  }
  if (message.name === 'account_changed') return receiveAccount(message.data);
  if (message.name === 'sessions_ended') return askWhetherOver();
  if (message.name === 'calls_changed') return ownCallsChanged();
  if (message.name === 'set_up_changed') return setUpChanged();
  // Uses the server's time: a wrong local clock would make a new trigger look old.
  const now = serverNow();
  if (message.name === 'scan_alert_changed') return scanAlertsChanged();
  if (message.name === 'scan_alert_triggered') {
    const trigger = readScanTrigger(message.data, now);
    keepPlace(watching, message.id);
    scanAlertsChanged();
    return trigger === null ? undefined : receiveTrigger(watching, trigger, message.isLead, now);
  }
  const event = readAlertEvent(message.name, message.data, message.id, now);
  keepPlace(watching, message.id);
  if (event === null) return;
  if (event.type === 'triggered') return receiveTrigger(watching, event.trigger, message.isLead, now);
  publishAlert(event);
  // Null ids mean that events were missed: reload everything.
  if (event.alertId !== null || event.symbol !== null) return;
  ownCallsChanged();
  scanAlertsChanged();
}

/** Stores the event id from which a reload resumes. */
function keepPlace(watching: Watching, eventId: string): void {
  if (eventId) keep(watching, keepEventId(watching.key, watching.kept, eventId));
}

function receiveTrigger(watching: Watching, trigger: AlertTrigger, isLead: boolean, now: number): void {
  const { shown, signs } = watching;
  // The trigger was already shown, perhaps in another window. Lists still need it.
  if (shown.has(trigger.key)) return publishAlert({ type: 'triggered', trigger });
  shown.add(trigger.key);
  if (shown.size > MAX_SHOWN) for (const oldest of [...shown].slice(0, MAX_SHOWN / 2)) shown.delete(oldest);
  // The alert is snoozed: no toast and no sound.
  if (trigger.silent) return publishAlert({ type: 'triggered', trigger });
  watching.newestAt = Math.max(watching.newestAt, trigger.at);
  keep(watching, keepTrigger(watching.key, watching.kept, trigger));
  if (route.peek()?.path === WATCHLIST_PATH) see(watching);
  publishAlert({ type: 'triggered', trigger });
  if (now - trigger.at > OLD_MS) return;
  signs.show(trigger);
  if (isLead) signs.sound(trigger);
}

function receiveConnection(
  watching: Watching,
  connection: Parameters<typeof publishAlertConnection>[0],
): void {
  publishAlertConnection(connection);
  if (connection === 'live') watching.hasAskedWhy = false;
  if (connection !== 'disconnected' || watching.hasAskedWhy) return;
  watching.hasAskedWhy = true;
  // The stream does not report why the server refused it.
  askWhetherOver();
}
