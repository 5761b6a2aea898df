import { type MessagePlatform, PLATFORM_NAMES } from '../chatClients/rules/chatPlatform.ts';
import { PUSH_SERVICE_NAMES, type PushService } from '../push/rules/pushService.ts';
import type { SystemClock, Stopwatch } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { nextTurn } from '#lib/turns.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import type { Sender } from '../chatClients/sender.ts';
import { Backlog, type QueuedMessage } from './backlog.ts';
import { type Chat, Chats } from './chats.ts';
import { Delivery, type DeliveryOptions } from './delivery.ts';
import { type Health, PlatformHealth } from './health.ts';
import type { Claimed, Waiting } from './message.ts';
import type { OutboxStore } from './store.ts';

/** Allows this many messages per second, at most a fifth of them in a burst. */
type Pace = {
  allowance(): number;
  take(messages: number): void;
  /** Delay until the next message, ms. @param isMore several wait, so a fast platform gets a burst */
  waitMs(isMore: boolean): number;
};

/** Messages per second from which bursts share a write to the disk. */
const MANY = 20;

function createPace(perSecond: number, clock: Stopwatch): Pace {
  const capacity = Math.max(1, Math.floor(perSecond / 5));
  const perMs = perSecond / 1000;
  let saved = capacity;
  let at = clock.monotonic();
  function refill(): void {
    const now = clock.monotonic();
    saved = Math.min(capacity, saved + (now - at) * perMs);
    at = now;
  }
  return {
    allowance() {
      refill();
      // Timers may be slightly early, and sums of small steps are inexact.
      return Math.floor(saved + 1e-6);
    },
    take: (messages) => void (saved -= messages),
    waitMs(isMore) {
      refill();
      const wanted = isMore && capacity >= MANY ? capacity / 2 : 1;
      return Math.max(0, (wanted - saved) / perMs);
    },
  };
}

export type QueueOptions = {
  platform: MessagePlatform;
  service?: PushService;
  /** Null if the platform has no token. Its messages wait. */
  sender: Sender | null;
  onBroken: DeliveryOptions['onBroken'];
  store: OutboxStore;
  clock: SystemClock;
  schedule: Scheduler;
  random: () => number;
  log: Log;
};

export type QueueState = {
  health: Health;
  chats: number;
  messages: number;
  onTheirWay: number;
  lastFailure: { reason: string; at: number } | null;
};

export const GIVE_UP_MS = 24 * 3_600_000;

/** The maximum of unanswered messages. If a platform hangs, it is unknown whether these arrived. */
const MAX_ON_THEIR_WAY = 32;
/** The part of channels and broadcasts, so that alerts have room. */
const MAX_BULK_ON_THEIR_WAY = 8;
/** Chats with messages in memory. The rest wait in the backlog. */
const MAX_HELD = 1000;
const FILLED_AT_ONCE = 200;
const LOOK_FURTHER_MS = 20;
const STORE_RETRY_MS = 5000;
const MAX_STOP_WAIT_MS = 3000;

/** The sender of one platform. It keeps the order of each chat, all limits, and the platform's health. */
export class PlatformQueue {
  readonly platform: MessagePlatform;
  /** The name of the platform or push service, in the form that begins a sentence. */
  readonly name: string;
  readonly #chats: Chats;
  /** Messages that wait behind those of the chats, in order. */
  readonly #people = new Backlog();
  readonly #bulk = new Backlog();
  readonly #moved = new Map<string, string>();
  readonly #pace: Pace;
  readonly #health: PlatformHealth;
  readonly #delivery: Delivery;
  readonly #onTheirWay = new Set<Promise<void>>();
  #bulkOnTheirWay = 0;
  #isStopped = false;
  #isPumpingSoon = false;
  #lastFailure: QueueState['lastFailure'] = null;
  #cancel = (): void => undefined;

