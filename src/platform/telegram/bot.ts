import PQueue from 'p-queue';
import type { Inspection } from '../../lib/inspection.ts';
import { createPollLoop } from '../../lib/httpClient/pollLoop.ts';
import { type Scheduler, timerScheduler } from '../../lib/scheduler.ts';
import type { Core } from '../../part.ts';
import type { HeardInChannel } from '../chatClients/channelMessage.ts';
import { createChatQueue } from '../chatClients/chatQueue.ts';
import type { Bot } from '../chatClients/bot.ts';
import type { ChatHandler } from '../chatClients/received.ts';
import { answerEvent } from './answer.ts';
import type { Telegram } from './client.ts';
import { offsetStore } from './offsetStore.ts';
import { createPoll } from './poll.ts';
import { readHeard } from './readHeard.ts';
import { readUpdate } from './readUpdate.ts';

const RULES = { intervalMs: 1000, maxWaitMs: 5 * 60_000, openAfter: 5 };
/** Of the 30 messages a second that Telegram takes of a bot; the others are left for alerts. */
const ANSWERS_A_SECOND = 5;
/** How long answers under way may hold up a stop. */
const LAST_ANSWERS_MS = 2000;
/** And then what is on its way to Telegram. */
const LAST_CALLS_MS = 500;

export type TelegramBotNeeds = {
  telegram: Telegram;
  handle: ChatHandler;
  /** Told what the bot hears in channels and groups, and that it was added or thrown out. */
  heard?(heard: HeardInChannel): void;
  schedule?: Scheduler;
};

/**
 * Hears what people say to the Telegram bot, by long polling, and has it answered. It never gives up: failures are
 * logged when they change, and the next attempt comes later and later.
 */
export function createTelegramBot(core: Pick<Core, 'db' | 'clock' | 'log'>, needs: TelegramBotNeeds): Bot {
  const { telegram, handle, schedule = timerScheduler } = needs;
  const log = core.log.child('telegram');
  const queue = createChatQueue(log);
  const counts = { received: 0, answered: 0 };
  const paced = new PQueue({ intervalCap: ANSWERS_A_SECOND, interval: 1000 });
  // Who pressed a button looks at the message that it stands under.
  const wayOf = (isButtonPress: boolean) => ({
    api: telegram.bot.api,
    pace: (call: () => Promise<unknown>) => paced.add(call, { priority: isButtonPress ? 1 : 0 }),
  });
  const { bot, poll } = createPoll({
    telegram,
    offsets: offsetStore(core.db),
    clock: core.clock,
    log,
    take(update, { username }) {
      counts.received += 1;
      const heard = readHeard(update);
      if (heard) needs.heard?.(heard);
      const received = readUpdate(update, username);
      if (!received) return;
      counts.answered += 1;
      const { chatId, kind } = received.event;
      const isButtonPress = kind === 'button';
      queue.run(
        chatId,
        () => answerEvent(wayOf(isButtonPress), handle, received, queue.aside),
        isButtonPress,
      );
    },
  });
  const loop = createPollLoop({
    name: 'Telegram',
    poll,
    rules: RULES,
    clock: core.clock,
    log,
    schedule,
    random: Math.random,
  });
  return {
    name: 'telegramBot',
    service: { username: (): string | null => bot()?.username ?? null },
    start: () => loop.start(),
    stop: async () => {
      await loop.stop();
      await Promise.race([queue.idle(), Bun.sleep(LAST_ANSWERS_MS)]);
      paced.clear();
      await Promise.race([paced.onIdle(), Bun.sleep(LAST_CALLS_MS)]);
    },
    inspect: (): Inspection => {
      const { failure, circuit, polls } = loop.state();
      const state = failure === null ? (bot() ? 'up' : 'starting') : 'down';
      return {
        label: 'Telegram bot',
        description: 'Whether it has a token, what it is called there, and how its asking for messages goes.',
        summary: { state, username: bot()?.username ?? null, problem: failure, polls, ...counts },
        data: () => ({ ...loop.state(), circuit, waiting: queue.size() }),
      };
    },
  };
}
