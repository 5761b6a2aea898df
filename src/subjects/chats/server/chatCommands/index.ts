import { readCommand } from '#platform/chatClients/rules/chatCommand.ts';
import { confirmRequest } from '#subjects/alerts/rules/buttonMessage.ts';
import { tooOftenReply, unknownReply } from '#subjects/chats/rules/replies.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { createRateLimit, waitText } from '#lib/rateLimit.ts';
import type { ChatEvent, ChatHandler, ChatReply } from '#platform/chatClients/received.ts';
import type { App, Part } from '#platform/app.ts';
import { answerButtonPress } from './callbackButton.ts';
import { answerCommand, failureMessage } from './commands.ts';

const MINUTE_MS = 60_000;
const STRANGER_LIMIT = 20;
const LINKED_LIMIT = 60;

/** How a chat that asks too often is treated: it is told once a minute, and otherwise ignored. */
type Admission = { kind: 'admitted' } | { kind: 'refused'; seconds: number } | { kind: 'ignored' };

/** Who asks: `chat` and `person` are keys, the same where somebody is alone with the bot. */
export type Asker = { chat: string; person: string; isLinked: boolean };

/**
 * What one chat may ask in a minute; of strangers each person too, as anybody can make groups without end. Memory is
 * bounded: who was silent longest is forgotten first.
 *
 * @returns a function that counts one command or press
 */
export function createCommandLimit(clock: Stopwatch): (asker: Asker) => Admission {
  const strangers = createRateLimit({ clock, limit: STRANGER_LIMIT, windowMs: MINUTE_MS });
  const linked = createRateLimit({ clock, limit: LINKED_LIMIT, windowMs: MINUTE_MS });
  const told = createRateLimit({ clock, limit: 1, windowMs: MINUTE_MS });
  return ({ chat, person, isLinked }) => {
    const keys = isLinked || person === chat ? [chat] : [person, chat];
    const waits = keys.map((key) => (isLinked ? linked : strangers).take(key));
    const seconds = Math.max(...waits);
    if (seconds === 0) return { kind: 'admitted' };
    return keys.every((key) => told.take(key) === 0) ? { kind: 'refused', seconds } : { kind: 'ignored' };
  };
}

function answerText(app: App, event: Extract<ChatEvent, { kind: 'text' }>): ChatReply {
  const account = app.linkedChats.accountOf(event);
  const command = readCommand(event.text);
  if (command) return answerCommand(app, event, command, account);
  const question = app.linkedChats.question(event);
  const message = question
    ? confirmRequest(question.username, question.linkId)
    : unknownReply(account !== null);
  return { message, edits: false };
}

/** Answers whatever people send to the bots. */
function createHandler(app: App, admit: ReturnType<typeof createCommandLimit>): ChatHandler {
  const answer = (event: ChatEvent): ChatReply | null => {
    const { linkedChats } = app;
    linkedChats.heardFrom(event);
    const { platform, chatId, personId } = event;
    const admission = admit({
      chat: `${platform} ${chatId}`,
      person: `${platform} ${personId ?? chatId}`,
      isLinked: linkedChats.accountOf(event) !== null,
    });
    if (admission.kind === 'ignored') return null;
    if (admission.kind === 'refused') {
      return { message: tooOftenReply(waitText(admission.seconds)), edits: false };
    }
    return event.kind === 'button' ? answerButtonPress(app, event) : answerText(app, event);
  };
  return async (event) => {
    try {
      return answer(event);
    } catch (error) {
      return { message: failureMessage(app, error), edits: false };
    }
  };
}

/** What the bots answer to commands and buttons, the same on every platform. */
export function createChatCommands(app: App) {
  const handle = createHandler(app, createCommandLimit(app.clock));
  return { name: 'chatCommands', service: { handle } } satisfies Part;
}
