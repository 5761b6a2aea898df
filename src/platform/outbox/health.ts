import type { Stopwatch } from '#lib/clock.ts';
import { backoff } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import type { PlatformCheck, Sender } from '../chatClients/sender.ts';

export type Health =
  | { kind: 'off' }
  | { kind: 'up' }
  /** A platform demanded a delay, until a reading of the stopwatch. */
  | { kind: 'limited'; until: number }
  /** Messages wait until a harmless call succeeds. */
  | { kind: 'down'; reason: string; failures: number }
  /** Like `down`, but only the operator can help. */
  | { kind: 'botBroken'; reason: string; failures: number };

export type HealthOptions = {
  name: string;
  sender: Sender | null;
  clock: Stopwatch;
  schedule: Scheduler;
  random: () => number;
  log: Log;
  onUsable(): void;
};

const CHECK_RULES = { intervalMs: 500, maxWaitMs: 60_000 };
const BOT_BROKEN_CHECK_MS = 5 * 60_000;
/** If the platform delays this many chats within this time, ms, the limit applies to the whole bot. */
const CHATS_OF_A_FLOOD = 3;
const FLOOD_MS = 2000;

/**
 * The health of a platform. While it is down no message is tried, because each attempt might arrive without an
 * answer and would be repeated. A check sends no message.
 */
export class PlatformHealth {
  readonly #name: string;
  #state: Health;
  #cancel = (): void => undefined;
  #isStopped = false;
  #floodTimes: number[] = [];
  /** The delay that the platform demanded, independent of other failures. */
  #askedUntil = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: HealthOptions) {
    this.#name = options.name;
    this.#state = options.sender === null ? { kind: 'off' } : { kind: 'up' };
  }

  state(): Health {
    return this.#state;
  }

  mayBeUsed(): boolean {
    return this.#state.kind === 'up';
  }

  /** A call failed in a way that may concern the whole platform. */
  trouble(reason: string): void {
    if (this.#state.kind === 'up' || this.#state.kind === 'limited') this.#fall('down', reason, 1);
  }

  botBroken(reason: string): void {
    if (this.#state.kind !== 'botBroken') this.#fall('botBroken', reason, 1);
  }

  limit(afterMs: number): void {
    const { clock, log, onUsable } = this.options;
    const state = this.#state;
    const until = clock.monotonic() + afterMs;
    this.#askedUntil = Math.max(this.#askedUntil, until);
    if (state.kind !== 'up' && state.kind !== 'limited') return;
    if (state.kind === 'limited' && state.until >= until) return;
    if (state.kind === 'up') log.warn(`${this.#name} asked to wait`, { seconds: Math.ceil(afterMs / 1000) });
    this.#state = { kind: 'limited', until };
    this.#later(afterMs, () => {
      this.#state = { kind: 'up' };
      onUsable();
    });
  }

  /** The platform demanded a delay for one chat. Several together mean all chats. */
  chatLimited(afterMs: number): void {
    const { sender, clock } = this.options;
    if (sender?.limits.namesScope !== false) return;
    const now = clock.monotonic();
    this.#floodTimes = [...this.#floodTimes.filter((time) => time > now - FLOOD_MS), now];
    if (this.#floodTimes.length >= CHATS_OF_A_FLOOD) this.limit(afterMs);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #later(ms: number, run: () => void): void {
    this.#cancel();
    if (!this.#isStopped) this.#cancel = this.options.schedule(ms, run);
  }

  #fall(kind: 'down' | 'botBroken', reason: string, failures: number): void {
    const { clock, random, log } = this.options;
    const state = this.#state;
    const isNews = state.kind !== kind || state.reason !== reason;
    const write = isNews ? log.warn : log.debug;
    this.#state = { kind, reason, failures };
    const ownMs =
      kind === 'botBroken'
        ? BOT_BROKEN_CHECK_MS * (0.75 + random() / 2)
        : backoff(failures, null, CHECK_RULES, random());
    const waitMs = Math.max(ownMs, this.#askedUntil - clock.monotonic());
    write(`${this.#name} ${reason}`, { failures, nextTrySeconds: Math.round(waitMs / 1000) });
    this.#later(waitMs, () => void this.#check(failures + 1));
  }

  async #ask(sender: Sender): Promise<PlatformCheck> {
    try {
      return await sender.check();
    } catch (error) {
      this.options.log.error(`Could not read an answer of ${this.#name}`, { error });
      return { kind: 'down', reason: 'sent an answer that could not be read' };
    }
  }

  async #check(failures: number): Promise<void> {
    const { sender, clock, log, onUsable } = this.options;
    if (sender === null) return;
    const answer = await this.#ask(sender);
    if (this.#isStopped) return;
    if (answer.kind !== 'up') return this.#fall(answer.kind, answer.reason, failures);
    log.info(`${this.#name} accepts messages again`);
    this.#state = { kind: 'up' };
    const leftMs = this.#askedUntil - clock.monotonic();
    if (leftMs > 0) return this.limit(leftMs);
    onUsable();
  }
}
