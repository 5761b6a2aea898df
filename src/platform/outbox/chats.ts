import type { SendLimits } from '../chatClients/sender.ts';

/** A message in its chat's queue. Times are readings of the stopwatch; `isBulk`: it goes to a channel, or to everybody. */
export type Entry = { id: number; giveUpAt: number; isBulk: boolean };

/** What waits for one chat, in order. Only the first is ever on its way. */
export type Chat = {
  readonly chatId: string;
  entries: Entry[];
  /** The first entry is on its way. */
  isBusy: boolean;
  /** Nothing is sent before then. */
  nextAt: number;
  /** Attempts in a row that failed without the platform saying how long to wait. */
  failures: number;
  /** Why the last attempt failed; null after a good one. */
  failure: string | null;
  /** When messages of the last minute were answered; empty where a minute has no limit. */
  answeredAt: number[];
};

const MINUTE_MS = 60_000;

function createChat(chatId: string): Chat {
  return { chatId, entries: [], isBusy: false, nextAt: 0, failures: 0, failure: null, answeredAt: [] };
}

/** Nothing in it is for a person: an alert must not wait for channels behind a message that stands before it. */
const isBulk = (chat: Chat): boolean => chat.entries.every((entry) => entry.isBulk);

const isWaiting = (chat: Chat): boolean => !chat.isBusy && chat.entries.length > 0;

function sortWaiting(chat: Chat): void {
  const busy = chat.isBusy ? chat.entries.splice(0, 1) : [];
  chat.entries = [...busy, ...chat.entries.sort((a, b) => a.id - b.id)];
}

/** The queues of one platform's chats. Chats are independent: one that waits holds up no other. */
export class Chats {
  readonly #byId = new Map<string, Chat>();
  /**
   * Chats that something waits for, by whether some of it is for a person. A set iterates in the order of insertion: a
   * chat that is served goes to the end. What is in the wrong one, or in one for
   * nothing, is put right when it is come by.
   */
  readonly #people = new Set<Chat>();
  readonly #bulk = new Set<Chat>();

  constructor(private readonly limits: SendLimits | null) {}

  /** @param notBefore when this chat may be sent to again, as an earlier run was told */
  add(chatId: string, entry: Entry, notBefore: number): void {
    const chat = this.#chatOf(chatId);
    chat.entries.push(entry);
    // One that was taken out of its turn may be older; what is on its way stays the first.
    if ((chat.entries.at(-2)?.id ?? 0) > entry.id) sortWaiting(chat);
    chat.nextAt = Math.max(chat.nextAt, notBefore);
    this.#queue(chat, entry.isBulk);
  }

  /**
   * Chats whose first message may be sent now, at most `max`: people's before channels', and of those at most `maxBulk`.
   * Of each, who was served last comes last.
   */
  due(now: number, max: number, maxBulk: number): Chat[] {
    const people = this.#dueIn(this.#people, now, max);
    const bulk = this.#dueIn(this.#bulk, now, Math.min(max - people.length, maxBulk));
    return [...people, ...bulk];
  }

  /**
   * When the next of the chats that are not busy is due; infinity when none waits. Where one is due already, `now`.
   * @param hasBulkPlace whether channels are looked at too
   */
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

  /** The first message of the chat is delivered. */
  delivered(chat: Chat, now: number): void {
    chat.entries.shift();
    chat.failures = 0;
    chat.failure = null;
    chat.nextAt = this.#afterAnswer(chat, now);
    // Where no limit holds a chat there is nothing to remember: of many thousands each is served once.
    const isHeld = chat.nextAt > now || chat.answeredAt.length > 0;
    if (chat.entries.length === 0 && !isHeld) this.#byId.delete(chat.chatId);
  }

  /** The first message of the chat was not delivered: it is tried again after this time. */
  postpone(chat: Chat, waitMs: number, reason: string, now: number): void {
    chat.failure = reason;
    chat.nextAt = now + Math.max(waitMs, this.limits?.chatGapMs ?? 0);
  }

  /** All that waits for the chat belongs to another ID now. */
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

  /** As `move`, unless a message is on its way to the former ID. */
  rename(from: string, to: string): void {
    const chat = this.#byId.get(from);
    if (chat && !chat.isBusy) this.move(chat, to);
  }

  /** Messages whose time is over and which are not on their way; they stay until they are given up. */
  expired(now: number): { chat: Chat; ids: number[] }[] {
    const found: { chat: Chat; ids: number[] }[] = [];
    for (const chat of this.#byId.values()) {
      // Nearly always nothing is: no list is made then.
      if (!chat.entries.some(({ giveUpAt }) => giveUpAt <= now)) continue;
      const waiting = chat.isBusy ? chat.entries.slice(1) : chat.entries;
      const ids = waiting.filter(({ giveUpAt }) => giveUpAt <= now).map(({ id }) => id);
      if (ids.length > 0) found.push({ chat, ids });
    }
    return found;
  }

  /** Takes messages out that are not on their way. */
  giveUp(chat: Chat, ids: readonly number[]): void {
    const gone = new Set(ids);
    chat.entries = chat.entries.filter(({ id }) => !gone.has(id));
  }

  /** Forgets chats that nothing waits for and no limit holds. */
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

  /** Chats that something waits for, about: those that were served last are still among them. */
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

  /** Counted from the answer to the last message, so that delays on the way make no two come closer. */
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
