import type { API } from '@discordjs/core/http-only';
import { MessageFlags } from 'discord-api-types/v10';
import type { ChatMessage } from '#subjects/chats/rules/chatMessage.ts';
import type { ChatQueue } from '../chatClients/chatQueue.ts';
import { CallError } from '../chatClients/platformCall.ts';
import type { ChatHandler, ChatReply } from '../chatClients/received.ts';
import type { AnswerWay, DiscordEvent } from './readEvent.ts';
import { discordText } from './render.ts';

type Interaction = Exclude<AnswerWay, { kind: 'message' }>;

/** Discord waits 3 s for a first sign; it has to travel too. */
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
    // A pressed button stops turning; a command that gets no answer is left alone.
    if (kind === 'press') await interactions.deferMessageUpdate(id, token);
    return;
  }
  if (kind === 'press' && reply.edits) await interactions.updateMessage(id, token, textOf(reply.message));
  else await interactions.reply(id, token, privateText(reply.message, isPrivate));
}

/** Gives the sign that an answer will come, and the answer when it is there. */
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

/** Who has to wait longer than this for an answer has asked again. */
const MAX_WAIT_MS = 30_000;

/** Makes a call, and once more when Discord asks to wait a little. Of interactions the library does that by itself. */
async function patiently(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    const waitMs = error instanceof CallError ? error.retryAfterMs : null;
    if (waitMs === null || waitMs > MAX_WAIT_MS) throw error;
    await Bun.sleep(waitMs);
    await call();
  }
}

/** Answers a direct message in its channel. */
async function answerMessage(
  api: API,
  channelId: string,
  { message, answer }: ChatReply,
  aside: ChatQueue['aside'],
): Promise<void> {
  const write = (text: ChatMessage): Promise<void> =>
    patiently(() => api.channels.createMessage(channelId, textOf(text)));
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
 * Has an event answered, and gives the answer to Discord.
 *
 * @param aside runs what the channel's next message does not wait for
 * @throws what Discord refused
 */
export async function answerEvent(
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
