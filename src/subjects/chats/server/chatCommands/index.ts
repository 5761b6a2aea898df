import { MINUTE_MS } from '#lib/units.ts';
import { readCommand } from '#platform/chatClients/rules/chatCommand.ts';
import { confirmRequest } from '#subjects/alerts/rules/buttonMessage.ts';
import { tooOftenReply, unknownReply } from '#subjects/chats/rules/replies.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { createRateLimit, waitText } from '#lib/rateLimit.ts';
import type { ChatEvent, ChatHandler, ChatReply } from '#platform/chatClients/received.ts';
import type { App, Part } from '#platform/app.ts';
import { answerButtonPress } from './callbackButton.ts';
import { answerCommand, failureMessage } from './commands.ts';

const STRANGER_LIMIT = 20;
const LINKED_LIMIT = 60;

/** Result of the limit. A chat over the limit gets one message per minute, and is otherwise ignored. */
type Admission = { kind: 'admitted' } | { kind: 'refused'; seconds: number } | { kind: 'ignored' };

/** The sender of a command. `chat` and `person` are keys, which are equal in a private chat. */
export type Asker = { chat: string; person: string; isLinked: boolean };

/**
 * Limits commands per chat and minute, and per sender in unlinked chats, because anyone can create groups. Memory is
 * limited: those that were silent longest are forgotten first.
 * @returns a function that counts one command or button
 */
export function createCommandLimit(clock: Stopwatch): (asker: Asker) => Admission {
  const strangers = createRateLimit({ clock, limit: STRANGER_LIMIT, windowMs: MINUTE_MS });
  const linked = createRateLimit({ clock, limit: LINKED_LIMIT, windowMs: MINUTE_MS });
  const replies = createRateLimit({ clock, limit: 1, windowMs: MINUTE_MS });
  return ({ chat, person, isLinked }) => {
    const keys = isLinked || person === chat ? [chat] : [person, chat];
    const waits = keys.map((key) => (isLinked ? linked : strangers).take(key));
    const seconds = Math.max(...waits);
    if (seconds === 0) return { kind: 'admitted' };
    return keys.every((key) => replies.take(key) === 0) ? { kind: 'refused', seconds } : { kind: 'ignored' };
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

function createHandler(app: App, admit: ReturnType<typeof createCommandLimit>): ChatHandler {
  const answer = (event: ChatEvent): ChatReply | null => {
    const { linkedChats } = app;
    linkedChats.receivedFrom(event);
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

export function createChatCommands(app: App) {
  const handle = createHandler(app, createCommandLimit(app.clock));
  return { name: 'chatCommands', service: { handle } } satisfies Part;
}
