import { MINUTE_MS } from '#lib/units.ts';
import type { SendLimits } from '../chatClients/sender.ts';

/** A message in its chat's queue, by the stopwatch. `isBulk`: to a channel, or a broadcast. */
export type Entry = { id: number; expiresAt: number; isBulk: boolean };

/** The queue of one chat. Only the first message is ever in flight. */
export type Chat = {
  readonly chatId: string;
  entries: Entry[];
  isBusy: boolean;
  nextAt: number;
  /** Failed attempts in a row without a delay from the platform. */
  failures: number;
  failure: string | null;
  /** When messages of the last minute were answered; empty without a limit per minute. */
  answeredAt: number[];
};

function createChat(chatId: string): Chat {
  return { chatId, entries: [], isBusy: false, nextAt: 0, failures: 0, failure: null, answeredAt: [] };
}

/** Whether a chat has no message for a person, whose alerts must not wait behind channels. */
const isBulk = (chat: Chat): boolean => chat.entries.every((entry) => entry.isBulk);

const isWaiting = (chat: Chat): boolean => !chat.isBusy && chat.entries.length > 0;

function sortWaiting(chat: Chat): void {
  const busy = chat.isBusy ? chat.entries.splice(0, 1) : [];
  chat.entries = [...busy, ...chat.entries.sort((a, b) => a.id - b.id)];
}

export class Chats {
  readonly #byId = new Map<string, Chat>();
  /**
   * Chats with messages, by whether some of them are for a person. A set iterates in insertion order, so a served
   * chat goes to the end. Misplaced chats are moved when they are met.
   */
  readonly #people = new Set<Chat>();
  readonly #bulk = new Set<Chat>();

  constructor(private readonly limits: SendLimits | null) {}

  /** @param notBefore the earliest time for this chat, from an earlier run */
  add(chatId: string, entry: Entry, notBefore: number): void {
    const chat = this.#chatOf(chatId);
    chat.entries.push(entry);
    // A message that was taken out of order may be older. The one in flight stays first.
    if ((chat.entries.at(-2)?.id ?? 0) > entry.id) sortWaiting(chat);
    chat.nextAt = Math.max(chat.nextAt, notBefore);
    this.#queue(chat, entry.isBulk);
  }

  /**
   * Chats whose first message may be sent now, at most `max`: people before channels, of these at most `maxBulk`.
   * The last served chat comes last.
   */
  due(now: number, max: number, maxBulk: number): Chat[] {
    const people = this.#dueIn(this.#people, now, max);
    const bulk = this.#dueIn(this.#bulk, now, Math.min(max - people.length, maxBulk));
    return [...people, ...bulk];
  }

