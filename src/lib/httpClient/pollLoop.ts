import { createEpochTimes, type SystemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Scheduler } from '../scheduler.ts';

type BackoffRules = {
  /** Usual time between two attempts, ms. */
  intervalMs: number;
  /** Longest wait between two attempts, ms; a provider's own Retry-After may ask for more. */
  maxWaitMs: number;
};

/** Not even a provider may stop a feed for longer than this. */
const MAX_RETRY_AFTER_MS = 6 * 3_600_000;

/** A provider's Retry-After as far as it is obeyed, ms; 0 for none. */
export const clampRetryAfter = (retryAfterMs: number | null): number =>
  Math.min(Math.max(retryAfterMs ?? 0, 0), MAX_RETRY_AFTER_MS);

/**
 * The wait before the next attempt: doubling with each failure, spread over ±25 % so that many installations do
 * not come back at the same moment, and never shorter than the provider asked for.
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
 * The state of a connection. Closed: it is used. Open: too many failures in a row, nothing is asked until `until`,
 * a reading of the stopwatch. Half-open: one attempt decides.
 */
export type Circuit =
  | { state: 'closed'; failures: number }
  | { state: 'open'; failures: number; until: number }
  | { state: 'half-open'; failures: number };

type CircuitRules = {
  /** Failures in a row that open the circuit. */
  openAfter: number;
};

export const CLOSED: Circuit = { state: 'closed', failures: 0 };

export const afterSuccess = (): Circuit => CLOSED;

/**
 * The circuit after a failed attempt: from `openAfter` failures on it is open until the wait is over, and a failed
 * probe opens it again for longer.
 * @param now a reading of the stopwatch
 * @param waitMs the wait that was drawn with `backoff`
 */
export function afterFailure(circuit: Circuit, now: number, waitMs: number, rules: CircuitRules): Circuit {
  const failures = circuit.failures + 1;
  if (circuit.state === 'closed' && failures < rules.openAfter) return { state: 'closed', failures };
  return { state: 'open', failures, until: now + waitMs };
}

/** The circuit when an attempt is due: an open one whose time is over lets one probe through. */
export const beforeAttempt = (circuit: Circuit, now: number): Circuit =>
  circuit.state === 'open' && now >= circuit.until
    ? { state: 'half-open', failures: circuit.failures }
    : circuit;

/** `reason` completes the sentence "<name> …" and holds no secret. */
export type PollFailure = { kind: 'failed'; reason: string; retryAfterMs: number | null };

/** How one poll went; a good one says how long to wait for the next, to be spread over ±10 %. */
export type PollResult = { kind: 'done'; nextMs: number } | PollFailure;

/** What is known of the polling at one moment. */
export type PollState = {
  circuit: Circuit;
  /** Why the last poll failed; null after a good one. */
  failure: string | null;
  /** When the next poll is due, epoch ms; null while one is under way. */
  nextAttempt: number | null;
  polls: number;
};

type PollLoopOptions = {
  /** Who is asked, as the log names it. */
  name: string;
  /** One poll. What it throws is a fault of ours: it is logged, and the polling goes on. */
  poll(stop: AbortSignal): Promise<PollResult>;
  rules: BackoffRules & CircuitRules;
  clock: SystemClock;
  log: Log;
  schedule: Scheduler;
  /** From 0 to below 1. */
  random: () => number;
};

const INITIAL: PollState = { circuit: CLOSED, failure: null, nextAttempt: null, polls: 0 };
const UNUSABLE: PollFailure = {
  kind: 'failed',
  reason: 'sent an answer that could not be applied',
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

/** One poll whose faults are logged and count as a failure, so that nothing thrown ends the polling. */
async function pollSafely({ name, poll, log }: PollLoopOptions, stop: AbortSignal): Promise<PollResult> {
  try {
    return await poll(stop);
  } catch (error) {
    log.error(`An answer of ${name} could not be applied`, { error });
    return UNUSABLE;
  }
}

/**
 * Asks a provider again and again. Polls never overlap: the next is planned when the last one is over. After a
 * failure the next comes later and later, and one probe at a time once the circuit is open. A failure is logged when
 * it is another than the last one's, or when the circuit opened.
 */
export class PollLoop {
  readonly #epochOf: (at: number) => number;
  /** With the next attempt by the stopwatch. */
  #state = INITIAL;
  #stopped: AbortController | null = null;
  #cancelNext = (): void => undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(private readonly options: PollLoopOptions) {
    this.#epochOf = createEpochTimes(options.clock);
  }

  /** Polls at once and goes on until it is stopped; the second call does nothing. */
  start(): void {
    if (this.#stopped !== null) return;
    this.#stopped = new AbortController();
    this.#running = this.#pollOnce(this.#stopped.signal);
  }

  /** Ends the poll under way and resolves when it is over. The loop can be started again. */
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
