import type { MessagePlatform } from '../chatClients/rules/chatPlatform.ts';
import type { SystemClock } from '#lib/clock.ts';
import { backoff } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import type { Sender, SendOutcome } from '../chatClients/sender.ts';
import type { Chat, Chats } from './chats.ts';
import type { PlatformHealth } from './health.ts';
import type { Claimed } from './message.ts';
import type { OutboxStore, PlaceOwner } from './store.ts';
import { nextTurn } from '#lib/turns.ts';

/** A change of a message: on disk first, then in the queue. */
type Step = { write(): void; advance(): void };

type SettlingOptions = {
  inTransaction(work: () => void): void;
  schedule: Scheduler;
  log: Log;
  isStopped(): boolean;
};

const STORE_RETRY_MS = 5000;

/** Writes outcomes. Answers of one turn share a transaction, because each write waits for the disk. */
class Settling {
  #waiting: { step: Step; done(): void }[] = [];

  constructor(private readonly options: SettlingOptions) {}

  /**
   * Resolves when the change is on disk and done, or once the queue has stopped. The message then stays marked as
   * being sent, and the next run repeats it.
   */
  settle(step: Step): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ step, done: resolve });
    if (this.#waiting.length === 1) void nextTurn().then(() => this.#writeAll());
    return promise;
  }

  #writeAll(): void {
    const all = this.#waiting;
    this.#waiting = [];
    try {
      this.options.inTransaction(() => all.forEach(({ step }) => step.write()));
    } catch {
      // Writes each separately, so that a faulty one does not block the others.
      for (const { step, done } of all) this.#writeOne(step, done);
      return;
    }
    for (const { step, done } of all) {
      step.advance();
      done();
    }
  }

  #writeOne(step: Step, done: () => void): void {
    const { inTransaction, schedule, log, isStopped } = this.options;
    try {
      inTransaction(() => step.write());
    } catch (error) {
      if (isStopped()) return done();
      log.error('Could not save the delivery result', { error });
      schedule(STORE_RETRY_MS, () => this.#writeOne(step, done));
      return;
    }
    step.advance();
    done();
  }
}

/** A chat or device that stopped accepting messages. `reason` is a sentence. */
export type Broken = PlaceOwner & {
  platform: MessagePlatform;
  chatId: string;
  reason: string;
  isGone: boolean;
};

export type DeliveryOptions = {
  platform: MessagePlatform;
  name: string;
  store: OutboxStore;
  chats: Chats;
  health: PlatformHealth;
  clock: SystemClock;
  schedule: Scheduler;
  random: () => number;
  log: Log;
  onMoved(from: string, to: string): void;
  onFailure(reason: string): void;
  onBroken(broken: Broken): void;
  isStopped(): boolean;
};

const RETRY_RULES = { intervalMs: 1000, maxWaitMs: 15 * 60_000 };
const MAX_WAIT_MS = 24 * 3_600_000;
/** The shortest delay, so that attempts do not loop. */
const MIN_WAIT_MS = 250;

const withinBounds = (askedMs: number): number => Math.min(Math.max(askedMs, MIN_WAIT_MS), MAX_WAIT_MS);

/** Whether the text must say that it may be a repeat. It need not while the platform recognises the nonce. */
function isRepeat({ uncertainSince }: Claimed, remembersNonceMs: number, now: number): boolean {
  if (uncertainSince === null) return false;
  const age = now - uncertainSince;
  return age < 0 || age >= remembersNonceMs;
}

export class Delivery {
  readonly #name: string;
  readonly #settling: Settling;

  constructor(private readonly options: DeliveryOptions) {
    this.#name = options.name;
    const { store, schedule, log, isStopped } = options;
    this.#settling = new Settling({ inTransaction: store.inTransaction, schedule, log, isStopped });
  }

  /** Sends one message. Resolves when the outcome is on disk; never rejects. */
  async deliver(sender: Sender, chat: Chat, claimed: Claimed, claimedAt: number): Promise<void> {
    const outcome = await this.#attempt(sender, claimed);
    if (outcome.kind !== 'sent') {
      this.options.onFailure('reason' in outcome ? outcome.reason : 'moved the chat');
    }
    await this.#settling.settle(this.#stepFor(chat, claimed, claimedAt, outcome));
    chat.isBusy = false;
  }

