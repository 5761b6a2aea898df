import type { Delivery, SentTo, TriggerKind } from './rules/delivery.ts';
import {
  CHAT_PLATFORMS,
  MESSAGE_PLATFORMS,
  type MessagePlatform,
} from '../chatClients/rules/chatPlatform.ts';
import { PUSH_SERVICES, type PushService } from '../push/rules/pushService.ts';
import { fromSydney, sydneyDate } from '#market/rules/sydneyTime.ts';
import type { Clock } from '#lib/clock.ts';
import { randomToken } from '#lib/secrets.ts';
import type { Log } from '#lib/log.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import type { App, Part } from '#platform/app.ts';
import type { Sender } from '../chatClients/sender.ts';
import type { Broken } from './delivery.ts';
import { createHeldMessages, type HeldMessages } from './held.ts';
import type { Health } from './health.ts';
import type { MessageMaker, NewMessage, Waiting } from './message.ts';
import { PlatformQueue, type QueueOptions } from './platformQueue.ts';
import {
  createOutboxReport,
  type OutboxCounts,
  type OutboxReport,
  createChannelReport,
  type SentMessage,
  type Standing,
} from './report.ts';
import { createOutboxStore, type OutboxStore } from './store.ts';

export type OutboxOptions = {
  /** Of the platforms that have a token, and of the push services; messages to others wait, and are given up after a day. */
  senders: readonly Sender[];
  /** Makes the message of an alert's trigger, when it is sent. It must not throw. */
  messageOf: MessageMaker;
  /** What the owner of a chat or device that takes messages no longer is told elsewhere. It must not throw. */
  brokenMessages?: (broken: Broken) => NewMessage[];
  /** Whether messages to a user that may wait are held for a digest now; it hears of each that is. */
  holdsBack?: (userId: number) => boolean;
  /** From 0 to below 1. */
  random?: () => number;
};

export type OutboxService = {
  /**
   * Writes messages, within the caller's transaction if there is one; nothing is sent yet. A chat's messages are sent in
   * the order in which they were written.
   * @returns the nonce of each, by which it is known for as long as it is kept
   */
  add(messages: readonly NewMessage[]): string[];
  /** What waits for a digest. */
  held: HeldMessages;
  /** The platform said that a chat has another ID from now on. */
  moveChat(platform: MessagePlatform, from: string, to: string): void;
  /** The platform said that a chat takes messages no longer. @param reason a sentence */
  breakChat(platform: MessagePlatform, chatId: string, reason: string): void;
  /** Sends what was written; to be called after the commit. It returns at once. */
  wake(): void;
  counts(): OutboxCounts;
  /** What became of the messages of each trigger, the worst of them; triggers without messages are left out. */
  deliveryOf(triggerIds: readonly number[]): Map<number, Delivery>;
  /** The same by platform, of alerts' triggers or of those on whole scans. */
  sentOf(kind: TriggerKind, triggerIds: readonly number[]): Map<number, SentTo[]>;
  /** How the messages of these nonces stand; those that are kept no longer are left out. */
  standings(nonces: readonly string[]): Map<string, Standing>;
  /** Why a platform takes no messages now: a sentence; null while it does. */
  trouble(platform: MessagePlatform): string | null;
  /** What was sent to a channel, newest first. */
  sentTo(platform: MessagePlatform, chatId: string, limit: number): SentMessage[];
};

/** Messages that nobody announced by `wake` are found within this time. */
const POLL_MS = 1000;
/** Messages that are read in one turn of the event loop. */
const AT_ONCE = 100;
const SWEEP_MS = 60_000;
const KEPT_MS = 30 * 24 * 3_600_000;
/** With a counter behind it a nonce has at most 25 characters. */
const NONCE_LENGTH = 18;

/** A platform's state in a few words. */
function healthText(health: Health): string {
  switch (health.kind) {
    case 'off':
      return 'no token';
    case 'up':
      return 'in use';
    case 'limited':
      return 'asked to wait';
    case 'down':
    case 'botBroken':
      return health.reason;
  }
}

