import type { AlertSound } from '#subjects/alerts/rules/alert.ts';
import { batch, type ReadonlySignal, signal } from '@preact/signals-react';
import type { SeenCondition } from '#subjects/alerts/rules/trigger.ts';
import type { Connection } from '#web/live/stream/protocol.ts';

const count = signal(0);

/** Counts up whenever the user's alerts on whole scans may be others than before: what lists them reads them again. */
export const scanAlertTurns: ReadonlySignal<number> = count;

/** One was added, changed or removed, or told something, in whatever window or way. */
export function scanAlertsChanged(): void {
  count.value += 1;
}

/** An alert that fired, as the stream tells it. Where the server says no more than it must, the rest is null. */
export type AlertTrigger = {
  /** The same for every window, and when the stream tells it again. */
  key: string;
  /** Whether it is of an alert on a stock, or on a whole scan: their ids are apart. */
  of: 'stock' | 'scan';
  alertId: number;
  /** When it fired, epoch ms. */
  at: number;
  /** The same by the market's clock; as `at` where the server does not say. */
  marketAt: number;
  /** The alert was switched off by it. */
  deactivated: boolean;
  /** It fired while snoozed: it is only passed on. */
  silent: boolean;
  /** Null for several stocks at once, too. */
  symbol: string | null;
  /** The alert's; null when it has none. */
  name: string | null;
  /** What it saw, in words. */
  text: string | null;
  /** What is played; null for what this browser plays. */
  sound?: AlertSound | null;
  /** What each of its conditions saw; nothing where the server does not say. */
  seen?: readonly SeenCondition[];
};

/** What the alert stream tells of the user's own alerts. */
export type AlertEvent =
  | { type: 'triggered'; trigger: AlertTrigger }
  /** An alert, or the watchlist, was changed in another window, by a chat, or by the server: it is to be read again. */
  | { type: 'changed'; alertId: number | null; symbol: string | null };

export type AlertHandler = (event: AlertEvent) => void;

const connection = signal<Connection>('connecting');
const handlers = new Set<AlertHandler>();

/** The link to the alert stream. */
export const alertStreamState: ReadonlySignal<Connection> = connection;

/** Tells every event of the alert stream, each once. Returns the stop function. */
export function listenToAlerts(handler: AlertHandler): () => void {
  handlers.add(handler);
  return () => {
    handlers.delete(handler);
  };
}

/** Passes an event on to this window's parts. */
export function publishAlert(event: AlertEvent): void {
  batch(() => {
    for (const handler of [...handlers]) handler(event);
  });
}

/** Says how the link to the alert stream is. */
export function publishAlertConnection(next: Connection): void {
  connection.value = next;
}

/** What comes together, as the triggers of one tick and what they caused, is read together. */
const GATHER_MS = 300;

/** Tells every value but the present one. Returns the stop function. */
function onChange<T>(source: ReadonlySignal<T>, tell: (value: T) => void): () => void {
  let known = source.peek();
  return source.subscribe((value) => {
    if (value !== known) tell(value);
    known = value;
  });
}

/**
 * Calls back shortly after the alert stream told that an alert of the user's, on a stock or on a scan, fired or was changed in
 * whatever way. Returns the stop function.
 */
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
  // What fired before the stream was there, nobody told.
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
