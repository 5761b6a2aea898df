import { batch, type ReadonlySignal, signal } from '@preact/signals-react';
import type { Timer } from './stream/reconnectingSource.ts';

/** The server sends something at least every 2 s, so a longer silence is shown; ms. */
const AGE_SHOWN_AFTER_MS = 3000;
const LOST_AFTER_MS = 5000;
const BACK_SHOWN_MS = 2000;
/** A timer that is this late (ms) was blocked, because the window slept or was busy. */
const HELD_UP_MS = 1500;

export type SilenceDeps = {
  /** Ms since any moment; never decreases. */
  elapsed: () => number;
  after: Timer;
};

/** The stream's silence as signals. While the stream works, none of them changes. */
export type Silence = {
  /** Seconds since the last message, rounded up; null up to 3 s. */
  seconds: ReadonlySignal<number | null>;
  /** Whether the stream was silent for 5 s or is disconnected, so that the shown values are frozen. */
  isLost: ReadonlySignal<boolean>;
  /** True for 2 s after a lost stream is back. */
  isBack: ReadonlySignal<boolean>;
  /** Call it when the server sent something, this many ms ago. */
  received(agoMs: number): void;
  dropped(): void;
  /** Whether the window is hidden; its silence is then not reported. */
  setHidden(isHidden: boolean): void;
  stop(): void;
};

type SilenceState = {
  readonly deps: SilenceDeps;
  readonly seconds: { value: number | null };
  readonly isLost: { value: boolean };
  readonly isBack: { value: boolean };
  /** Time of the last message since the last break, by `elapsed`; null before the first message. */
  receivedAt: number | null;
  droppedAt: number | null;
  /** Since when this window could receive, by `elapsed`. */
  awakeSince: number;
  isHidden: boolean;
  stopCheck: (() => void) | null;
  stopBack: (() => void) | null;
};

/**
 * Measures the stream's silence. Time in which the window slept, was hidden or was busy does not count: afterwards the
 * silence must last for 3 s.
 */
export function createSilence(deps: SilenceDeps): Silence {
  const [seconds, isLost, isBack] = [signal<number | null>(null), signal(false), signal(false)];
  const state: SilenceState = {
    deps,
    seconds,
    isLost,
    isBack,
    receivedAt: null,
    droppedAt: null,
    awakeSince: deps.elapsed(),
    isHidden: false,
    stopCheck: null,
    stopBack: null,
  };
  return {
    seconds,
    isLost,
    isBack,
    received: (agoMs) => received(state, agoMs),
    dropped: () => dropped(state),
    setHidden: (isHidden) => setHidden(state, isHidden),
    stop: () => stop(state),
  };
}

function received(state: SilenceState, agoMs: number): void {
  const now = state.deps.elapsed();
  state.receivedAt = Math.max(state.receivedAt ?? Number.NEGATIVE_INFINITY, now - agoMs);
  if (state.droppedAt !== null && state.receivedAt >= state.droppedAt) state.droppedAt = null;
  if (state.isLost.value && state.droppedAt === null && now - state.receivedAt < LOST_AFTER_MS)
    comeBack(state);
  // On a healthy stream the timer runs anyway and checks for messages itself.
  if (state.stopCheck === null || state.seconds.value !== null) check(state);
}

function comeBack(state: SilenceState): void {
  batch(() => {
    state.isLost.value = false;
    state.isBack.value = !state.isHidden;
  });
  state.stopBack?.();
  state.stopBack = state.deps.after(BACK_SHOWN_MS, () => {
    state.isBack.value = false;
  });
}

function dropped(state: SilenceState): void {
  // Before the first message no prices can be old.
  if (state.receivedAt === null) return;
  state.droppedAt = state.deps.elapsed();
  check(state);
}

function setHidden(state: SilenceState, isHidden: boolean): void {
  if (state.isHidden === isHidden) return;
  state.isHidden = isHidden;
  state.awakeSince = state.deps.elapsed();
  check(state);
}

function check(state: SilenceState): void {
  const { deps, receivedAt } = state;
  state.stopCheck?.();
  state.stopCheck = null;
  if (receivedAt === null || state.isHidden) return;
  const now = deps.elapsed();
  const quiet = now - receivedAt;
  const provenAt = Math.max(receivedAt, state.awakeSince) + AGE_SHOWN_AFTER_MS;
  const isProven = now > provenAt;
  batch(() => {
    if (state.droppedAt !== null || (isProven && quiet >= LOST_AFTER_MS)) lose(state);
    const isShown = (isProven || state.isLost.value) && quiet > AGE_SHOWN_AFTER_MS;
    state.seconds.value = isShown ? Math.ceil(quiet / 1000) : null;
  });
  checkAgain(state, isProven ? 1000 - (quiet % 1000) + 1 : provenAt - now + 1);
}

function lose(state: SilenceState): void {
  state.stopBack?.();
  state.stopBack = null;
  state.isLost.value = true;
  state.isBack.value = false;
}

function checkAgain(state: SilenceState, ms: number): void {
  const { deps } = state;
  const due = deps.elapsed() + ms;
  state.stopCheck = deps.after(ms, () => {
    const now = deps.elapsed();
    if (now - due > HELD_UP_MS) state.awakeSince = now;
    check(state);
  });
}

function stop(state: SilenceState): void {
  state.stopCheck?.();
  state.stopBack?.();
  state.stopCheck = null;
  state.stopBack = null;
  state.receivedAt = null;
  state.droppedAt = null;
  batch(() => {
    state.seconds.value = null;
    state.isLost.value = false;
    state.isBack.value = false;
  });
}
