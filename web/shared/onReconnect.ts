import { effect } from '@preact/signals-react';
import { isStreamLost, streamState } from '../live/market.ts';

/** Delays of retries, ms: browsers report being online before the network works. */
const SETTLED_AFTER_MS = [3000, 10_000, 30_000];

/** A failure this soon (ms) after a return may have started before it. */
const RETURN_COUNTS_MS = 10_000;

const waiting = new Set<() => unknown>();
/** When each function last ran, by `performance.now()`. */
let doneAt = new WeakMap<() => unknown, number>();
let returnedAt = Number.NEGATIVE_INFINITY;
let stopListening: (() => void) | null = null;

/**
 * Runs a function once when the browser is online again or the stream is back. If it is called several times with one
 * function, that function runs once; call it again after another failure. A return within the last 10 seconds counts
 * too, unless the function already ran for it.
 */
export function onReconnect(run: () => unknown): void {
  stopListening ??= listen();
  const isDue = returnedAt > Math.max(doneAt.get(run) ?? 0, performance.now() - RETURN_COUNTS_MS);
  if (isDue) queueMicrotask(() => start(run));
  else waiting.add(run);
}

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
    // Deferred until after this effect, because callbacks may read signals.
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
