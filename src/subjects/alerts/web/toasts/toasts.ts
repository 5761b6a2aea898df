import { computed, type ReadonlySignal, signal } from '@preact/signals-react';
import type { AlertTrigger } from '../shared/alertStream.ts';
import { readRecord, readText } from '#lib/read.ts';

const CHANNEL = 'bellbird-toasts';

/** Says in every other window of this browser that a toast was dismissed here; null for all of them. */
export function tellDismissed(key: string | null): void {
  const channel = open();
  channel?.postMessage({ dismissed: key });
  channel?.close();
}

/** @param dismissed takes the key of a toast that was dismissed in another window; null for all. Returns the stop function. */
export function onDismissed(dismissed: (key: string | null) => void): () => void {
  const channel = open();
  if (channel)
    channel.onmessage = ({ data }: MessageEvent<unknown>) => dismissed(readText(readRecord(data).dismissed));
  return () => channel?.close();
}

const open = (): BroadcastChannel | null =>
  typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);

/** So many have a line of their own; the others are a number that leads to the list. */
export const MAX_LINES = 3;
/** The list of what fired holds no more. */
export const MAX_LISTED = 200;
/** For so long a toast is in sight, while nobody points at it and the window is shown. */
export const TOAST_MS = 30_000;

type Toast = { trigger: AlertTrigger; leftMs: number };

const NONE: readonly Toast[] = [];
const state = signal(NONE);
const listed = signal<readonly AlertTrigger[]>([]);

/** The triggers that are shown or counted, the newest first. */
export const toasts: ReadonlySignal<readonly AlertTrigger[]> = computed(() =>
  state.value.map(({ trigger }) => trigger),
);
/** All that fired since the window was opened, the newest first, also what was dismissed. */
export const listedTriggers: ReadonlySignal<readonly AlertTrigger[]> = listed;
/** Whether the list of what fired is shown. */
export const isListOpen = signal(false);

/** Shows a trigger, and keeps it in the list. */
export function addToast(trigger: AlertTrigger): void {
  state.value = [{ trigger, leftMs: TOAST_MS }, ...state.peek()].slice(0, MAX_LISTED);
  listed.value = [trigger, ...listed.peek()].slice(0, MAX_LISTED);
}

/** Takes a toast away; the list keeps its trigger. */
export function dropToast(key: string): void {
  state.value = state.peek().filter(({ trigger }) => trigger.key !== key);
}

/** Takes all toasts away; the list keeps their triggers. */
export function dropToasts(): void {
  state.value = NONE;
}

/** Shows the list in the place of the toasts, or ends it: what it showed was seen. */
export function showList(isOpen: boolean): void {
  isListOpen.value = isOpen;
  dropToasts();
}

/** Empties the list. */
export function clearList(): void {
  listed.value = [];
}

/** So much time went by in which the toasts could be seen: those whose time is over go. */
export function passToastTime(ms: number): void {
  if (state.peek().length === 0) return;
  state.value = state
    .peek()
    .map(({ trigger, leftMs }) => ({ trigger, leftMs: leftMs - ms }))
    .filter(({ leftMs }) => leftMs > 0);
}
