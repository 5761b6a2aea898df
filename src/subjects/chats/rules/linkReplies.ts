import { type ChatCommandInfo, CHAT_COMMANDS } from '#platform/chatClients/rules/chatCommand.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { type ChatPlatform, PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';

/* What a bot answers about itself and about the link between a chat and an account. */

/** A message without link and buttons. */
export const note = (title: string, ...lines: string[]): ChatMessage => ({
  title,
  lines,
  link: null,
  buttons: [],
});

const LINK_HINT = 'Send /link to link this chat to your Bellbird account, or /help for the commands.';

const listed = ({ name }: ChatCommandInfo): boolean => name !== 'start';

/** @param username the account that the chat is linked to; null for none */
export function helpReply(username: string | null): ChatMessage {
  const open = CHAT_COMMANDS.filter((one) => listed(one) && (username !== null || one.isForStrangers));
  const lines = open.map(({ name, description }) => `/${name}: ${description}`);
  return username === null
    ? note('Bellbird', ...lines, 'Link this chat to your account for more.')
    : note('Bellbird', ...lines);
}

/** @param username as for help */
export const startReply = (username: string | null): ChatMessage =>
  username === null
    ? note('Welcome to Bellbird', 'I send your ASX alerts to this chat.', LINK_HINT)
    : note(
        'Welcome to Bellbird',
        `This chat is linked to the account ${username}.`,
        'Send /help for the commands.',
      );

/** One line for a text that is no command. */
export const unknownReply = (isLinked: boolean): ChatMessage =>
  note('I only understand commands', isLinked ? 'Send /help for the commands.' : LINK_HINT);

const UNSEEN = 'You write in the name of a group or a channel, so I can’t see who you are.';

/** @param chat its ID, and that of the person when the chat is a group */
export function userIdReply(
  platform: ChatPlatform,
  chat: { chatId: string; personId: string | null; isGroup: boolean },
): ChatMessage {
  const { chatId, personId, isGroup } = chat;
  const where = 'Enter it in Bellbird under Settings, Linked Accounts. Or send /link: nothing to type.';
  const name = PLATFORM_NAMES[platform];
  if (!isGroup || chatId === personId) return note(`Your ${name} ID: ${chatId}`, where);
  const own = personId === null ? UNSEEN : `Your own ${name} ID: ${personId}`;
  return note(`The ${name} ID of this group: ${chatId}`, own, where);
}

/** Where a browser takes a one-time token. */
const claimPath = (token: string): string => `/#/settings?linkToken=${encodeURIComponent(token)}`;

/**
 * The one-time link.
 *
 * @param publicUrl the server's address without a slash at its end; null when it is not known
 */
export function linkReply(token: string, publicUrl: string | null): ChatMessage {
  const once = 'It works once, for 10 minutes. Whoever opens it links this chat, so keep it to yourself.';
  if (publicUrl === null) {
    return note(
      'Link this chat',
      'Open Bellbird in your browser and add this to the end of its address:',
      claimPath(token),
      once,
    );
  }
  const url = publicUrl + claimPath(token);
  return {
    title: 'Link this chat',
    lines: ['Open the link below in the browser where you use Bellbird.', once],
    // Shown as it is: Telegram makes no link of addresses like http://pi:3000, and this one can be copied then.
    link: { text: url, url },
    buttons: [],
  };
}

export const linkedAlreadyReply = (username: string): ChatMessage =>
  note(
    'This chat is already linked',
    `It belongs to the account ${username}. Send /unlink first to link it to another.`,
  );

export const unlinkedReply = (wasLinked: boolean): ChatMessage =>
  wasLinked
    ? note('Chat unlinked', 'Nothing more is sent here.')
    : note('This chat is not linked', 'Send /link to link it to your Bellbird account.');

export const strangerReply = (): ChatMessage => note('Link this chat first', LINK_HINT);

export const privateOnlyReply = (): ChatMessage =>
  note('Not in a group', 'Ask me in a private chat that is linked to your account.');

/** In a group: somebody who writes in the name of the group, or of a channel, asks for something of their own. */
export const anonymousReply = (): ChatMessage =>
  note('I can’t see who you are', UNSEEN, 'Ask me in a private chat that is linked to your account.');

/** In a group: a button that stands under no message there, or no longer. */
export const noButtonReply = (): ChatMessage =>
  note('That button is gone', 'Press a button under a message that was sent to this group.');

/** In a group: somebody who is not the account's owner would end its link. */
export const ownerOnlyReply = (): ChatMessage =>
  note(
    'This group is already linked',
    'Only the owner of its account can unlink it: in Settings, or with /unlink once a chat of their own is linked too.',
  );

/** @param wait '45 seconds' */
export const tooOftenReply = (wait: string): ChatMessage =>
  note('Too many commands', `Try again in ${wait}.`);

/* What a bot answers to /ask. */

export const noQuestionReply = (): ChatMessage =>
  note('What do you want to know?', 'Send your question too, like /ask What moves today?');

/** To a chat that is linked to no account. */
export const askLinkReply = (): ChatMessage =>
  note('Link this chat first', 'Questions are for accounts with the Premium plan.', LINK_HINT);

export const premiumOnlyReply = (): ChatMessage =>
  note('Questions need the Premium plan', 'You can ask for it in Bellbird under Settings.');

/** That an answer comes, as it takes its time. */
export const askingReply = (): ChatMessage => note('Looking into it', 'The answer comes within a minute.');

/** Its title says what it is, as the end of a long answer may be cut. @param text plain text */
export const answerReply = (text: string): ChatMessage =>
  note('A model’s answer: may be wrong, not advice', ...text.split('\n'));