/** Runs something again and again until it is cancelled. */
function every(schedule: Scheduler, ms: number, run: () => void): () => void {
  let cancel = schedule(ms, function again() {
    run();
    cancel = schedule(ms, again);
  });
  return () => cancel();
}

/** Finds the messages that were written, hands them to their platforms' queues, and has those give up what is too old. */
class Finder {
  #lastId = 0;
  /** The newest that an earlier run left: up to there what waits is looked for among what was sent. */
  #leftUntil = 0;
  #isRunning = false;
  #isAwake = false;
  #cancels: (() => void)[] = [];

  readonly #log: Log;

  constructor(
    private readonly app: App,
    private readonly store: OutboxStore,
    private readonly queues: readonly PlatformQueue[],
  ) {
    this.#log = app.log.child('outbox');
  }

  start(): void {
    if (this.#isRunning) return;
    const { store, queues } = this;
    const { schedule } = this.app;
    this.#isRunning = true;
    const leftOver = store.takeUpLeftOver();
    if (leftOver > 0)
      this.#log.warn('Messages may have been sent without their answer', { messages: leftOver });
    this.#lastId = 0;
    this.#leftUntil = store.newestId();
    this.#takeSome();
    this.#sweep();
    this.#cancels = [
      every(schedule, POLL_MS, () => this.#look()),
      every(schedule, SWEEP_MS, () => this.#sweep()),
    ];
    for (const queue of queues) queue.pump();
  }

  /** Looks for messages soon, but never within the caller's own transaction. */
  wake(): void {
    if (this.#isAwake || !this.#isRunning) return;
    this.#isAwake = true;
    this.app.schedule(0, () => this.#look());
  }

  async stop(): Promise<void> {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    for (const cancel of this.#cancels) cancel();
    await Promise.all(this.queues.map((queue) => queue.stop()));
  }

  #hand(messages: readonly Waiting[]): void {
    for (const queue of this.queues) {
      queue.add(messages.filter((message) => queue.takes(message)));
    }
  }

  #look(): void {
    this.#safely('look for messages', () => {
      this.#isAwake = false;
      if (!this.#isRunning) return;
      this.#takeSome();
      for (const queue of this.queues) queue.pump();
    });
  }

  /** Hands on what was written, some at once: a hundred thousand may be. The rest follows after other work. */
  #takeSome(): void {
    const { store } = this;
    const isLeft = this.#lastId < this.#leftUntil;
    const found = isLeft
      ? store.waitingAtStart(this.#lastId, AT_ONCE)
      : store.waitingAfter(this.#lastId, AT_ONCE);
    const isMore = found.length === AT_ONCE;
    const last = found.at(-1)?.id ?? this.#lastId;
    this.#lastId = isMore ? last : Math.max(last, this.#leftUntil);
    this.#hand(found);
    if (isMore) this.wake();
  }

  #sweep(): void {
    this.#safely('give up old messages', () => {
      for (const queue of this.queues) queue.sweep();
    });
  }

  /** A fault of the database must not end the looking. */
  #safely(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log.error(`The outbox could not ${what}`, { error });
    }
  }
}

/** Writes messages, each with a nonce of its own. */
function createWriter(
  store: OutboxStore,
  clock: Clock,
  holdsBack: (userId: number) => boolean = () => false,
): OutboxService['add'] {
  const run = randomToken().slice(0, NONCE_LENGTH);
  let written = 0;
  return (messages) => {
    const now = clock.now();
    return messages.map((message) => {
      written += 1;
      const nonce = `${run}${written.toString(36)}`;
      const { mayWait, userId } = message;
      store.insert(message, nonce, now, mayWait === true && userId !== null && holdsBack(userId));
      return nonce;
    });
  };
}

