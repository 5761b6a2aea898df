import { API } from '@discordjs/core/http-only';
import { DiscordAPIError } from '@discordjs/rest';
import type { Inspection } from '#lib/inspection.ts';
import { isRecord, type JsonRecord } from '#lib/json.ts';
import type { Log } from '#lib/log.ts';
import { readRecord, readText } from '#lib/read.ts';
import type { App } from '#platform/app.ts';
import { ChatQueue } from '../chatClients/chatQueue.ts';
import { CallError, patiently } from '../chatClients/platformCall.ts';
import type { Bot } from '../chatClients/bot.ts';
import type { ChatHandler, ChatReply } from '../chatClients/received.ts';
import type { Discord } from './client.ts';
import { Gateway } from './gateway.ts';
import { type DiscordEvent, readEvent, type AnswerWay } from './readEvent.ts';
import {
  type APIApplicationCommandStringOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type GatewayDispatchPayload,
  type RESTPutAPIApplicationCommandsJSONBody,
  MessageFlags,
} from 'discord-api-types/v10';
import { CHAT_COMMANDS, type ChatCommandInfo, MAX_QUESTION } from '../chatClients/rules/chatCommand.ts';
import type { ChatMessage } from '../chatClients/rules/chatMessage.ts';
import { discordText } from './render.ts';

type Interaction = Exclude<AnswerWay, { kind: 'message' }>;

/** Discord allows 3 s for the first response, including its transport. */
const SIGN_AFTER_MS = 1500;

const textOf = (message: ChatMessage) => discordText(message, { mayRepeat: false });

function privateText(message: ChatMessage, isPrivate: boolean) {
  const text = textOf(message);
  return isPrivate ? { ...text, flags: text.flags | MessageFlags.Ephemeral } : text;
}

async function answerAtOnce(api: API, way: Interaction, reply: ChatReply | null): Promise<void> {
  const { kind, interactionId: id, interactionToken: token, isPrivate } = way;
  const { interactions } = api;
  if (!reply) {
    // Stops the spinner of a pressed button. A command without an answer stays as it is.
    if (kind === 'press') await interactions.deferMessageUpdate(id, token);
    return;
  }
  if (kind === 'press' && reply.edits) await interactions.updateMessage(id, token, textOf(reply.message));
  else await interactions.reply(id, token, privateText(reply.message, isPrivate));
}

/** Acknowledges the interaction, and answers when the reply is ready. */
async function answerLater(api: API, way: Interaction, coming: Promise<ChatReply | null>): Promise<void> {
  const { kind, interactionId: id, interactionToken: token, applicationId, isPrivate } = way;
  const { interactions } = api;
  if (kind === 'press') await interactions.deferMessageUpdate(id, token);
  else await interactions.defer(id, token, isPrivate ? { flags: MessageFlags.Ephemeral } : {});
  const reply = await coming;
  if (!reply) return;
  if (kind === 'press' && !reply.edits) {
    await interactions.followUp(applicationId, token, privateText(reply.message, isPrivate));
  } else {
    await interactions.editReply(applicationId, token, textOf(reply.message));
  }
}

const toReply = async (answer: Promise<ChatMessage>): Promise<ChatReply> => ({
  message: await answer,
  edits: false,
});

/** For interactions, the library itself waits. */
const waitMsOf = (error: unknown): number | null => (error instanceof CallError ? error.retryAfterMs : null);

async function answerMessage(
  api: API,
  channelId: string,
  { message, answer }: ChatReply,
  aside: ChatQueue['aside'],
): Promise<void> {
  const write = (text: ChatMessage): Promise<void> =>
    patiently(() => api.channels.createMessage(channelId, textOf(text)), waitMsOf);
  const written = write(message);
  if (answer) {
    aside(async () => {
      const text = await answer;
      await written.catch(() => undefined);
      await write(text);
    });
  }
  await written;
}

/**
 * Gets the answer to an event and sends it to Discord.
 * @param aside runs work that the channel's next message does not wait for
 * @throws the error if Discord refuses the answer
 */
async function answerEvent(
  api: API,
  handle: ChatHandler,
  { event, way }: DiscordEvent,
  aside: ChatQueue['aside'],
): Promise<void> {
  const coming = handle(event);
  if (way.kind === 'message') {
    const reply = await coming;
    if (reply) await answerMessage(api, way.channelId, reply, aside);
    return;
  }
  const timely = await Promise.race([
    coming.then((reply) => ({ reply })),
    Bun.sleep(SIGN_AFTER_MS).then(() => null),
  ]);
  const answer = timely?.reply?.answer;
  if (answer) await answerLater(api, way, toReply(answer));
  else if (timely) await answerAtOnce(api, way, timely.reply);
  else
    await answerLater(
      api,
      way,
      coming.then((reply) => (reply?.answer ? toReply(reply.answer) : reply)),
    );
}

