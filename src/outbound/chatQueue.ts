import type { Log } from '../lib/log.ts';

/** Work for chats: one after the other within a chat, chats side by side. */
export type ChatQueue = {
  /** Runs work once what came before it in that chat is done; what it throws is logged. */
  run(chatId: string, work: () => Promise<void>): void;
  /** Resolves when nothing is left to do. */
  idle(): Promise<void>;
  /** How much waits or is under way. */
  size(): number;
};

/** More is not kept: whoever is flooded like that can't be answered anyway. */
const MAX_WAITING = 1000;

/** @param log hears of work that failed or was left out */
export function createChatQueue(log: Log): ChatQueue {
  const last = new Map<string, Promise<void>>();
  let waiting = 0;
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.warn('A chat could not be answered', { error });
    }
  };
  return {
    run(chatId, work) {
      if (waiting >= MAX_WAITING) return log.warn('Too many chats wait for answers; one is left out');
      waiting += 1;
      const before = last.get(chatId) ?? Promise.resolve();
      const done = before
        .then(() => guarded(work))
        .then(() => {
          waiting -= 1;
          if (last.get(chatId) === done) last.delete(chatId);
        });
      last.set(chatId, done);
    },
    idle: async () => {
      while (last.size > 0) await Promise.all(last.values());
    },
    size: () => waiting,
  };
}