  async #attempt(sender: Sender, claimed: Claimed): Promise<SendOutcome> {
    const { target, chatId, topicId, message, nonce } = claimed;
    const mayRepeat = isRepeat(claimed, sender.remembersNonceMs, this.options.clock.now());
    try {
      return await sender.send({ target, chatId, topicId, message, nonce, mayRepeat });
    } catch (error) {
      this.options.log.error(`Could not pass a message to ${this.#name}`, { error, message: claimed.id });
      return { kind: 'unknown', reason: 'could not accept a message' };
    }
  }

  #stepFor(chat: Chat, claimed: Claimed, claimedAt: number, outcome: SendOutcome): Step {
    const { health, log } = this.options;
    const { id, uncertainSince } = claimed;
    switch (outcome.kind) {
      case 'sent':
        return this.#sent(chat, claimed, outcome);
      case 'later':
        return this.#later(chat, claimed, outcome);
      case 'unknown':
        log.warn(`${this.#name} ${outcome.reason}; a message may have arrived`, { message: id });
        if (outcome.afterMs === undefined) health.trouble(outcome.reason);
        else health.limit(withinBounds(outcome.afterMs));
        return this.#again(chat, id, this.#retryMs(chat), uncertainSince ?? claimedAt, outcome.reason);
      case 'botBroken':
        health.botBroken(outcome.reason);
        return this.#again(chat, id, 0, uncertainSince, outcome.reason);
      case 'chatBroken':
        return this.#chatBroken(chat, claimed, outcome);
      case 'refused':
        return this.#refused(chat, claimed, outcome.reason);
      case 'moved':
        return this.#moved(chat, claimed, outcome.chatId);
    }
  }

  #sent(chat: Chat, { id, target, wasBroken }: Claimed, outcome: SendOutcome & { kind: 'sent' }): Step {
    const { platform, store, chats, clock } = this.options;
    return {
      write() {
        store.sent(id, outcome.messageId, clock.now());
        if (outcome.topicIsGone) store.forgetTopic(platform, chat.chatId);
        if (target === 'channel') store.mendChannel(platform, chat.chatId);
        if (platform === 'push') store.deviceTook(chat.chatId, clock.now());
        else if (wasBroken) store.mendChat(platform, chat.chatId);
      },
      advance: () => chats.delivered(chat, clock.monotonic()),
    };
  }

  #later(chat: Chat, { id, uncertainSince }: Claimed, outcome: SendOutcome & { kind: 'later' }): Step {
    const { health } = this.options;
    const { scope, reason, afterMs } = outcome;
    const asked = afterMs === null ? null : withinBounds(afterMs);
    if (scope === 'platform') {
      if (asked === null) health.trouble(reason);
      else health.limit(asked);
      return this.#again(chat, id, 0, uncertainSince, reason);
    }
    const waitMs = asked ?? this.#retryMs(chat);
    health.chatLimited(waitMs);
    return this.#again(chat, id, waitMs, uncertainSince, reason);
  }

  #again(chat: Chat, id: number, waitMs: number, uncertainSince: number | null, reason: string): Step {
    const { store, chats, clock } = this.options;
    return {
      write: () => store.notSent(id, clock.now() + waitMs, uncertainSince),
      advance: () => chats.postpone(chat, waitMs, reason, clock.monotonic()),
    };
  }

  #chatBroken(chat: Chat, { id }: Claimed, { reason, isGone }: SendOutcome & { kind: 'chatBroken' }): Step {
    const { platform, store, clock, log, onBroken } = this.options;
    log.warn('A chat no longer accepts messages', { platform, message: id, reason });
    const { chatId } = chat;
    return {
      write() {
        const owner =
          platform === 'push'
            ? store.endDevice(chatId, { status: isGone ? 'gone' : 'refused', reason }, clock.now())
            : store.breakChat(platform, chatId, reason, clock.now());
        if (owner) onBroken({ ...owner, platform, chatId, reason, isGone: isGone === true });
      },
      advance() {
        chat.entries = [];
      },
    };
  }

  #refused(chat: Chat, { id }: Claimed, reason: string): Step {
    const { platform, store, chats, clock, log } = this.options;
    log.warn('The platform refused a message', { platform, message: id, reason });
    return {
      write() {
        store.fail(id, reason);
        if (platform === 'push') store.deviceRefused(chat.chatId, reason, clock.now());
      },
      advance: () => chats.delivered(chat, clock.monotonic()),
    };
  }

  #moved(chat: Chat, claimed: Claimed, to: string): Step {
    const { platform, store, chats, log, onMoved } = this.options;
    if (to === chat.chatId) {
      return this.#refused(chat, claimed, `${this.#name} sent an answer in an unknown format.`);
    }
    log.info('A chat has a new ID', { platform, message: claimed.id });
    const back = this.#again(chat, claimed.id, this.#retryMs(chat), claimed.uncertainSince, 'moved the chat');
    return {
      write() {
        back.write();
        store.moveChat(platform, chat.chatId, to);
      },
      advance() {
        back.advance();
        chats.move(chat, to);
        onMoved(chat.chatId, to);
      },
    };
  }

  #retryMs(chat: Chat): number {
    chat.failures += 1;
    return backoff(chat.failures, null, RETRY_RULES, this.options.random());
  }
}
