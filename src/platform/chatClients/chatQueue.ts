import type { Log } from '../../lib/log.ts';

/** Work for chats: one after the other within a chat, chats side by side. */
export type ChatQueue = {
  /**
   * Runs work once what came before it in that chat is done; what it throws is logged. For a pressed button there is room
   * also while too much else waits: it may switch an alert off.
   */
  run(chatId: string, work: () => Promise<void>, isButtonPress: boolean): void;
  /** Runs work beside what the chat does next; what it throws is logged. */
  aside(work: () => Promise<void>): void;
  /** Resolves when nothing is left to do. */
  idle(): Promise<void>;
  /** How much waits or is under way. */
  size(): number;
};

/** More is not kept: whoever is flooded like that can't be answered anyway. */
const MAX_WAITING = 1000;
const MAX_WAITING_WITH_PRESSES = 2000;
/** Of one chat; more than it is answered in a minute is of no use, and would keep the others out. */
const MAX_WAITING_A_CHAT = 60;

/** @param log hears of work that failed or was left out */
export function createChatQueue(log: Log): ChatQueue {
  const chats = new Map<string, { waiting: number; last: Promise<void> }>();
  const asides = new Set<Promise<void>>();
  let waiting = 0;
  /** Somebody was left out since the queue was last empty: said once. */
  let isFlooded = false;
  const leaveOut = (): void => {
    if (!isFlooded) log.warn('Too many chats wait for answers; some are left out');
    isFlooded = true;
  };
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.warn('A chat could not be answered', { error });
    }
  };
  return {
    run(chatId, work, isButtonPress) {
      if (waiting >= (isButtonPress ? MAX_WAITING_WITH_PRESSES : MAX_WAITING)) return leaveOut();
      const chat = chats.get(chatId) ?? { waiting: 0, last: Promise.resolve() };
      if (chat.waiting >= MAX_WAITING_A_CHAT) return log.debug('A chat asks faster than it is answered');
      chats.set(chatId, chat);
      waiting += 1;
      chat.waiting += 1;
      chat.last = chat.last
        .then(() => guarded(work))
        .then(() => {
          waiting -= 1;
          if (waiting === 0) isFlooded = false;
          chat.waiting -= 1;
          if (chat.waiting === 0) chats.delete(chatId);
        });
    },
    aside(work) {
      const done = guarded(work).then(() => void asides.delete(done));
      asides.add(done);
    },
    idle: async () => {
      while (chats.size + asides.size > 0) {
        await Promise.all([...[...chats.values()].map(({ last }) => last), ...asides]);
      }
    },
    size: () => waiting + asides.size,
  };
}
