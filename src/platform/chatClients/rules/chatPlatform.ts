import { ok, refuse, type Result } from '#lib/result.ts';

export const CHAT_PLATFORMS = ['telegram', 'discord'] as const;
export type ChatPlatform = (typeof CHAT_PLATFORMS)[number];

/** The chat apps, and the push services of browsers. */
export const MESSAGE_PLATFORMS = [...CHAT_PLATFORMS, 'push'] as const;
export type MessagePlatform = (typeof MESSAGE_PLATFORMS)[number];

export const PLATFORM_NAMES: Readonly<Record<MessagePlatform, string>> = {
  telegram: 'Telegram',
  discord: 'Discord',
  push: 'Web push',
};

export const NO_CHAT_ID = 'Please enter your platform ID';

/** Telegram's IDs have at most 52 significant bits. Those of groups are negative. */
const TELEGRAM_ID = /^-?[1-9]\d{0,15}$/;
/** Discord's IDs are snowflakes: the upper bits of 64 are the time since 2015. */
const DISCORD_ID = /^[1-9]\d{16,19}$/;
const MAX_SNOWFLAKE = 2n ** 64n - 1n;

const NOT_TELEGRAM =
  'A Telegram ID is a whole number, like 123456789. Send /user_id to the bot to see yours.';
const NOT_DISCORD = 'A Discord ID is a number of 17 to 20 digits. Send /user_id to the bot to see yours.';

export const isDiscordId = (text: string): boolean => DISCORD_ID.test(text) && BigInt(text) <= MAX_SNOWFLAKE;

/** Checks a chat's ID as a person typed it. @returns the ID in its canonical form, or why it is invalid */
export function checkChatId(platform: ChatPlatform, typed: string): Result<string> {
  const id = typed.trim();
  if (id === '') return refuse(NO_CHAT_ID, 'chatUserId');
  if (platform === 'telegram') return TELEGRAM_ID.test(id) ? ok(id) : refuse(NOT_TELEGRAM, 'chatUserId');
  return isDiscordId(id) ? ok(id) : refuse(NOT_DISCORD, 'chatUserId');
}
