/** The chat apps that messages go to (specification, section 9). */
export const CHAT_PLATFORMS = ['telegram', 'discord'] as const;
export type ChatPlatform = (typeof CHAT_PLATFORMS)[number];

/** Their names on screen. */
export const PLATFORM_NAMES: Readonly<Record<ChatPlatform, string>> = {
  telegram: 'Telegram',
  discord: 'Discord',
};
