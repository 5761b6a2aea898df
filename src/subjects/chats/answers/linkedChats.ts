import { boolean, choice, list, or, orNull, readBy, text, trimmed } from '#lib/contract/fields.ts';
import { always, object, extension } from '#lib/contract/objects.ts';
import { CHAT_PLATFORMS } from '#platform/chatClients/rules/chatPlatform.ts';

const platform = choice(CHAT_PLATFORMS);

const chatAnswer = object(
  {
    platform,
    /** The platform's own ID, of a Telegram chat or a Discord user. */
    id: trimmed,
    display_name: orNull(trimmed),
    /** The chat's name, otherwise its ID. */
    label: trimmed,
    /** Only confirmed chats get alerts. True if the server omits it, because such a server has no unconfirmed chats. */
    confirmed: extension(or(boolean, true)),
    broken: extension(orNull(trimmed)),
  },
  ['platform', 'id'],
);

export const linkedChat = readBy(chatAnswer, (value) => {
  const chat = chatAnswer.read(value);
  return chat && { ...chat, label: chat.label ?? chat.display_name ?? chat.id };
});

/** Answer of `GET /api/settings/linked-chats`, oldest first. */
export const linkedChatsAnswer = list(linkedChat);

/** Answer of `POST /api/link/offer`: the chat of a one-time link; unknown members are null. */
export const offerAnswer = always(
  object({
    platform,
    /** The platform's own ID. */
    id: text,
    /** The chat's name, otherwise its ID. */
    label: trimmed,
  }),
);

/** State of a bot. If the server sends none, the bot is assumed to exist. */
const bot = always(
  object({
    configured: or(boolean, true),
    name: extension(orNull(trimmed)),
  }),
);

export const chatBotsAnswer = object({ telegram: bot, discord: bot });