  /** When the next idle chat is due: `now` if one is, else infinity. @param hasBulkPlace includes channels */
  nextDue(now: number, hasBulkPlace: boolean): number {
    let next = Number.POSITIVE_INFINITY;
    for (const waiting of hasBulkPlace ? [this.#people, this.#bulk] : [this.#people]) {
      for (const chat of waiting) {
        if (isWaiting(chat)) next = Math.min(next, chat.nextAt);
        if (next <= now) return now;
      }
    }
    return next;
  }

  delivered(chat: Chat, now: number): void {
    chat.entries.shift();
    chat.failures = 0;
    chat.failure = null;
    chat.nextAt = this.#afterAnswer(chat, now);
    // A chat without a limit needs no memory, because each of many thousands is served once.
    const isHeld = chat.nextAt > now || chat.answeredAt.length > 0;
    if (chat.entries.length === 0 && !isHeld) this.#byId.delete(chat.chatId);
  }

  postpone(chat: Chat, waitMs: number, reason: string, now: number): void {
    chat.failure = reason;
    chat.nextAt = now + Math.max(waitMs, this.limits?.chatGapMs ?? 0);
  }

  move(chat: Chat, to: string): void {
    this.#byId.delete(chat.chatId);
    this.#people.delete(chat);
    this.#bulk.delete(chat);
    const target = this.#chatOf(to);
    target.entries.push(...chat.entries);
    sortWaiting(target);
    target.nextAt = Math.max(target.nextAt, chat.nextAt);
    target.failures = Math.max(target.failures, chat.failures);
    this.#queue(target, isBulk(target));
  }

  /** Like `move`, unless a message is in flight to the old ID. */
  rename(from: string, to: string): void {
    const chat = this.#byId.get(from);
    if (chat && !chat.isBusy) this.move(chat, to);
  }

  /** Expired messages that are not in flight. They stay until `expire`. */
  expired(now: number): { chat: Chat; ids: number[] }[] {
    const found: { chat: Chat; ids: number[] }[] = [];
    for (const chat of this.#byId.values()) {
      if (!chat.entries.some(({ expiresAt }) => expiresAt <= now)) continue;
      const waiting = chat.isBusy ? chat.entries.slice(1) : chat.entries;
      const ids = waiting.filter(({ expiresAt }) => expiresAt <= now).map(({ id }) => id);
      if (ids.length > 0) found.push({ chat, ids });
    }
    return found;
  }

  expire(chat: Chat, ids: readonly number[]): void {
    const gone = new Set(ids);
    chat.entries = chat.entries.filter(({ id }) => !gone.has(id));
  }

  tidy(now: number): void {
    for (const chat of this.#byId.values()) {
      const lastAnswer = chat.answeredAt.at(-1) ?? Number.NEGATIVE_INFINITY;
      const isHeld = chat.isBusy || chat.nextAt > now || lastAnswer > now - MINUTE_MS;
      if (chat.entries.length > 0 || isHeld) continue;
      this.#byId.delete(chat.chatId);
      this.#people.delete(chat);
      this.#bulk.delete(chat);
    }
  }

  /** The approximate number of chats with messages. It includes recently served ones. */
  get queued(): number {
    return this.#people.size + this.#bulk.size;
  }

  size(): { chats: number; messages: number } {
    let messages = 0;
    for (const { entries } of this.#byId.values()) messages += entries.length;
    return { chats: this.#byId.size, messages };
  }

  #queue(chat: Chat, asBulk: boolean): void {
    if (this.#people.has(chat)) return;
    if (asBulk) this.#bulk.add(chat);
    else {
      this.#bulk.delete(chat);
      this.#people.add(chat);
    }
  }

  #dueIn(waiting: Set<Chat>, now: number, max: number): Chat[] {
    const due: Chat[] = [];
    if (max <= 0) return due;
    for (const chat of waiting) {
      if (chat.entries.length === 0) waiting.delete(chat);
      else if (waiting === this.#people && isBulk(chat)) {
        waiting.delete(chat);
        this.#bulk.add(chat);
      } else if (isWaiting(chat) && chat.nextAt <= now) due.push(chat);
      if (due.length >= max) break;
    }
    for (const chat of due) {
      waiting.delete(chat);
      waiting.add(chat);
    }
    return due;
  }

  #chatOf(chatId: string): Chat {
    const known = this.#byId.get(chatId) ?? createChat(chatId);
    this.#byId.set(chatId, known);
    return known;
  }

  /**
   * When the next message to the chat may be sent. It is counted from the answer to the last one, so that
   * network delays do not bring two messages closer.
   */
  #afterAnswer(chat: Chat, now: number): number {
    if (this.limits === null) return now;
    const { chatGapMs } = this.limits;
    const perMinute = this.limits.chatPerMinute(chat.chatId);
    if (perMinute === null) return now + chatGapMs;
    chat.answeredAt = [...chat.answeredAt.filter((time) => time > now - MINUTE_MS), now];
    const [first] = chat.answeredAt;
    const isFull = chat.answeredAt.length >= perMinute && first !== undefined;
    return Math.max(now + chatGapMs, isFull ? first + MINUTE_MS : 0);
  }
}
