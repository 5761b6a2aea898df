import { effect } from '@preact/signals-react';
import { isStreamLost, streamState } from './live/market.ts';

const waiting = new Set<() => unknown>();
let stopListening: (() => void) | null = null;

/**
 * Does something once, as soon as the browser is online again or the data stream has come back: what could not be
 * fetched is fetched then. Asked for the same function again it still does it once. What fails once more asks again.
 */
export function onceBack(run: () => unknown): void {
  waiting.add(run);
  stopListening ??= listen();
}

/** Ends the waiting of everything, undone; for tests. */
export function forgetWaiting(): void {
  stopListening?.();
  stopListening = null;
  waiting.clear();
}

function runAll(): void {
  stopListening?.();
  stopListening = null;
  const due = [...waiting];
  waiting.clear();
  for (const run of due) run();
}

function listen(): () => void {
  let wasUp = true;
  const stopFollowing = effect(function followStream() {
    const isUp = streamState.value === 'live' && !isStreamLost.value;
    const isBack = isUp && !wasUp;
    wasUp = isUp;
    // After this effect: what runs may end the listening.
    if (isBack) queueMicrotask(runAll);
  });
  window.addEventListener('online', runAll);
  return () => {
    stopFollowing();
    window.removeEventListener('online', runAll);
  };
}
