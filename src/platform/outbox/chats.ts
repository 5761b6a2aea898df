import type { SendLimits } from '../chatClients/sender.ts';

/** A message in its chat's queue. Times are readings of the stopwatch; `isBulk`: it goes to a channel. */
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

/** The queues of one platform's chats. Chats are independent: one that waits holds up no other. */
export class Chats {
  // A Map iterates in the order of insertion: a chat that is served goes to the end.
  readonly #byId = new Map<string, Chat>();

  constructor(private readonly limits: SendLimits | null) {}

  /** @param notBefore when this chat may be sent to again, as an earlier run was told */
  add(chatId: string, entry: Entry, notBefore: number): void {
    const chat = this.#chatOf(chatId);
    chat.entries.push(entry);
    chat.nextAt = Math.max(chat.nextAt, notBefore);
  }

  /**
   * Chats whose first message may be sent now, at most `max`: people's before channels', and of those at most `maxBulk`.
   * Of each, who was served last comes last.
   */
  due(now: number, max: number, maxBulk: number): Chat[] {
    const people: Chat[] = [];
    const bulk: Chat[] = [];
    for (const chat of this.#byId.values()) {
      if (people.length >= max) break;
      if (isWaiting(chat) && chat.nextAt <= now) (isBulk(chat) ? bulk : people).push(chat);
    }
    const due = [...people, ...bulk.slice(0, Math.max(0, Math.min(max - people.length, maxBulk)))];
    for (const chat of due) {
      this.#byId.delete(chat.chatId);
      this.#byId.set(chat.chatId, chat);
    }
    return due;
  }

  /**
   * When the next of the chats that are not busy is due; infinity when none waits.
   * @param hasBulkPlace whether channels are looked at too
   */
  nextDue(hasBulkPlace: boolean): number {
    let next = Number.POSITIVE_INFINITY;
    for (const chat of this.#byId.values()) {
      if (isWaiting(chat) && (hasBulkPlace || !isBulk(chat))) next = Math.min(next, chat.nextAt);
    }
    return next;
  }

  /** The first message of the chat is delivered. */
  delivered(chat: Chat, now: number): void {
    chat.entries.shift();
    chat.failures = 0;
    chat.failure = null;
    chat.nextAt = this.#afterAnswer(chat, now);
  }

  /** The first message of the chat was not delivered: it is tried again after this time. */
  postpone(chat: Chat, waitMs: number, reason: string, now: number): void {
    chat.failure = reason;
    chat.nextAt = now + Math.max(waitMs, this.limits?.chatGapMs ?? 0);
  }

  /** All that waits for the chat belongs to another ID now. */
  move(chat: Chat, to: string): void {
    this.#byId.delete(chat.chatId);
    const target = this.#chatOf(to);
    const isTargetBusy = target.isBusy ? target.entries.splice(0, 1) : [];
    const merged = [...target.entries, ...chat.entries].sort((a, b) => a.id - b.id);
    target.entries = [...isTargetBusy, ...merged];
    target.nextAt = Math.max(target.nextAt, chat.nextAt);
    target.failures = Math.max(target.failures, chat.failures);
  }

  /** Messages whose time is over and which are not on their way; they stay until they are given up. */
  expired(now: number): { chat: Chat; ids: number[] }[] {
    const found: { chat: Chat; ids: number[] }[] = [];
    for (const chat of this.#byId.values()) {
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
      if (chat.entries.length === 0 && !isHeld) this.#byId.delete(chat.chatId);
    }
  }

  size(): { chats: number; messages: number } {
    let messages = 0;
    for (const { entries } of this.#byId.values()) messages += entries.length;
    return { chats: this.#byId.size, messages };
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
