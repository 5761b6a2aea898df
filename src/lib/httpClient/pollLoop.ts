import type { SystemClock } from '../clock.ts';
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

export type PollLoop = {
  /** Polls at once and goes on until it is stopped; the second call does nothing. */
  start(): void;
  /** Ends the poll under way and resolves when it is over. The loop can be started again. */
  stop(): Promise<void>;
  state(): PollState;
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

/**
 * Asks a provider again and again. Polls never overlap: the next is planned when the last one is over. After a
 * failure the next comes later and later, and one probe at a time once the circuit is open. A failure is logged when
 * it is another than the last one's, or when the circuit opened.
 */
export function createPollLoop(options: PollLoopOptions): PollLoop {
  const { name, rules, clock, log, random } = options;
  let state = INITIAL;
  let stopped: AbortController | null = null;
  let cancelNext = (): void => undefined;
  let running: Promise<void> = Promise.resolve();

  const succeed = (nextMs: number): number => {
    const { failures } = state.circuit;
    if (state.failure !== null) log.info(`${name} answers again`, { failures });
    state = { ...state, circuit: afterSuccess(), failure: null };
    return nextMs * (0.9 + random() * 0.2);
  };

  const fail = ({ reason, retryAfterMs }: PollFailure): number => {
    const before = state;
    const waitMs = backoff(before.circuit.failures + 1, retryAfterMs, rules, random());
    const circuit = afterFailure(before.circuit, clock.monotonic(), waitMs, rules);
    state = { ...state, circuit, failure: reason };
    const isSame =
      before.failure === reason && (before.circuit.state === 'closed') === (circuit.state === 'closed');
    const write = isSame ? log.debug : log.warn;
    const nextTrySeconds = Math.round(waitMs / 1000);
    write(`${name} ${reason}`, { failures: circuit.failures, circuit: circuit.state, nextTrySeconds });
    return waitMs;
  };

  /** Gives the wait until the next poll. Nothing thrown on the way may end the polling. */
  const attempt = async (stop: AbortSignal): Promise<number> => {
    let result: PollResult;
    try {
      result = await options.poll(stop);
    } catch (error) {
      log.error(`An answer of ${name} could not be applied`, { error });
      result = UNUSABLE;
    }
    if (stop.aborted) return 0;
    return result.kind === 'done' ? succeed(result.nextMs) : fail(result);
  };

  const pollOnce = async (stop: AbortSignal): Promise<void> => {
    const circuit = beforeAttempt(state.circuit, clock.monotonic());
    state = { ...state, circuit, nextAttempt: null, polls: state.polls + 1 };
    const waitMs = await attempt(stop);
    if (stop.aborted) return;
    state = { ...state, nextAttempt: clock.now() + waitMs };
    cancelNext = options.schedule(waitMs, () => {
      running = pollOnce(stop);
    });
  };

  return {
    start() {
      if (stopped !== null) return;
      stopped = new AbortController();
      running = pollOnce(stopped.signal);
    },
    async stop() {
      stopped?.abort();
      cancelNext();
      await running;
      state = { ...state, nextAttempt: null };
      stopped = null;
    },
    state: () => state,
  };
}
