import type { AlertSound } from '#subjects/alerts/answers/options.ts';
import { batch, type ReadonlySignal, signal, computed } from '@preact/signals-react';
import type { SeenCondition } from '../../rules/trigger.ts';
import type { Connection, Send, SessionWord, ToWindow } from '#web/live/stream/protocol.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';

const count = signal(0);

/** Increases whenever the user's scan alerts may have changed, so that lists reload. */
export const scanAlertTurns: ReadonlySignal<number> = count;

export function scanAlertsChanged(): void {
  count.value += 1;
}

/** An alert that fired. Members that the server omits are null. */
export type AlertTrigger = {
  /** Equal in every window, and if the stream repeats the trigger. */
  key: string;
  /** Needed because stock alerts and scan alerts have separate ids. */
  of: 'stock' | 'scan';
  alertId: number;
  at: number;
  /** Market time, epoch ms; equals `at` if the server omits it. */
  marketAt: number;
  deactivated: boolean;
  /** True if the alert fired while snoozed: no toast and no sound. */
  silent: boolean;
  /** Null for several stocks at once. */
  symbol: string | null;
  name: string | null;
  text: string | null;
  sound?: AlertSound | null;
  /** The values of each condition; empty if the server omits them. */
  seen?: readonly SeenCondition[];
};

export type AlertEvent =
  | { type: 'triggered'; trigger: AlertTrigger }
  /**
   * An alert or the watchlist changed in another window, in a chat or on the server. If both members are
   * null, everything reloads.
   */
  | { type: 'changed'; alertId: number | null; symbol: string | null };

type AlertHandler = (event: AlertEvent) => void;

const connection = signal<Connection>('connecting');
const handlers = new Set<AlertHandler>();

export const alertStreamState: ReadonlySignal<Connection> = connection;

/** Adds a handler. Returns the stop function. */
export function listenToAlerts(handler: AlertHandler): () => void {
  handlers.add(handler);
  return () => {
    handlers.delete(handler);
  };
}

export function publishAlert(event: AlertEvent): void {
  batch(() => {
    for (const handler of [...handlers]) handler(event);
  });
}

export function publishAlertConnection(next: Connection): void {
  connection.value = next;
}

const GATHER_MS = 300;

/** Calls back for every value except the current one. Returns the stop function. */
function onChange<T>(source: ReadonlySignal<T>, notify: (value: T) => void): () => void {
  let known = source.peek();
  return source.subscribe((value) => {
    if (value !== known) notify(value);
    known = value;
  });
}

/** Calls back shortly after an alert fired or changed. Returns the stop function. */
export function followChanges(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const gather = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      run();
    }, GATHER_MS);
  };
  const stopAlerts = listenToAlerts(gather);
  const stopScans = onChange(scanAlertTurns, gather);
  // Triggers from before the stream connected were missed, so reload.
  const stopLink = onChange(alertStreamState, (link) => {
    if (link === 'live') gather();
  });
  return () => {
    stopAlerts();
    stopScans();
    stopLink();
    clearTimeout(timer);
  };
}

export type AlertMessage = Extract<ToWindow, { type: 'alert' | 'alertConnection' }>;

/** Limit of the queue if the handler's code never loads; more than can arrive while it loads. */
const MAX_WAITING = 200;

let send: Send | null = null;
let hear: ((message: AlertMessage) => void) | null = null;
/** Messages that arrived before the handler, with the session they belong to. */
let waiting: { token: string; message: AlertMessage }[] = [];

/** Sets how to reach the stream's holder; null after this window has disconnected from it. */
export function sendAlertLine(next: Send | null): void {
  send = next;
}

/**
 * Passes on a message of the stream. If another window is already connected, messages arrive immediately and wait for a
 * handler.
 */
export function receiveAlertLine(message: AlertMessage): void {
  if (hear) return hear(message);
  const token = session.peek().accessToken;
  if (token === null) return;
  waiting.push({ token, message });
  if (waiting.length > MAX_WAITING) waiting.shift();
}

/** Sets the handler and delivers the messages that waited for this session. Null removes it. */
export function takeAlertLine(listener: ((message: AlertMessage) => void) | null): void {
  hear = listener;
  if (listener === null) return;
  const waited = waiting;
  waiting = [];
  for (const { token, message } of waited) if (token === session.peek().accessToken) listener(message);
}

export function sendSession(word: Omit<SessionWord, 'type'>): void {
  send?.({ type: 'session', ...word });
}

const unseen = signal(0);
const isHidden = signal(false);

export const unseenTriggers: ReadonlySignal<number> = unseen;
/** Prefix for the title of a hidden window: '(3) '. */
export const titlePrefix: ReadonlySignal<string> = computed(() =>
  isHidden.value && unseen.value > 0 ? `(${unseen.value}) ` : '',
);

export function publishUnseen(count: number): void {
  unseen.value = count;
}

export function publishHidden(next: boolean): void {
  isHidden.value = next;
}
