import { type MessagePlatform, PLATFORM_NAMES } from '../chatClients/rules/chatPlatform.ts';
import { PUSH_SERVICE_NAMES, type PushService } from '../push/rules/pushService.ts';
import type { SystemClock, Stopwatch } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { nextTurn } from '#lib/turns.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import type { Sender } from '../chatClients/sender.ts';
import { Backlog, type Behind } from './backlog.ts';
import { type Chat, Chats } from './chats.ts';
import { Delivery, type DeliveryOptions } from './delivery.ts';
import { type Health, PlatformHealth } from './health.ts';
import type { Taken, Waiting } from './message.ts';
import type { OutboxStore } from './store.ts';

/** Allows this many messages a second, evenly: at most a fifth of a second's worth at once. */
type Pace = {
  /** How many may be sent now. */
  allowance(): number;
  take(messages: number): void;
  /** Until the next may be sent, ms. @param isMore whether several wait: a fast platform is sent some at once */
  waitMs(isMore: boolean): number;
};

/** From so many at once on, a wait for the disk is worth sharing. */
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
      // A timer may be a hair early, and sums of small steps are not exact.
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
  /** Of web push the service whose devices' messages it takes. */
  service?: PushService;
  /** Null when the platform has no token on this server: its messages wait. */
  sender: Sender | null;
  onBroken: DeliveryOptions['onBroken'];
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

/** How long a message is tried. */
export const GIVE_UP_MS = 24 * 3_600_000;

/** Sent and not answered at once: a platform that hangs leaves no more than these in doubt. */
const MAX_ON_THEIR_WAY = 32;
/** Of these to channels and to everybody: a broadcast that hangs leaves places for alerts. */
const MAX_BULK_ON_THEIR_WAY = 8;
/** Chats that have messages at hand; the rest wait in order behind them. */
const MAX_HELD = 1000;
const FILLED_AT_ONCE = 200;
const LOOK_FURTHER_MS = 20;
/** After a fault of the database. */
const STORE_RETRY_MS = 5000;
const MAX_STOP_WAIT_MS = 3000;

/** The sender of one platform: keeps each chat's order, all limits, and what is known of the platform's health. */
export class PlatformQueue {
  readonly platform: MessagePlatform;
  /** The platform's, or the push service's, as a sentence begins with it. */
  readonly name: string;
  readonly #chats: Chats;
  /** What waits behind the messages in the chats, in order. */
  readonly #people = new Backlog();
  readonly #bulk = new Backlog();
  /** Chats that have another ID by now. */
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

  /** Whether a message is to be given to this queue. */
  takes({ platform, chatId }: Pick<Waiting, 'platform' | 'chatId'>): boolean {
    if (platform !== this.platform) return false;
    const { service } = this.options;
    return service === undefined || chatId.startsWith(`${service}:`);
  }

