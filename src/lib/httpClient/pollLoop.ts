import { createEpochTimes, type SystemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Scheduler } from '../scheduler.ts';

type BackoffRules = {
  intervalMs: number;
  /** Longest wait between two attempts, ms; a Retry-After may be longer. */
  maxWaitMs: number;
};

const MAX_RETRY_AFTER_MS = 6 * 3_600_000;

/** The accepted part of a Retry-After, ms; 0 if there is none. */
export const clampRetryAfter = (retryAfterMs: number | null): number =>
  Math.min(Math.max(retryAfterMs ?? 0, 0), MAX_RETRY_AFTER_MS);

/**
 * The wait before the next attempt. It doubles with each failure, varies by ±25 % so that installations do
 * not retry together, and is at least the Retry-After.
 * @param failures in a row, this one included
 * @param random from 0 to below 1
 * @returns ms
 */
export function backoff(
  failures: number,
  retryAfterMs: number | null,
  rules: BackoffRules,
  random: number,
): number {
  const doubled = Math.min(rules.intervalMs * 2 ** Math.min(failures, 20), rules.maxWaitMs);
  return Math.max(doubled * (0.75 + random / 2), clampRetryAfter(retryAfterMs));
}

/**
 * State of a connection. Closed: in use. Open: paused until `until`, a stopwatch reading, after too many
 * failures. Half-open: one attempt decides.
 */
export type Circuit =
  | { state: 'closed'; failures: number }
  | { state: 'open'; failures: number; until: number }
  | { state: 'half-open'; failures: number };

type CircuitRules = {
  openAfter: number;
};

export const CLOSED: Circuit = { state: 'closed', failures: 0 };

export const afterSuccess = (): Circuit => CLOSED;

/**
 * The circuit after a failed attempt. It opens after `openAfter` failures; a failed probe opens it again for
 * longer.
 * @param now a stopwatch reading
 * @param waitMs the wait from `backoff`
 */
export function afterFailure(circuit: Circuit, now: number, waitMs: number, rules: CircuitRules): Circuit {
  const failures = circuit.failures + 1;
  if (circuit.state === 'closed' && failures < rules.openAfter) return { state: 'closed', failures };
  return { state: 'open', failures, until: now + waitMs };
}

export const beforeAttempt = (circuit: Circuit, now: number): Circuit =>
  circuit.state === 'open' && now >= circuit.until
    ? { state: 'half-open', failures: circuit.failures }
    : circuit;

/** `reason` completes the sentence "<name> …" and contains no secret. */
export type PollFailure = { kind: 'failed'; reason: string; retryAfterMs: number | null };

/** The outcome of a poll. After a success `nextMs` is the wait, varied by ±10 %. */
export type PollResult = { kind: 'done'; nextMs: number } | PollFailure;

export type PollState = {
  circuit: Circuit;
  failure: string | null;
  nextAttempt: number | null;
  polls: number;
};

type PollLoopOptions = {
  name: string;
  /** Runs one poll. An exception is logged and counts as a failure. */
  poll(stop: AbortSignal): Promise<PollResult>;
  rules: BackoffRules & CircuitRules;
  clock: SystemClock;
  log: Log;
  schedule: Scheduler;
  random: () => number;
};

const INITIAL: PollState = { circuit: CLOSED, failure: null, nextAttempt: null, polls: 0 };
const UNUSABLE: PollFailure = {
  kind: 'failed',
  reason: 'sent an answer that Bellbird could not apply',
  retryAfterMs: null,
};

type Next = { state: PollState; waitMs: number };

function afterGoodPoll({ name, log, random }: PollLoopOptions, state: PollState, nextMs: number): Next {
  if (state.failure !== null) log.info(`${name} answers again`, { failures: state.circuit.failures });
  return {
    state: { ...state, circuit: afterSuccess(), failure: null },
    waitMs: nextMs * (0.9 + random() * 0.2),
  };
}

function afterFailedPoll(options: PollLoopOptions, before: PollState, failure: PollFailure): Next {
  const { name, rules, clock, log } = options;
  const { reason, retryAfterMs } = failure;
  const waitMs = backoff(before.circuit.failures + 1, retryAfterMs, rules, options.random());
  const circuit = afterFailure(before.circuit, clock.monotonic(), waitMs, rules);
  const hasOpened = before.circuit.state === 'closed' && circuit.state !== 'closed';
  const write = before.failure === reason && !hasOpened ? log.debug : log.warn;
  const nextTrySeconds = Math.round(waitMs / 1000);
  write(`${name} ${reason}`, { failures: circuit.failures, circuit: circuit.state, nextTrySeconds });
  return { state: { ...before, circuit, failure: reason }, waitMs };
}

async function pollSafely({ name, poll, log }: PollLoopOptions, stop: AbortSignal): Promise<PollResult> {
  try {
    return await poll(stop);
  } catch (error) {
    log.error(`Could not apply an answer of ${name}`, { error });
    return UNUSABLE;
  }
}

/**
 * Polls a provider. Polls never overlap: the next is planned when the last one ends. After failures the waits
 * grow, and an open circuit allows one probe at a time. A failure is logged if it differs from the last one,
 * or if the circuit opened.
 */
export class PollLoop {
  readonly #epochOf: (at: number) => number;
  #state = INITIAL;
  #stopped: AbortController | null = null;
  #cancelNext = (): void => undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(private readonly options: PollLoopOptions) {
    this.#epochOf = createEpochTimes(options.clock);
  }

  start(): void {
    if (this.#stopped !== null) return;
    this.#stopped = new AbortController();
    this.#running = this.#pollOnce(this.#stopped.signal);
  }

  /** Aborts the current poll and resolves when it has ended. The loop can be started again. */
  async stop(): Promise<void> {
    this.#stopped?.abort();
    this.#cancelNext();
    await this.#running;
    this.#state = { ...this.#state, nextAttempt: null };
    this.#stopped = null;
  }

  state(): PollState {
    const { nextAttempt } = this.#state;
    return { ...this.#state, nextAttempt: nextAttempt === null ? null : this.#epochOf(nextAttempt) };
  }

  async #pollOnce(stop: AbortSignal): Promise<void> {
    const { clock, schedule } = this.options;
    const circuit = beforeAttempt(this.#state.circuit, clock.monotonic());
    this.#state = { ...this.#state, circuit, nextAttempt: null, polls: this.#state.polls + 1 };
    const result = await pollSafely(this.options, stop);
    if (stop.aborted) return;
    const { state, waitMs } =
      result.kind === 'done'
        ? afterGoodPoll(this.options, this.#state, result.nextMs)
        : afterFailedPoll(this.options, this.#state, result);
    this.#state = { ...state, nextAttempt: clock.monotonic() + waitMs };
    this.#cancelNext = schedule(waitMs, () => {
      this.#running = this.#pollOnce(stop);
    });
  }
}
