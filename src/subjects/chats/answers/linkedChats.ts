import { boolean, choice, list, or, orNull, readBy, text, trimmed } from '#lib/contract/fields.ts';
import { always, object, ours } from '#lib/contract/objects.ts';
import { CHAT_PLATFORMS } from '#platform/chatClients/rules/chatPlatform.ts';

const platform = choice(CHAT_PLATFORMS);

const told = object(
  {
    platform,
    /** The platform's own ID: a Telegram chat, a Discord user. */
    id: trimmed,
    display_name: orNull(trimmed),
    /** What the chat calls itself, else the ID. */
    label: trimmed,
    /** Only confirmed chats are sent alerts. A server that does not tell has no unconfirmed ones. */
    confirmed: ours(or(boolean, true)),
    /** A sentence saying why nothing can be delivered; null while all is well. */
    broken: ours(orNull(trimmed)),
  },
  ['platform', 'id'],
);

/** A chat that belongs to the user, or waits to. */
export const linkedChat = readBy(told, (value) => {
  const chat = told.read(value);
  return chat && { ...chat, label: chat.label ?? chat.display_name ?? chat.id };
});

/** `GET /api/settings/linked-chats`, oldest first. */
export const linkedChatsAnswer = list(linkedChat);

/** `POST /api/link/offer`: a chat that a one-time link would link; what is not known of it is null. */
export const offerAnswer = always(
  object({
    platform,
    /** The platform's own ID. */
    id: text,
    /** What the chat calls itself, else the ID. */
    label: trimmed,
  }),
);

/** A bot of which nothing is said is taken for one. */
const bot = always(
  object({
    /** The operator gave a token. */
    configured: or(boolean, true),
    /** The bot's username on the platform, once it is known. */
    name: ours(orNull(trimmed)),
  }),
);

/** `GET /api/settings/chat-bots`: the bots of this server. */
export const chatBotsAnswer = object({ telegram: bot, discord: bot });
