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

export type Chats = {
  /** @param notBefore when this chat may be sent to again, as an earlier run was told */
  add(chatId: string, entry: Entry, notBefore: number): void;
  /**
   * Chats whose first message may be sent now, at most `max`: people's before channels', and of those at most `maxBulk`.
   * Of each, who was served last comes last.
   */
  due(now: number, max: number, maxBulk: number): Chat[];
  /**
   * When the next of the chats that are not busy is due; infinity when none waits.
   * @param hasBulkPlace whether channels are looked at too
   */
  nextDue(hasBulkPlace: boolean): number;
  /** The first message of the chat is delivered. */
  delivered(chat: Chat, now: number): void;
  /** The first message of the chat was not delivered: it is tried again after this time. */
  postpone(chat: Chat, waitMs: number, reason: string, now: number): void;
  /** All that waits for the chat belongs to another ID now. */
  move(chat: Chat, to: string): void;
  /** Messages whose time is over and which are not on their way; they stay until they are given up. */
  expired(now: number): { chat: Chat; ids: number[] }[];
  /** Takes messages out that are not on their way. */
  giveUp(chat: Chat, ids: readonly number[]): void;
  /** Forgets chats that nothing waits for and no limit holds. */
  tidy(now: number): void;
  size(): { chats: number; messages: number };
};

const MINUTE_MS = 60_000;

function createChat(chatId: string): Chat {
  return { chatId, entries: [], isBusy: false, nextAt: 0, failures: 0, failure: null, answeredAt: [] };
}

/** Nothing in it is for a person: an alert must not wait for channels behind a message that stands before it. */
const isBulk = (chat: Chat): boolean => chat.entries.every((entry) => entry.isBulk);

/** The queues of one platform's chats. Chats are independent: one that waits holds up no other. */
export function createChats(limits: SendLimits | null): Chats {
  // A Map iterates in the order of insertion: a chat that is served goes to the end.
  const byId = new Map<string, Chat>();
  const all = () => byId.values();
  const isWaiting = (chat: Chat): boolean => !chat.isBusy && chat.entries.length > 0;

  function chatOf(chatId: string): Chat {
    const known = byId.get(chatId) ?? createChat(chatId);
    byId.set(chatId, known);
    return known;
  }

  /** Counted from the answer to the last message, so that delays on the way make no two come closer. */
  function afterAnswer(chat: Chat, now: number): number {
    if (limits === null) return now;
    const perMinute = limits.chatPerMinute(chat.chatId);
    if (perMinute === null) return now + limits.chatGapMs;
    chat.answeredAt = [...chat.answeredAt.filter((time) => time > now - MINUTE_MS), now];
    const [first] = chat.answeredAt;
    const isFull = chat.answeredAt.length >= perMinute && first !== undefined;
    return Math.max(now + limits.chatGapMs, isFull ? first + MINUTE_MS : 0);
  }

  return {
    add(chatId, entry, notBefore) {
      const chat = chatOf(chatId);
      chat.entries.push(entry);
      chat.nextAt = Math.max(chat.nextAt, notBefore);
    },
    due(now, max, maxBulk) {
      const people: Chat[] = [];
      const bulk: Chat[] = [];
      for (const chat of all()) {
        if (people.length >= max) break;
        if (isWaiting(chat) && chat.nextAt <= now) (isBulk(chat) ? bulk : people).push(chat);
      }
      const due = [...people, ...bulk.slice(0, Math.max(0, Math.min(max - people.length, maxBulk)))];
      for (const chat of due) {
        byId.delete(chat.chatId);
        byId.set(chat.chatId, chat);
      }
      return due;
    },
    nextDue(hasBulkPlace) {
      let next = Number.POSITIVE_INFINITY;
      for (const chat of all()) {
        if (isWaiting(chat) && (hasBulkPlace || !isBulk(chat))) next = Math.min(next, chat.nextAt);
      }
      return next;
    },
    delivered(chat, now) {
      chat.entries.shift();
      chat.failures = 0;
      chat.failure = null;
      chat.nextAt = afterAnswer(chat, now);
    },
    postpone(chat, waitMs, reason, now) {
      chat.failure = reason;
      chat.nextAt = now + Math.max(waitMs, limits?.chatGapMs ?? 0);
    },
    move(chat, to) {
      byId.delete(chat.chatId);
      const target = chatOf(to);
      const isTargetBusy = target.isBusy ? target.entries.splice(0, 1) : [];
      const merged = [...target.entries, ...chat.entries].sort((a, b) => a.id - b.id);
      target.entries = [...isTargetBusy, ...merged];
      target.nextAt = Math.max(target.nextAt, chat.nextAt);
      target.failures = Math.max(target.failures, chat.failures);
    },
    expired(now) {
      const found: { chat: Chat; ids: number[] }[] = [];
      for (const chat of all()) {
        const isOver = ({ giveUpAt }: Entry, at: number): boolean =>
          giveUpAt <= now && !(chat.isBusy && at === 0);
        const ids = chat.entries.filter(isOver).map(({ id }) => id);
        if (ids.length > 0) found.push({ chat, ids });
      }
      return found;
    },
    giveUp(chat, ids) {
      const gone = new Set(ids);
      chat.entries = chat.entries.filter(({ id }) => !gone.has(id));
    },
    tidy(now) {
      for (const chat of all()) {
        const lastAnswer = chat.answeredAt.at(-1) ?? Number.NEGATIVE_INFINITY;
        const isHeld = chat.isBusy || chat.nextAt > now || lastAnswer > now - MINUTE_MS;
        if (chat.entries.length === 0 && !isHeld) byId.delete(chat.chatId);
      }
    },
    size() {
      let messages = 0;
      for (const { entries } of all()) messages += entries.length;
      return { chats: byId.size, messages };
    },
  };
}
