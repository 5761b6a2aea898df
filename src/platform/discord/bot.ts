import { API } from '@discordjs/core/http-only';
import { DiscordAPIError } from '@discordjs/rest';
import type { Inspection } from '../../lib/inspection.ts';
import { isRecord, type JsonRecord } from '../../lib/json.ts';
import type { Log } from '../../lib/log.ts';
import { type Scheduler, timerScheduler } from '../../lib/scheduler.ts';
import { readRecord, readText } from '../../lib/read.ts';
import type { Core } from '../../part.ts';
import { createChatQueue } from '../chatClients/chatQueue.ts';
import { CallError } from '../chatClients/platformCall.ts';
import type { Bot } from '../chatClients/bot.ts';
import type { ChatHandler } from '../chatClients/received.ts';
import { answerEvent } from './answer.ts';
import type { Discord } from './client.ts';
import { discordCommands } from './commands.ts';
import { createGateway } from './gateway.ts';
import { readEvent } from './readEvent.ts';

/** How long answers under way may hold up a stop. */
const LAST_ANSWERS_MS = 2000;
/** Events that are recognised when a resumed session sends them again. */
const MAX_KNOWN = 2000;

const UNKNOWN_INTERACTION = 10062;

export type DiscordBotNeeds = {
  discord: Discord;
  handle: ChatHandler;
  schedule?: Scheduler;
};

/** Whether an event is new; the oldest known ones are forgotten. */
function createKnownEvents(): (id: string) => boolean {
  const known = new Set<string>();
  return (id) => {
    if (known.has(id)) return false;
    known.add(id);
    const [oldest] = known;
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    return true;
  };
}

/** Tells Discord which commands there are, once; the bot hears direct messages without it. */
function createRegistration(api: API, log: Log): (applicationId: string) => Promise<void> {
  let isDone = false;
  return async (applicationId) => {
    if (isDone) return;
    isDone = true;
    try {
      await api.applicationCommands.bulkOverwriteGlobalCommands(applicationId, discordCommands());
    } catch (error) {
      isDone = false;
      const reason = error instanceof CallError || error instanceof DiscordAPIError ? error.message : error;
      log.warn('Discord did not take the list of commands', { reason });
    }
  };
}

/**
 * Hears what people say to the Discord bot, over the gateway, and has it answered. It never gives up: failures are logged
 * when they change, and the next attempt comes later and later.
 */
export function createDiscordBot(
  core: Pick<Core, 'clock' | 'log'>,
  { discord, handle, schedule = timerScheduler }: DiscordBotNeeds,
): Bot {
  const log = core.log.child('discord');
  const queue = createChatQueue(log);
  const counts = { received: 0, answered: 0 };
  let username: string | null = null;
  const api = new API(discord.rest);
  const isNew = createKnownEvents();
  const register = createRegistration(api, log);

  const ready = (data: JsonRecord): void => {
    username = readText(readRecord(data['user'])['username']);
    const applicationId = readText(readRecord(data['application'])['id']);
    if (applicationId !== null) void register(applicationId);
  };
  const answer = async (received: NonNullable<ReturnType<typeof readEvent>>): Promise<void> => {
    try {
      await answerEvent(api, handle, received, queue.aside);
    } catch (error) {
      // Sent again after a resume, too late to be answered.
      if (error instanceof DiscordAPIError && error.code === UNKNOWN_INTERACTION) {
        log.debug('Discord waits no more for an answer');
      } else throw error;
    }
  };
  const gateway = createGateway({
    rest: discord.rest,
    token: discord.token,
    clock: core.clock,
    log,
    schedule,
    random: Math.random,
    dispatch({ t: type, d: data }) {
      if (type === 'READY' && isRecord(data)) ready(data);
      const received = readEvent(type, data);
      if (!received) return;
      counts.received += 1;
      if (!isNew(received.id)) return;
      counts.answered += 1;
      // Interactions have 3 s: none waits for the one before it.
      const key = received.way.kind === 'message' ? received.event.chatId : received.id;
      queue.run(key, () => answer(received), received.event.kind === 'button');
    },
  });
  return {
    name: 'discordBot',
    service: { username: (): string | null => username },
    start: gateway.start,
    stop: async () => {
      gateway.stop();
      await Promise.race([queue.idle(), Bun.sleep(LAST_ANSWERS_MS)]);
    },
    inspect: (): Inspection => ({
      label: 'Discord bot',
      description: 'Whether it has a token, what it is called there, and how its connection stands.',
      summary: { ...gateway.state(), username, ...counts },
      data: () => ({ ...gateway.state(), waiting: queue.size() }),
    }),
  };
}