  constructor(private readonly options: QueueOptions) {
    const { platform, service, sender, clock } = options;
    const limits = sender?.limits ?? null;
    this.platform = platform;
    this.name = service === undefined ? PLATFORM_NAMES[platform] : PUSH_SERVICE_NAMES[service];
    this.#chats = new Chats(limits);
    this.#pace = createPace(limits?.perSecond ?? 1, clock);
    this.#health = new PlatformHealth({ ...options, name: this.name, onUsable: () => this.pump() });
    this.#delivery = new Delivery({
      ...options,
      name: this.name,
      chats: this.#chats,
      health: this.#health,
      onMoved: (from, to) => void this.#moved.set(from, to),
      onFailure: (reason) => void (this.#lastFailure = { reason, at: clock.now() }),
      isStopped: () => this.#isStopped,
    });
  }

  takes({ platform, chatId }: Pick<Waiting, 'platform' | 'chatId'>): boolean {
    if (platform !== this.platform) return false;
    const { service } = this.options;
    return service === undefined || chatId.startsWith(`${service}:`);
  }

  add(messages: readonly Waiting[]): void {
    const { clock } = this.options;
    const now = clock.monotonic();
    const wall = clock.now();
    for (const { id, target, chatId, createdAt, dueAt } of messages) {
      // Measured by the stopwatch, so that a changed clock does not expire messages.
      const leftMs = Math.min(Math.max(createdAt + GIVE_UP_MS - wall, 0), GIVE_UP_MS);
      // Planned times are meaningless until the clock of a board without a battery is set.
      const waitMs = createdAt > wall || dueAt - wall > GIVE_UP_MS ? 0 : Math.max(0, dueAt - wall);
      const queued = { id, chatId, expiresAt: now + leftMs, notBefore: now + waitMs };
      (target === 'chat' ? this.#people : this.#bulk).add(queued);
    }
    this.#fill(MAX_HELD - this.#chats.queued);
  }

  /** Moves a chat to its new ID. A message in flight to the old ID reports that in its outcome. */
  move(from: string, to: string): void {
    this.#moved.set(from, to);
    this.#chats.rename(from, to);
  }

  pump(): void {
    if (this.#isStopped || !this.#health.mayBeUsed()) return;
    const now = this.options.clock.monotonic();
    const places = MAX_ON_THEIR_WAY - this.#onTheirWay.size;
    const bulkPlaces = MAX_BULK_ON_THEIR_WAY - this.#bulkOnTheirWay;
    const due = this.#due(now, Math.min(this.#pace.allowance(), places), bulkPlaces);
    try {
      if (due.length > 0) this.#send(due);
    } catch (error) {
      this.options.log.error('Could not read outgoing messages', { error });
      return this.#pumpIn(STORE_RETRY_MS);
    }
    if (this.#onTheirWay.size >= MAX_ON_THEIR_WAY) return;
    const nextDue = this.#chats.nextDue(now, this.#bulkOnTheirWay < MAX_BULK_ON_THEIR_WAY);
    // A message of the backlog may be due.
    const leftMs = this.#people.size > 0 ? Math.min(nextDue - now, LOOK_FURTHER_MS) : nextDue - now;
    this.#pumpIn(Math.max(leftMs, this.#pace.waitMs(leftMs <= 0)));
  }

  sweep(): void {
    const { platform, store, clock, log } = this.options;
    const now = clock.monotonic();
    this.#takeExpired(now);
    for (const { chat, ids } of this.#chats.expired(now)) {
      const why = this.#troubleText() ?? chat.failure ?? 'accepted no further messages';
      store.failAll(ids, `Not delivered within a day: ${this.name} ${why}.`);
      // Only after the write, so that a later sweep repeats a failed one.
      this.#chats.expire(chat, ids);
      log.warn('Gave up on messages after a day', { platform, messages: ids.length });
    }
    this.#chats.tidy(now);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    this.#health.stop();
    const enough = Promise.withResolvers<void>();
    const cancel = this.options.schedule(MAX_STOP_WAIT_MS, enough.resolve);
    await Promise.race([Promise.all(this.#onTheirWay), enough.promise]);
    cancel();
  }

  state(): QueueState {
    const { chats, messages } = this.#chats.size();
    return {
      health: this.#health.state(),
      chats,
      messages: messages + this.#people.size + this.#bulk.size,
      onTheirWay: this.#onTheirWay.size,
      lastFailure: this.#lastFailure,
    };
  }

  /** Chats that may be sent to. If these are too few, also checks some of the backlog. */
  #due(now: number, max: number, maxBulk: number): Chat[] {
    this.#fill(MAX_HELD - this.#chats.queued);
    const due = this.#chats.due(now, max, maxBulk);
    if (due.length < max && this.#people.size > 0) {
      for (let count = 0; count < FILLED_AT_ONCE; count += 1) this.#takePerson();
    } else if (due.length < Math.min(max, maxBulk) && this.#bulk.size > 0) {
      for (let count = 0; count < FILLED_AT_ONCE; count += 1) this.#takeBulk();
    } else return due;
    return this.#chats.due(now, max, maxBulk);
  }

  /** Moves expired messages of the backlog into the chats, some per sweep. */
  #takeExpired(now: number): void {
    for (let count = 0; count < FILLED_AT_ONCE; count += 1) {
      if (this.#people.nextGivenUp() <= now) this.#takePerson();
      else if (this.#bulk.nextGivenUp() <= now) this.#takeBulk();
      else return;
    }
  }

  /** Moves messages of the backlog into the chats, those for people first. */
  #fill(most: number): void {
    for (let count = 0; count < most; count += 1) {
      if (!this.#takePerson() && !this.#takeBulk()) return;
    }
  }

  /** The next message for a person, with the earlier ones of its chat, which keeps its order. */
  #takePerson(): boolean {
    const next = this.#people.take();
    if (!next) return false;
    for (const one of this.#bulk.takeAllOf(next.chatId)) this.#hand(one, true);
    this.#hand(next, false);
    return true;
  }

  #takeBulk(): boolean {
    const next = this.#bulk.take();
    if (next) this.#hand(next, true);
    return next !== undefined;
  }

  #hand({ id, chatId, expiresAt, notBefore }: QueuedMessage, isBulk: boolean): void {
    this.#chats.add(this.#moved.get(chatId) ?? chatId, { id, expiresAt, isBulk }, notBefore);
  }

  #pumpSoon(): void {
    if (this.#isPumpingSoon) return;
    this.#isPumpingSoon = true;
    void nextTurn().then(() => {
      this.#isPumpingSoon = false;
      this.pump();
    });
  }

  #pumpIn(ms: number): void {
    this.#cancel();
    if (this.#isStopped || !Number.isFinite(ms)) return;
    this.#cancel = this.options.schedule(Math.max(0, Math.ceil(ms)), () => this.pump());
  }

  #send(due: readonly Chat[]): void {
    const { store, clock } = this.options;
    const byId = new Map(due.map((chat) => [chat.entries[0]?.id, chat]));
    const ids = [...byId.keys()].filter((id) => id !== undefined);
    const claimedAt = clock.now();
    const count = store.claim(ids, claimedAt);
    this.#pace.take(count.length);
    for (const message of count) {
      const chat = byId.get(message.id);
      byId.delete(message.id);
      if (chat) this.#begin(chat, message, claimedAt);
    }
    // The remaining messages failed, or their user is gone.
    for (const chat of byId.values()) chat.entries.shift();
  }

  #begin(chat: Chat, message: Claimed, claimedAt: number): void {
    const { sender } = this.options;
    if (sender === null) return;
    chat.isBusy = true;
    const places = message.target === 'chat' ? 0 : 1;
    this.#bulkOnTheirWay += places;
    const sending = this.#delivery.deliver(sender, chat, message, claimedAt).finally(() => {
      this.#onTheirWay.delete(sending);
      this.#bulkOnTheirWay -= places;
      this.#pumpSoon();
    });
    this.#onTheirWay.add(sending);
  }

  #troubleText(): string | null {
    const state = this.#health.state();
    if (state.kind === 'off') return 'is not set up on this server';
    return 'reason' in state ? state.reason : null;
  }
}
