import { computed, type ReadonlySignal, signal } from '@preact/signals-react';
import type { AlertTrigger } from '../shared/alertStream.ts';
import { readRecord, readText } from '../../../../lib/read.ts';

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

/** More stand in the line below them. */
export const MAX_TOASTS = 4;
/** For so long a toast is in sight, while nobody points at it and the window is shown. */
export const TOAST_MS = 30_000;

type Toast = { trigger: AlertTrigger; leftMs: number };
type State = { toasts: readonly Toast[]; more: number };

const NONE: State = { toasts: [], more: 0 };
const state = signal<State>(NONE);

/** The triggers that are shown, the newest first. */
export const toasts: ReadonlySignal<readonly AlertTrigger[]> = computed(() =>
  state.value.toasts.map(({ trigger }) => trigger),
);
/** How many older ones had no room. */
export const moreToasts: ReadonlySignal<number> = computed(() => state.value.more);

/** Shows a trigger; the oldest makes room. */
export function addToast(trigger: AlertTrigger): void {
  const { toasts: before, more } = state.peek();
  const all = [{ trigger, leftMs: TOAST_MS }, ...before];
  state.value = { toasts: all.slice(0, MAX_TOASTS), more: more + Math.max(0, all.length - MAX_TOASTS) };
}

const left = (kept: readonly Toast[], more: number): State =>
  kept.length === 0 ? NONE : { toasts: kept, more };

/** Takes a trigger away. */
export function dropToast(key: string): void {
  const { toasts: before, more } = state.peek();
  state.value = left(
    before.filter(({ trigger }) => trigger.key !== key),
    more,
  );
}

/** Takes all away. */
export function dropToasts(): void {
  state.value = NONE;
}

/** So much time went by in which the toasts could be seen: those whose time is over go. */
export function passToastTime(ms: number): void {
  const { toasts: before, more } = state.peek();
  if (before.length === 0) return;
  state.value = left(
    before
      .map(({ trigger, leftMs }) => ({ trigger, leftMs: leftMs - ms }))
      .filter(({ leftMs }) => leftMs > 0),
    more,
  );
}