const MAX_CODE = 16;

const CODE: APIApplicationCommandStringOption = {
  type: ApplicationCommandOptionType.String,
  name: 'code',
  description: 'Code of the stock, like BHP',
  required: true,
  max_length: MAX_CODE,
};

const QUESTION: APIApplicationCommandStringOption = {
  type: ApplicationCommandOptionType.String,
  name: 'question',
  description: 'What you want to know about the market today',
  required: true,
  max_length: MAX_QUESTION,
};

const WITH_ALERTS: APIApplicationCommandStringOption = {
  type: ApplicationCommandOptionType.String,
  name: 'alerts',
  description: 'Confirm that its alerts are deleted too',
  required: false,
  choices: [{ name: 'Delete its alerts too', value: 'all' }],
};

const optionsOf = ({ name, takes }: ChatCommandInfo) => [
  ...(takes === 'code' ? [CODE] : []),
  ...(takes === 'question' ? [QUESTION] : []),
  ...(name === 'unwatch' ? [WITH_ALERTS] : []),
];

export const discordCommands = (): RESTPutAPIApplicationCommandsJSONBody =>
  CHAT_COMMANDS.map((info) => ({
    type: ApplicationCommandType.ChatInput,
    name: info.name,
    description: info.description,
    options: optionsOf(info),
  }));

const MAX_KNOWN = 2000;

const UNKNOWN_INTERACTION = 10062;

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

/** Registers the commands once. Direct messages work without it. */
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
      log.warn('Discord refused the list of commands', { reason });
    }
  };
}

class Hearing {
  readonly counts = { received: 0, answered: 0 };
  readonly queue: ChatQueue;
  readonly #api: API;
  readonly #isNew = createKnownEvents();
  readonly #register: (applicationId: string) => Promise<void>;

  constructor(
    private readonly discord: Discord,
    private readonly handle: ChatHandler,
    private readonly log: Log,
  ) {
    this.queue = new ChatQueue(log);
    this.#api = new API(discord.rest);
    this.#register = createRegistration(this.#api, log);
  }

  receive({ t: type, d: data }: GatewayDispatchPayload): void {
    if (type === 'READY' && isRecord(data)) this.#ready(data);
    const received = readEvent(type, data);
    if (!received) return;
    this.counts.received += 1;
    if (!this.#isNew(received.id)) return;
    this.counts.answered += 1;
    // Interactions must be answered within 3 s, so they do not wait for each other.
    const key = received.way.kind === 'message' ? received.event.chatId : received.id;
    this.queue.run(key, () => this.#answer(received), received.event.kind === 'button');
  }

  #ready(data: JsonRecord): void {
    this.discord.botName = readText(readRecord(data['user'])['username']);
    const applicationId = readText(readRecord(data['application'])['id']);
    if (applicationId !== null) void this.#register(applicationId);
  }

  async #answer(received: DiscordEvent): Promise<void> {
    try {
      await answerEvent(this.#api, this.handle, received, this.queue.aside);
    } catch (error) {
      // Discord repeats interactions after a resume, too late to be answered.
      if (error instanceof DiscordAPIError && error.code === UNKNOWN_INTERACTION) {
        this.log.debug('Discord no longer waits for an answer');
      } else throw error;
    }
  }
}

/**
 * Connects the Discord bot to the gateway and answers commands and messages. It never gives up: failures are
 * logged when they change, with growing delays between attempts.
 */
export function createDiscordBot(app: App, discord: Discord, handle: ChatHandler): Bot {
  const log = app.log.child('discord');
  const hearing = new Hearing(discord, handle, log);
  const gateway = new Gateway(app, discord, (payload) => hearing.receive(payload));
  return {
    name: 'discordBot',
    service: { username: (): string | null => discord.botName, checkResult: () => gateway.checkResult() },
    start: () => gateway.start(),
    stop: async () => {
      gateway.stop();
      await hearing.queue.lastAnswers();
    },
    inspect: (): Inspection => ({
      label: 'Discord bot',
      description: 'Its token, its name on Discord and the state of its connection.',
      summary: { ...gateway.state(), username: discord.botName, ...hearing.counts },
      data: () => ({ ...gateway.state(), waiting: hearing.queue.size() }),
    }),
  };
}
