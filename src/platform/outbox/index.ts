import type { Delivery, SentTo, TriggerKind } from './rules/delivery.ts';
import {
  CHAT_PLATFORMS,
  MESSAGE_PLATFORMS,
  type MessagePlatform,
} from '../chatClients/rules/chatPlatform.ts';
import { PUSH_SERVICES, type PushService } from '../push/rules/pushService.ts';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
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
  type Status,
} from './report.ts';
import { createOutboxStore, type OutboxStore } from './store.ts';

export type OutboxOptions = {
  /** Senders of the push services and the platforms with a token. Messages to others expire after a day. */
  senders: readonly Sender[];
  /** Makes the message of a noted event when it is sent. Must not throw. */
  messageOf: MessageMaker;
  /** The messages to the owner of a broken chat or device. Must not throw. */
  brokenMessages?: (broken: Broken) => NewMessage[];
  /** Whether a user's messages that may wait are held for a digest. It is called for each such message. */
  holdsBack?: (userId: number) => boolean;
  random?: () => number;
};

export type OutboxService = {
  /**
   * Writes messages, within the caller's transaction if there is one. Nothing is sent yet. A chat's messages
   * keep their order.
   * @returns the nonce of each message, which identifies it as long as it is stored
   */
  add(messages: readonly NewMessage[]): string[];
  held: HeldMessages;
  /** A platform reported the new ID of a chat. */
  moveChat(platform: MessagePlatform, from: string, to: string): void;
  /** A platform reported that a chat accepts no messages. @param reason a sentence */
  breakChat(platform: MessagePlatform, chatId: string, reason: string): void;
  /** Sends new messages. Call it after the commit. It returns immediately. */
  wake(): void;
  counts(): OutboxCounts;
  /** The worst outcome of each trigger's messages. Triggers without messages are left out. */
  deliveryOf(triggerIds: readonly number[]): Map<number, Delivery>;
  /** The worst outcome by platform, for alerts on stocks or on scans. */
  sentOf(kind: TriggerKind, triggerIds: readonly number[]): Map<number, SentTo[]>;
  /** The status of messages by nonce. Deleted ones are left out. */
  statusesOf(nonces: readonly string[]): Map<string, Status>;
  /** Why a platform accepts no messages, a sentence; null if it does. */
  trouble(platform: MessagePlatform): string | null;
  sentTo(platform: MessagePlatform, chatId: string, limit: number): SentMessage[];
};

/** The poll interval for messages without `wake`. */
const POLL_MS = 1000;
const AT_ONCE = 100;
const SWEEP_MS = 60_000;
const KEPT_MS = 30 * 24 * 3_600_000;
/** With a counter appended, a nonce has at most 25 characters. */
const NONCE_LENGTH = 18;

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

function every(schedule: Scheduler, ms: number, run: () => void): () => void {
  let cancel = schedule(ms, function again() {
    run();
    cancel = schedule(ms, again);
  });
  return () => cancel();
}

/** Reads new messages, gives them to the queues of their platforms, and expires old ones. */
class OutboxPoller {
  #lastId = 0;
  /** The newest message of an earlier run. Up to it, waiting messages are searched among sent ones. */
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
    const leftOver = store.reclaimLeftOver();
    if (leftOver > 0)
      this.#log.warn('Some messages may have been sent, but their answers were lost', { messages: leftOver });
    this.#lastId = 0;
    this.#leftUntil = store.newestId();
    this.#takeSome();
    this.#sweep();
    this.#cancels = [
      every(schedule, POLL_MS, () => this.#check()),
      every(schedule, SWEEP_MS, () => this.#sweep()),
    ];
    for (const queue of queues) queue.pump();
  }

  /** Schedules a read, never within the caller's own transaction. */
  wake(): void {
    if (this.#isAwake || !this.#isRunning) return;
    this.#isAwake = true;
    this.app.schedule(0, () => this.#check());
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

  #check(): void {
    this.#safely('look for messages', () => {
      this.#isAwake = false;
      if (!this.#isRunning) return;
      this.#takeSome();
      for (const queue of this.queues) queue.pump();
    });
  }

  /** Reads some messages at a time, because there may be a hundred thousand. */
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

  /** A fault of the database must not end the polling. */
  #safely(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log.error(`The outbox could not ${what}`, { error });
    }
  }
}

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
 * Messages to chats and devices. They are written in the transaction of their cause, then sent in each chat's
 * order by one queue per platform. Attempts continue for a day, and a possible repeat is marked as one.
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
  const poller = new OutboxPoller(app, store, queues);
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
    wake: () => poller.wake(),
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
    start: () => poller.start(),
    stop: () => poller.stop(),
    prune: () => report.prune(clock.now() - KEPT_MS),
    inspect: () => inspectionOf(clock, queues, report, counts()),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    outbox: OutboxService;
  }
}
