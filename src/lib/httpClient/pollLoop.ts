import { createEpochTimes, type SystemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Scheduler } from '../scheduler.ts';
import { backoff, type BackoffRules } from './backoff.ts';
import {
  afterFailure,
  afterSuccess,
  beforeAttempt,
  type Circuit,
  type CircuitRules,
  CLOSED,
} from './circuit.ts';

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

export type PollLoopOptions = {
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
