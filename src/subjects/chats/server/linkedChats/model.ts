import { t } from 'elysia';
import { NO_CHAT_ID } from '../../rules/chatId.ts';
import { choice } from '../../../../platform/http/choice.ts';

const platform = choice(['telegram', 'discord'], 'Choose Telegram or Discord.');
const chatUserId = t.String({ maxLength: 200, error: NO_CHAT_ID });

export const linkedChatsView = t.Array(
  t.Object({
    platform: t.UnionEnum(['telegram', 'discord']),
    /** The platform's own ID: a Telegram chat, a Discord user. */
    id: t.String(),
    display_name: t.Nullable(t.String()),
    /** The display name, else the ID. */
    label: t.String(),
    /** Only confirmed chats are sent alerts. */
    confirmed: t.Boolean(),
    /** Why nothing can be delivered; null while all is well. */
    broken: t.Nullable(t.String()),
  }),
);

export const linkBody = t.Object({ chatUserId, platform });
export const unlinkBody = t.Object({ chatUserId, platform: t.Optional(platform) });
export const claimBody = t.Object({
  token: t.String({ maxLength: 200, error: 'The link has no usable token.' }),
});

export const offeredView = t.Object({
  platform: t.UnionEnum(['telegram', 'discord']),
  /** The platform's own ID. */
  id: t.String(),
  /** What the chat calls itself, else the ID. */
  label: t.String(),
});

const bot = t.Object({
  /** The operator gave a token. */
  configured: t.Boolean(),
  /** The bot's username on the platform, once it is known. */
  name: t.Nullable(t.String()),
});
export const chatBotsView = t.Object({ telegram: bot, discord: bot });

export const done = t.Object({ success: t.Literal(true), error: t.Null() });
export const notDone = t.Object({
  success: t.Literal(false),
  error: t.String(),
  field: t.Optional(t.String()),
});