function troubleOf(queue: PlatformQueue): string | null {
  const { health } = queue.state();
  if (health.kind === 'up') return null;
  if (health.kind === 'off') return `${queue.name} is not set up on this server.`;
  return `${queue.name} ${healthText(health)}.`;
}

/** What administrators see of it. */
function inspectionOf(
  clock: Clock,
  queues: readonly PlatformQueue[],
  report: OutboxReport,
  counts: OutboxCounts,
) {
  const oldest = report.oldestOpen();
  const states = queues.map((queue) => ({ platform: queue.platform, name: queue.name, ...queue.state() }));
  const stateOf = (platform: MessagePlatform): string => {
    const own = states.filter((state) => state.platform === platform);
    return healthText((own.find(({ health }) => health.kind !== 'up') ?? own[0])?.health ?? { kind: 'off' });
  };
  return {
    label: 'Outbox',
    description: 'Messages to chats by platform, and the newest 200 of them without their texts.',
    summary: {
      ...counts,
      oldestWaitingSeconds: oldest === null ? null : Math.round((clock.now() - oldest) / 1000),
      ...Object.fromEntries(MESSAGE_PLATFORMS.map((platform) => [platform, stateOf(platform)])),
    },
    data: () => ({ platforms: states, newest: report.newest() }),
  };
}

/** One for each chat platform, and one for each push service. */
function createQueues(
  senders: readonly Sender[],
  common: Omit<QueueOptions, 'platform' | 'service' | 'sender'>,
): PlatformQueue[] {
  const senderOf = (platform: MessagePlatform, service?: PushService): Sender | null =>
    senders.find((sender) => sender.platform === platform && sender.service === service) ?? null;
  return [
    ...CHAT_PLATFORMS.map(
      (platform) => new PlatformQueue({ ...common, platform, sender: senderOf(platform) }),
    ),
    ...PUSH_SERVICES.map(
      (service) =>
        new PlatformQueue({ ...common, platform: 'push', service, sender: senderOf('push', service) }),
    ),
  ];
}

/**
 * Messages to chats and devices: written in the transaction of what causes them, then sent by one queue a platform, in each chat's
 * order, as often as it takes within a day, and never twice without saying so.
 */
export function createOutbox(app: App, options: OutboxOptions) {
  const { db, clock, schedule } = app;
  const { messageOf, random = Math.random } = options;
  const log = app.log.child('outbox');
  const store = createOutboxStore(db, messageOf);
  const report = createOutboxReport(db);
  const channels = createChannelReport(db);
  const add = createWriter(store, clock, options.holdsBack);
  const onBroken = (broken: Broken): void => void add(options.brokenMessages?.(broken) ?? []);
  const queues = createQueues(options.senders, { store, clock, schedule, random, log, onBroken });
  const finder = new Finder(app, store, queues);
  const counts = (): OutboxCounts => report.counts(fromSydney(sydneyDate(clock.now()), 0, 0));
  const service: OutboxService = {
    add,
    moveChat(platform, from, to) {
      store.moveChat(platform, from, to);
      queues.find((queue) => queue.platform === platform)?.move(from, to);
    },
    breakChat: (platform, chatId, reason) =>
      store.inTransaction(() => {
        const owner = store.breakChat(platform, chatId, reason, clock.now());
        if (owner) onBroken({ ...owner, platform, chatId, reason, isGone: false });
      }),
    held: createHeldMessages(db, store, messageOf),
    wake: () => finder.wake(),
    counts,
    deliveryOf: report.deliveryOf,
    sentOf: report.sentOf,
    ...channels,
    trouble: (platform) =>
      queues
        .filter((queue) => queue.platform === platform)
        .map(troubleOf)
        .find((trouble) => trouble !== null) ?? null,
  };
  return {
    name: 'outbox',
    service,
    start: () => finder.start(),
    stop: () => finder.stop(),
    prune: () => report.prune(clock.now() - KEPT_MS),
    inspect: () => inspectionOf(clock, queues, report, counts()),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    outbox: OutboxService;
  }
}
