import { readCommand } from '../../rules/chatCommand.ts';
import { confirmRequest } from '../../../alerts/rules/linkMessage.ts';
import { tooOftenReply, unknownReply } from '../../rules/linkReplies.ts';
import { waitText } from '../../../../lib/rateLimit.ts';
import type { ChatEvent, ChatHandler, ChatReply } from '../../../../platform/chatClients/received.ts';
import type { Core, Part } from '../../../../part.ts';
import { answerButtonPress } from './buttons.ts';
import { answerCommand, failureMessage } from './commands.ts';
import type { ChatCommandsDeps } from './deps.ts';
import { createCommandLimit } from './limits.ts';

function answerText(deps: ChatCommandsDeps, event: Extract<ChatEvent, { kind: 'text' }>): ChatReply {
  const account = deps.linkedChats.accountOf(event);
  const command = readCommand(event.text);
  if (command) return answerCommand(deps, event, command, account);
  const question = deps.linkedChats.question(event);
  const message = question
    ? confirmRequest(question.username, question.linkId)
    : unknownReply(account !== null);
  return { message, edits: false };
}

/** Answers whatever people send to the bots. */
function createHandler(deps: ChatCommandsDeps, admit: ReturnType<typeof createCommandLimit>): ChatHandler {
  const answer = (event: ChatEvent): ChatReply | null => {
    const { linkedChats } = deps;
    linkedChats.heardFrom(event);
    const { platform, chatId, personId } = event;
    const admission = admit({
      chat: `${platform} ${chatId}`,
      person: `${platform} ${personId}`,
      isLinked: linkedChats.accountOf(event) !== null,
    });
    if (admission.kind === 'ignored') return null;
    if (admission.kind === 'refused') {
      return { message: tooOftenReply(waitText(admission.seconds)), edits: false };
    }
    return event.kind === 'button' ? answerButtonPress(deps, event) : answerText(deps, event);
  };
  return async (event) => {
    try {
      return answer(event);
    } catch (error) {
      return { message: failureMessage(deps, error), edits: false };
    }
  };
}

type ChatCommandsCore = Pick<Core, 'clock' | 'log'> & {
  config: Pick<Core['config'], 'publicUrl'>;
  source: Pick<Core['source'], 'label'>;
};

export type ChatCommandsNeeds = Omit<ChatCommandsDeps, 'clock' | 'log' | 'publicUrl' | 'label'>;

/** What the bots answer to commands and buttons, the same on every platform. */
export function createChatCommands(core: ChatCommandsCore, needs: ChatCommandsNeeds) {
  const { clock, config, source } = core;
  const log = core.log.child('chatCommands');
  const deps = { ...needs, clock, log, publicUrl: config.publicUrl, label: source.label };
  const handle = createHandler(deps, createCommandLimit(clock));
  return { name: 'chatCommands', service: { handle } } satisfies Part;
}
