import { effect } from '@preact/signals-react';
import { isStreamLost, streamState } from '../live/market.ts';

/** The browser says that it is online before the network carries: what failed has another chance after each of these, ms. */
const SETTLED_AFTER_MS = [3000, 10_000, 30_000];

/** What failed so soon after a return may have been begun before it. */
const RETURN_COUNTS_MS = 10_000;

const waiting = new Set<() => unknown>();
/** When what was asked for was last done, by the clock of `performance`, in ms. */
let doneAt = new WeakMap<() => unknown, number>();
let returnedAt = Number.NEGATIVE_INFINITY;
let stopListening: (() => void) | null = null;

/**
 * Does something once, as soon as the browser is online again or the data stream has come back: what could not be
 * fetched is fetched then. Asked for the same function again it still does it once. What fails once more asks again.
 * A return of the last 10 seconds after which the function was not done yet counts: what failed was under way then.
 */
export function onReconnect(run: () => unknown): void {
  stopListening ??= listen();
  const isDue = returnedAt > Math.max(doneAt.get(run) ?? 0, performance.now() - RETURN_COUNTS_MS);
  if (isDue) queueMicrotask(() => start(run));
  else waiting.add(run);
}

/** Ends the waiting of everything, undone; for tests. */
export function forgetWaiting(): void {
  stopListening?.();
  stopListening = null;
  returnedAt = Number.NEGATIVE_INFINITY;
  waiting.clear();
  doneAt = new WeakMap();
}

function start(run: () => unknown): void {
  waiting.delete(run);
  doneAt.set(run, performance.now());
  run();
}

function runAll(): void {
  returnedAt = performance.now();
  for (const run of [...waiting]) start(run);
}

function listen(): () => void {
  let wasUp = true;
  let settled: ReturnType<typeof setTimeout>[] = [];
  const forgetSettled = (): void => {
    for (const timer of settled) clearTimeout(timer);
  };
  const stopFollowing = effect(function followStream() {
    const isUp = streamState.value === 'live' && !isStreamLost.value;
    const isBack = isUp && !wasUp;
    wasUp = isUp;
    // After this effect: what runs may read signals.
    if (isBack) queueMicrotask(runAll);
  });
  const isOnline = (): void => {
    runAll();
    forgetSettled();
    settled = SETTLED_AFTER_MS.map((ms) => setTimeout(runAll, ms));
  };
  window.addEventListener('online', isOnline);
  return () => {
    stopFollowing();
    forgetSettled();
    window.removeEventListener('online', isOnline);
  };
}
