import { type ChatPlatform, PLATFORM_NAMES } from '../../subjects/chats/rules/chatPlatform.ts';
import type { SystemClock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Scheduler } from '../../lib/scheduler.ts';
import type { Sender } from '../chatClients/sender.ts';
import { type Chat, createChats } from './chats.ts';
import { createDelivery } from './delivery.ts';
import { createHealth, type Health } from './health.ts';
import type { Waiting } from './message.ts';
import { createPace } from './pace.ts';
import type { OutboxStore } from './store.ts';

export type QueueOptions = {
  platform: ChatPlatform;
  /** Null when the platform has no token on this server: its messages wait. */
  sender: Sender | null;
  store: OutboxStore;
  clock: SystemClock;
  schedule: Scheduler;
  /** From 0 to below 1. */
  random: () => number;
  log: Log;
};

export type QueueState = {
  health: Health;
  /** Chats that something waits for, or that a limit holds. */
  chats: number;
  messages: number;
  onTheirWay: number;
  /** Why the last message that was not delivered was not; epoch ms. */
  lastFailure: { reason: string; at: number } | null;
};

export type PlatformQueue = {
  platform: ChatPlatform;
  /** Takes messages in the order of their ids. */
  add(messages: readonly Waiting[]): void;
  /** Sends what may be sent. */
  pump(): void;
  /** Gives up what is too old, and forgets what is not needed any more. */
  sweep(): void;
  /** Sends nothing any more, and waits a little for what is on its way. */
  stop(): Promise<void>;
  state(): QueueState;
};

/** How long a message is tried. */
export const GIVE_UP_MS = 24 * 3_600_000;

/** Sent and not answered at once: a platform that hangs leaves no more than these in doubt. */
const MAX_ON_THEIR_WAY = 32;
/** Of these to channels: a broadcast that hangs leaves places for alerts. */
const MAX_BULK_ON_THEIR_WAY = 8;
/** After a fault of the database. */
const STORE_RETRY_MS = 5000;
const MAX_STOP_WAIT_MS = 3000;

/** The sender of one platform: keeps each chat's order, all limits, and what is known of the platform's health. */
export function createPlatformQueue(options: QueueOptions): PlatformQueue {
  const { platform, sender, store, clock, schedule, log } = options;
  const limits = sender?.limits ?? null;
  const chats = createChats(limits);
  const pace = createPace(limits?.perSecond ?? 1, clock);
  const onTheirWay = new Set<Promise<void>>();
  let bulkOnTheirWay = 0;
  let isStopped = false;
  let lastFailure: QueueState['lastFailure'] = null;
  let cancel = (): void => undefined;

  const pumpIn = (ms: number): void => {
    cancel();
    if (!isStopped && Number.isFinite(ms)) cancel = schedule(Math.max(0, Math.ceil(ms)), pump);
  };
  const health = createHealth({ ...options, onUsable: pump });
  const deliver = createDelivery({
    ...options,
    chats,
    health,
    onFailure: (reason) => void (lastFailure = { reason, at: clock.now() }),
    isStopped: () => isStopped,
  });

  function send(due: readonly Chat[]): void {
    const byId = new Map(due.map((chat) => [chat.entries[0]?.id, chat]));
    const ids = [...byId.keys()].filter((id) => id !== undefined);
    const takenAt = clock.now();
    const taken = store.take(ids, takenAt);
    pace.take(taken.length);
    for (const message of taken) {
      const chat = byId.get(message.id);
      byId.delete(message.id);
      if (chat === undefined || sender === null) continue;
      chat.isBusy = true;
      const places = message.target === 'channel' ? 1 : 0;
      bulkOnTheirWay += places;
      const sending = deliver(sender, chat, message, takenAt).finally(() => {
        onTheirWay.delete(sending);
        bulkOnTheirWay -= places;
        pump();
      });
      onTheirWay.add(sending);
    }
    // What is left waits no more: it failed, or its user is gone.
    for (const chat of byId.values()) chat.entries.shift();
  }

  function pump(): void {
    if (isStopped || !health.mayBeUsed()) return;
    const now = clock.monotonic();
    const places = MAX_ON_THEIR_WAY - onTheirWay.size;
    const bulkPlaces = MAX_BULK_ON_THEIR_WAY - bulkOnTheirWay;
    const due = chats.due(now, Math.min(pace.allowance(), places), bulkPlaces);
    try {
      if (due.length > 0) send(due);
    } catch (error) {
      log.error('Outgoing messages could not be read', { error });
      return pumpIn(STORE_RETRY_MS);
    }
    // A place that comes free pumps by itself.
    if (onTheirWay.size >= MAX_ON_THEIR_WAY) return;
    const nextDue = chats.nextDue(bulkOnTheirWay < MAX_BULK_ON_THEIR_WAY);
    pumpIn(Math.max(nextDue - now, pace.waitMs()));
  }

  function sweep(): void {
    const now = clock.monotonic();
    const state = health.state();
    const name = PLATFORM_NAMES[platform];
    const why =
      state.kind === 'off' ? 'is not set up on this server' : 'reason' in state ? state.reason : null;
    for (const { chat, ids } of chats.expired(now)) {
      store.failAll(
        ids,
        `Not delivered within a day: ${name} ${why ?? chat.failure ?? 'took no more messages'}.`,
      );
      // Only once that is on disk: what can't be written now is given up by a later sweep.
      chats.giveUp(chat, ids);
      log.warn('Messages were given up after a day', { platform, messages: ids.length });
    }
    chats.tidy(now);
  }

  return {
    platform,
    add(messages) {
      const now = clock.monotonic();
      const wall = clock.now();
      for (const { id, target, chatId, createdAt, dueAt } of messages) {
        // By the stopwatch from here on: a clock that is set must not make messages old.
        const leftMs = Math.min(Math.max(createdAt + GIVE_UP_MS - wall, 0), GIVE_UP_MS);
        // Before the clock of a board without a battery is set, nothing that was planned can be told from it.
        const waitMs = createdAt > wall || dueAt - wall > GIVE_UP_MS ? 0 : Math.max(0, dueAt - wall);
        chats.add(chatId, { id, giveUpAt: now + leftMs, isBulk: target === 'channel' }, now + waitMs);
      }
    },
    pump,
    sweep,
    async stop() {
      isStopped = true;
      cancel();
      health.stop();
      let give = (): void => undefined;
      const enough = new Promise<void>((resolve) => {
        give = schedule(MAX_STOP_WAIT_MS, resolve);
      });
      await Promise.race([Promise.all(onTheirWay), enough]);
      give();
    },
    state: () => ({ health: health.state(), ...chats.size(), onTheirWay: onTheirWay.size, lastFailure }),
  };
}
