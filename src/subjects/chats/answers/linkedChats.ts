import { boolean, choice, list, or, orNull, readBy, text, trimmed } from '#lib/contract/fields.ts';
import { always, object, extension } from '#lib/contract/objects.ts';
import { CHAT_PLATFORMS } from '#platform/chatClients/rules/chatPlatform.ts';

const platform = choice(CHAT_PLATFORMS);

const told = object(
  {
    platform,
    /** The platform's own ID: a Telegram chat, a Discord user. */
    id: trimmed,
    display_name: orNull(trimmed),
    /** The chat's name, otherwise its ID. */
    label: trimmed,
    /** Only confirmed chats get alerts. A server that omits it has no unconfirmed ones. */
    confirmed: extension(or(boolean, true)),
    broken: extension(orNull(trimmed)),
  },
  ['platform', 'id'],
);

export const linkedChat = readBy(told, (value) => {
  const chat = told.read(value);
  return chat && { ...chat, label: chat.label ?? chat.display_name ?? chat.id };
});

/** `GET /api/settings/linked-chats`, oldest first. */
export const linkedChatsAnswer = list(linkedChat);

/** `POST /api/link/offer`: the chat of a one-time link; unknown members are null. */
export const offerAnswer = always(
  object({
    platform,
    /** The platform's own ID. */
    id: text,
    /** The chat's name, otherwise its ID. */
    label: trimmed,
  }),
);

/** Without information, assume that the bot exists. */
const bot = always(
  object({
    configured: or(boolean, true),
    name: extension(orNull(trimmed)),
  }),
);

export const chatBotsAnswer = object({ telegram: bot, discord: bot });