  /** Takes messages in the order of their ids. */
  add(messages: readonly Waiting[]): void {
    const { clock } = this.options;
    const now = clock.monotonic();
    const wall = clock.now();
    for (const { id, target, chatId, createdAt, dueAt } of messages) {
      // By the stopwatch from here on: a clock that is set must not make messages old.
      const leftMs = Math.min(Math.max(createdAt + GIVE_UP_MS - wall, 0), GIVE_UP_MS);
      // Before the clock of a board without a battery is set, nothing that was planned can be told from it.
      const waitMs = createdAt > wall || dueAt - wall > GIVE_UP_MS ? 0 : Math.max(0, dueAt - wall);
      const behind = { id, chatId, giveUpAt: now + leftMs, notBefore: now + waitMs };
      (target === 'chat' ? this.#people : this.#bulk).add(behind);
    }
    this.#fill(MAX_HELD - this.#chats.queued);
  }

  /** A chat has another ID by now. What is on its way to the former one tells so by its outcome. */
  move(from: string, to: string): void {
    this.#moved.set(from, to);
    this.#chats.rename(from, to);
  }

  /** Sends what may be sent. */
  pump(): void {
    if (this.#isStopped || !this.#health.mayBeUsed()) return;
    const now = this.options.clock.monotonic();
    const places = MAX_ON_THEIR_WAY - this.#onTheirWay.size;
    const bulkPlaces = MAX_BULK_ON_THEIR_WAY - this.#bulkOnTheirWay;
    const due = this.#due(now, Math.min(this.#pace.allowance(), places), bulkPlaces);
    try {
      if (due.length > 0) this.#send(due);
    } catch (error) {
      this.options.log.error('Outgoing messages could not be read', { error });
      return this.#pumpIn(STORE_RETRY_MS);
    }
    // A place that comes free pumps by itself.
    if (this.#onTheirWay.size >= MAX_ON_THEIR_WAY) return;
    const nextDue = this.#chats.nextDue(now, this.#bulkOnTheirWay < MAX_BULK_ON_THEIR_WAY);
    // Something may be due among those that are not at hand.
    const leftMs = this.#people.size > 0 ? Math.min(nextDue - now, LOOK_FURTHER_MS) : nextDue - now;
    this.#pumpIn(Math.max(leftMs, this.#pace.waitMs(leftMs <= 0)));
  }

  /** Gives up what is too old, and forgets what is not needed any more. */
  sweep(): void {
    const { platform, store, clock, log } = this.options;
    const now = clock.monotonic();
    this.#takeExpired(now);
    for (const { chat, ids } of this.#chats.expired(now)) {
      const why = this.#troubleText() ?? chat.failure ?? 'took no more messages';
      store.failAll(ids, `Not delivered within a day: ${this.name} ${why}.`);
      // Only once that is on disk: what can't be written now is given up by a later sweep.
      this.#chats.giveUp(chat, ids);
      log.warn('Messages were given up after a day', { platform, messages: ids.length });
    }
    this.#chats.tidy(now);
  }

  /** Sends nothing any more, and waits a little for what is on its way. */
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

  /** Chats that may be sent to; where too few of those at hand may, some of what waits behind them is looked at too. */
  #due(now: number, max: number, maxBulk: number): Chat[] {
    this.#fill(MAX_HELD - this.#chats.queued);
    const due = this.#chats.due(now, max, maxBulk);
    if (due.length < max && this.#people.size > 0) {
      for (let taken = 0; taken < FILLED_AT_ONCE; taken += 1) this.#takePerson();
    } else if (due.length < Math.min(max, maxBulk) && this.#bulk.size > 0) {
      for (let taken = 0; taken < FILLED_AT_ONCE; taken += 1) this.#takeBulk();
    } else return due;
    return this.#chats.due(now, max, maxBulk);
  }

  /** What waits behind the chats gets no younger while nothing is sent; a sweep takes some, and the next one more. */
  #takeExpired(now: number): void {
    for (let taken = 0; taken < FILLED_AT_ONCE; taken += 1) {
      if (this.#people.nextGivenUp() <= now) this.#takePerson();
      else if (this.#bulk.nextGivenUp() <= now) this.#takeBulk();
      else return;
    }
  }

  /** Takes some of what waits into the chats: of what is for people all, before anything else. */
  #fill(most: number): void {
    for (let taken = 0; taken < most; taken += 1) {
      if (!this.#takePerson() && !this.#takeBulk()) return;
    }
  }

  /** The next for a person, with what waits before it for the same chat: a chat's order stays. */
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

  #hand({ id, chatId, giveUpAt, notBefore }: Behind, isBulk: boolean): void {
    this.#chats.add(this.#moved.get(chatId) ?? chatId, { id, giveUpAt, isBulk }, notBefore);
  }

  /** Once for all that came back within this turn. */
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

  /** Hands the first message of each of these chats to the platform. */
  #send(due: readonly Chat[]): void {
    const { store, clock } = this.options;
    const byId = new Map(due.map((chat) => [chat.entries[0]?.id, chat]));
    const ids = [...byId.keys()].filter((id) => id !== undefined);
    const takenAt = clock.now();
    const taken = store.take(ids, takenAt);
    this.#pace.take(taken.length);
    for (const message of taken) {
      const chat = byId.get(message.id);
      byId.delete(message.id);
      if (chat) this.#begin(chat, message, takenAt);
    }
    // What is left waits no more: it failed, or its user is gone.
    for (const chat of byId.values()) chat.entries.shift();
  }

  #begin(chat: Chat, message: Taken, takenAt: number): void {
    const { sender } = this.options;
    if (sender === null) return;
    chat.isBusy = true;
    const places = message.target === 'chat' ? 0 : 1;
    this.#bulkOnTheirWay += places;
    const sending = this.#delivery.deliver(sender, chat, message, takenAt).finally(() => {
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
