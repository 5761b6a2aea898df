import { serverNow } from '#web/live/market.ts';
import { computed, effect } from '@preact/signals-react';
import { askWhetherOver, takeAccount } from './accountEvents.ts';
import { type AlertMessage, saySession, takeAlertLine } from '../shared/alertLine.ts';
import { followAlertPreferences } from '../shared/alertPreferences.ts';
import {
  type AlertTrigger,
  publishAlert,
  publishAlertConnection,
  scanAlertsChanged,
} from '../shared/alertStream.ts';
import {
  type KeptAlerts,
  keepEventId,
  keepSeen,
  keepTrigger,
  keptAlertsKey,
  readKeptAlerts,
} from '../shared/keptAlerts.ts';
import { publishHidden, publishUnseen } from '../shared/unseenTriggers.ts';
import { ownCallsChanged } from '#subjects/calls/web/shared/ownCallTurns.ts';
import { readAlertEvent, readScanTrigger } from '../shared/alertEvents.ts';
import { route } from '#web/router/router.ts';
import { WATCHLIST_PATH } from '#web/router/routes.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { setUpChanged } from '#web/shared/settings.ts';
import { onStored } from '#web/shared/storage.ts';

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
