import { batch, type ReadonlySignal, signal } from '@preact/signals-react';
import type { Timer } from './stream/reconnectingSource.ts';

/** The server says something at least every 2 s. */
const AGE_SHOWN_AFTER_MS = 3000;
const LOST_AFTER_MS = 5000;
const BACK_SHOWN_MS = 2000;
/** A timer that comes so late was held up: this window slept, or had no time. */
const HELD_UP_MS = 1500;

export type SilenceDeps = {
  /** Ms since any moment; never goes back. */
  elapsed: () => number;
  after: Timer;
};

/** How long a window has heard nothing of the server. Without trouble nothing here changes. */
export type Silence = {
  /** Seconds since the last word, rounded up; null up to 3 s. */
  seconds: ReadonlySignal<number | null>;
  /** Nothing came for 5 s, or the connection broke: what is shown stands still. */
  isLost: ReadonlySignal<boolean>;
  /** For 2 s once a lost stream is back. */
  isBack: ReadonlySignal<boolean>;
  /** The server spoke, this many ms ago. */
  heard(agoMs: number): void;
  /** The connection or the network broke. */
  dropped(): void;
  /** The window was hidden or is shown again. What happens while it is hidden alarms nobody. */
  setHidden(isHidden: boolean): void;
  /** Forgets everything. */
  stop(): void;
};

type SilenceState = {
  readonly deps: SilenceDeps;
  readonly seconds: { value: number | null };
  readonly isLost: { value: boolean };
  readonly isBack: { value: boolean };
  /** All by `elapsed`; null before the first word, and while there was no break since the last. */
  heardAt: number | null;
  droppedAt: number | null;
  /** Since then this window could have heard something. */
  awakeSince: number;
  isHidden: boolean;
  stopCheck: (() => void) | null;
  stopBack: (() => void) | null;
};

/**
 * Measures the silence of the stream as this window hears it. Time in which the window slept, was hidden or had no time
 * for its timers proves nothing: after it the silence must last for 3 s more before it is shown.
 */
export function createSilence(deps: SilenceDeps): Silence {
  const [seconds, isLost, isBack] = [signal<number | null>(null), signal(false), signal(false)];
  const state: SilenceState = {
    deps,
    seconds,
    isLost,
    isBack,
    heardAt: null,
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
    heard: (agoMs) => heard(state, agoMs),
    dropped: () => dropped(state),
    setHidden: (isHidden) => setHidden(state, isHidden),
    stop: () => stop(state),
  };
}

function heard(state: SilenceState, agoMs: number): void {
  const now = state.deps.elapsed();
  state.heardAt = Math.max(state.heardAt ?? Number.NEGATIVE_INFINITY, now - agoMs);
  if (state.droppedAt !== null && state.heardAt >= state.droppedAt) state.droppedAt = null;
  if (state.isLost.value && state.droppedAt === null && now - state.heardAt < LOST_AFTER_MS) comeBack(state);
  // The timer of a healthy stream runs on: it finds out by itself that something came.
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
  // Before the first word there is nothing that could be old.
  if (state.heardAt === null) return;
  state.droppedAt = state.deps.elapsed();
  check(state);
}

function setHidden(state: SilenceState, isHidden: boolean): void {
  if (state.isHidden === isHidden) return;
  state.isHidden = isHidden;
  state.awakeSince = state.deps.elapsed();
  check(state);
}

/** Writes what there is to say, and comes again when there may be more. */
function check(state: SilenceState): void {
  const { deps, heardAt } = state;
  state.stopCheck?.();
  state.stopCheck = null;
  if (heardAt === null || state.isHidden) return;
  const now = deps.elapsed();
  const quiet = now - heardAt;
  const provenAt = Math.max(heardAt, state.awakeSince) + AGE_SHOWN_AFTER_MS;
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
  state.heardAt = null;
  state.droppedAt = null;
  batch(() => {
    state.seconds.value = null;
    state.isLost.value = false;
    state.isBack.value = false;
  });
}
