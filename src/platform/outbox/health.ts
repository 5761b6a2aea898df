import { type ChatPlatform, PLATFORM_NAMES } from '../../subjects/chats/rules/chatPlatform.ts';
import type { Stopwatch } from '../../lib/clock.ts';
import { backoff } from '../../lib/httpClient/backoff.ts';
import type { Log } from '../../lib/log.ts';
import type { Scheduler } from '../../lib/scheduler.ts';
import type { PlatformCheck, Sender } from '../chatClients/sender.ts';

/** Whether a platform takes messages. */
export type Health =
  /** It has no token on this server. */
  | { kind: 'off' }
  | { kind: 'up' }
  /** It asked to be left alone until then, a reading of the stopwatch. */
  | { kind: 'limited'; until: number }
  /** Messages wait; it is asked something harmless from time to time until it answers well. */
  | { kind: 'down'; reason: string; failures: number }
  /** As `down`, but only the operator can help. */
  | { kind: 'botBroken'; reason: string; failures: number };

export type HealthWatch = {
  state(): Health;
  mayBeUsed(): boolean;
  /** A call went wrong in a way that may concern the whole platform. */
  trouble(reason: string): void;
  botBroken(reason: string): void;
  /** The platform asked all of us to wait. */
  limit(afterMs: number): void;
  /** It asked one chat to wait; when several are asked at once, it means all. */
  chatLimited(afterMs: number): void;
  stop(): void;
};

export type HealthOptions = {
  platform: ChatPlatform;
  sender: Sender | null;
  clock: Stopwatch;
  schedule: Scheduler;
  random: () => number;
  log: Log;
  /** It can be used again. */
  onUsable(): void;
};

const CHECK_RULES = { intervalMs: 500, maxWaitMs: 60_000 };
const BOT_BROKEN_CHECK_MS = 5 * 60_000;
/** So many chats that are asked to wait within this time mean that the whole bot is. */
const CHATS_OF_A_FLOOD = 3;
const FLOOD_MS = 2000;

/**
 * Knows whether a platform can be used. While it can't, no message is tried in vain: each attempt might arrive without
 * its answer, and would have to be repeated. A check, which sends nothing, finds out when it can be used again.
 */
export function createHealth(options: HealthOptions): HealthWatch {
  const { platform, sender, clock, schedule, random, log, onUsable } = options;
  const name = PLATFORM_NAMES[platform];
  let state: Health = sender === null ? { kind: 'off' } : { kind: 'up' };
  let cancel = (): void => undefined;
  let isStopped = false;
  let floodTimes: number[] = [];
  /** The platform asked to be left alone until then, whatever else goes wrong meanwhile. */
  let askedUntil = Number.NEGATIVE_INFINITY;

  function later(ms: number, run: () => void): void {
    cancel();
    if (!isStopped) cancel = schedule(ms, run);
  }

  function fall(kind: 'down' | 'botBroken', reason: string, failures: number): void {
    const isNews = state.kind !== kind || state.reason !== reason;
    const write = isNews ? log.warn : log.debug;
    state = { kind, reason, failures };
    const ownMs =
      kind === 'botBroken'
        ? BOT_BROKEN_CHECK_MS * (0.75 + random() / 2)
        : backoff(failures, null, CHECK_RULES, random());
    const waitMs = Math.max(ownMs, askedUntil - clock.monotonic());
    write(`${name} ${reason}`, { failures, nextTrySeconds: Math.round(waitMs / 1000) });
    later(waitMs, () => void check(failures + 1));
  }

  async function check(failures: number): Promise<void> {
    if (sender === null) return;
    let answer: PlatformCheck;
    try {
      answer = await sender.check();
    } catch (error) {
      log.error(`An answer of ${name} could not be read`, { error });
      answer = { kind: 'down', reason: 'sent an answer that could not be read' };
    }
    if (isStopped) return;
    if (answer.kind !== 'up') return fall(answer.kind, answer.reason, failures);
    log.info(`${name} takes messages again`);
    state = { kind: 'up' };
    const leftMs = askedUntil - clock.monotonic();
    if (leftMs > 0) return limit(leftMs);
    onUsable();
  }

  function limit(afterMs: number): void {
    const until = clock.monotonic() + afterMs;
    askedUntil = Math.max(askedUntil, until);
    if (state.kind !== 'up' && state.kind !== 'limited') return;
    if (state.kind === 'limited' && state.until >= until) return;
    if (state.kind === 'up') log.warn(`${name} asked to wait`, { seconds: Math.ceil(afterMs / 1000) });
    state = { kind: 'limited', until };
    later(afterMs, () => {
      state = { kind: 'up' };
      onUsable();
    });
  }

  return {
    state: () => state,
    mayBeUsed: () => state.kind === 'up',
    trouble: (reason) => {
      if (state.kind === 'up' || state.kind === 'limited') fall('down', reason, 1);
    },
    botBroken: (reason) => {
      if (state.kind !== 'botBroken') fall('botBroken', reason, 1);
    },
    limit,
    chatLimited(afterMs) {
      if (sender?.limits.namesScope !== false) return;
      const now = clock.monotonic();
      floodTimes = [...floodTimes.filter((time) => time > now - FLOOD_MS), now];
      if (floodTimes.length >= CHATS_OF_A_FLOOD) limit(afterMs);
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
