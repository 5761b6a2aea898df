import { type ChatPlatform, PLATFORM_NAMES } from '../../subjects/chats/rules/chatPlatform.ts';
import type { SystemClock } from '../../lib/clock.ts';
import { backoff } from '../../lib/httpClient/backoff.ts';
import type { Log } from '../../lib/log.ts';
import type { Scheduler } from '../../lib/scheduler.ts';
import type { Sender, SendOutcome } from '../chatClients/sender.ts';
import type { Chat, Chats } from './chats.ts';
import type { HealthWatch } from './health.ts';
import type { Taken } from './message.ts';
import type { OutboxStore } from './store.ts';

export type DeliveryOptions = {
  platform: ChatPlatform;
  store: OutboxStore;
  chats: Chats;
  health: HealthWatch;
  clock: SystemClock;
  schedule: Scheduler;
  random: () => number;
  log: Log;
  /** Told why a message was not delivered. */
  onFailure(reason: string): void;
  /** Nothing can be written any more. */
  isStopped(): boolean;
};

const RETRY_RULES = { intervalMs: 1000, maxWaitMs: 15 * 60_000 };
/** No platform may hold a message for longer than it is tried at all. */
const MAX_WAIT_MS = 24 * 3_600_000;
/** Who says that no time at all has to pass is not asked in a tight circle. */
const MIN_WAIT_MS = 250;
const STORE_RETRY_MS = 5000;

/** What is to be done with a message: on disk first, then in the queue. */
type Step = { write(): void; advance(): void };

/** Whether the text must say that it may be a repeat, which a platform that recognises the nonce spares us for a while. */
function isRepeat({ uncertainSince }: Taken, remembersNonceMs: number, now: number): boolean {
  if (uncertainSince === null) return false;
  const age = now - uncertainSince;
  return age < 0 || age >= remembersNonceMs;
}

/** Hands one message to its platform and acts on the outcome. Resolves when that is on disk; never rejects. */
export function createDelivery(options: DeliveryOptions) {
  const { platform, store, chats, health, clock, schedule, random, log } = options;
  const name = PLATFORM_NAMES[platform];

  /** Waits longer with each failure in a row. */
  function retryMs(chat: Chat): number {
    chat.failures += 1;
    return backoff(chat.failures, null, RETRY_RULES, random());
  }

  /** The message waits again. @param waitMs until this chat is tried again */
  function again(
    chat: Chat,
    id: number,
    waitMs: number,
    uncertainSince: number | null,
    reason: string,
  ): Step {
    return {
      write: () => store.notSent(id, clock.now() + waitMs, uncertainSince),
      advance: () => chats.postpone(chat, waitMs, reason, clock.monotonic()),
    };
  }

  function later(chat: Chat, taken: Taken, outcome: SendOutcome & { kind: 'later' }): Step {
    const { scope, reason } = outcome;
    const { afterMs } = outcome;
    const asked = afterMs === null ? null : Math.min(Math.max(afterMs, MIN_WAIT_MS), MAX_WAIT_MS);
    if (scope === 'platform') {
      if (asked === null) health.trouble(reason);
      else health.limit(asked);
      return again(chat, taken.id, 0, taken.uncertainSince, reason);
    }
    const waitMs = asked ?? retryMs(chat);
    health.chatLimited(waitMs);
    return again(chat, taken.id, waitMs, taken.uncertainSince, reason);
  }

  function refused(chat: Chat, { id }: Taken, reason: string): Step {
    log.warn('A message was refused', { platform, message: id, reason });
    return { write: () => store.fail(id, reason), advance: () => chats.delivered(chat, clock.monotonic()) };
  }

  function moved(chat: Chat, taken: Taken, to: string): Step {
    if (to === chat.chatId) return refused(chat, taken, `${name} sent an answer of an unknown form.`);
    log.info('A chat has another ID', { platform, message: taken.id });
    const back = again(chat, taken.id, retryMs(chat), taken.uncertainSince, 'moved the chat');
    return {
      write() {
        back.write();
        store.moveChat(platform, chat.chatId, to);
      },
      advance() {
        back.advance();
        chats.move(chat, to);
      },
    };
  }

  function stepFor(chat: Chat, taken: Taken, takenAt: number, outcome: SendOutcome): Step {
    const { id, uncertainSince } = taken;
    switch (outcome.kind) {
      case 'sent':
        return {
          write() {
            store.sent(id, outcome.messageId, clock.now());
            if (taken.target === 'channel') store.mendChannel(platform, chat.chatId);
          },
          advance: () => chats.delivered(chat, clock.monotonic()),
        };
      case 'later':
        return later(chat, taken, outcome);
      case 'unknown':
        log.warn(`${name} ${outcome.reason}; a message may have arrived`, { message: id });
        health.trouble(outcome.reason);
        return again(chat, id, retryMs(chat), uncertainSince ?? takenAt, outcome.reason);
      case 'botBroken':
        health.botBroken(outcome.reason);
        return again(chat, id, 0, uncertainSince, outcome.reason);
      case 'chatBroken':
        log.warn('Nothing can be delivered to a chat', { platform, message: id, reason: outcome.reason });
        return {
          write: () => store.breakChat(platform, chat.chatId, outcome.reason, clock.now()),
          advance() {
            chat.entries = [];
          },
        };
      case 'refused':
        return refused(chat, taken, outcome.reason);
      case 'moved':
        return moved(chat, taken, outcome.chatId);
    }
  }

  /** The chat stays busy until it is on disk, so that a full disk neither loses nor doubles anything. */
  function settle(chat: Chat, step: Step): Promise<void> {
    return new Promise((resolve) => {
      const write = (): void => {
        try {
          step.write();
        } catch (error) {
          // It stays marked as being sent, and the next run repeats it.
          if (options.isStopped()) return resolve();
          log.error('What became of a message could not be written', { error, platform });
          schedule(STORE_RETRY_MS, write);
          return;
        }
        step.advance();
        chat.isBusy = false;
        resolve();
      };
      write();
    });
  }

  async function attempt(sender: Sender, taken: Taken): Promise<SendOutcome> {
    const { target, chatId, message, nonce } = taken;
    const mayRepeat = isRepeat(taken, sender.remembersNonceMs, clock.now());
    try {
      return await sender.send({ target, chatId, message, nonce, mayRepeat });
    } catch (error) {
      log.error(`A message could not be handed to ${name}`, { error, message: taken.id });
      return { kind: 'unknown', reason: 'could not be handed a message' };
    }
  }

  return async (sender: Sender, chat: Chat, taken: Taken, takenAt: number): Promise<void> => {
    const outcome = await attempt(sender, taken);
    if (outcome.kind !== 'sent') options.onFailure('reason' in outcome ? outcome.reason : 'moved the chat');
    await settle(chat, stepFor(chat, taken, takenAt, outcome));
  };
}
