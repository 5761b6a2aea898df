/** The chat apps that messages go to (specification, section 9). */
export const CHAT_PLATFORMS = ['telegram', 'discord'] as const;
export type ChatPlatform = (typeof CHAT_PLATFORMS)[number];

/** What carries messages: the chat apps, and the push services of browsers. */
export const MESSAGE_PLATFORMS = [...CHAT_PLATFORMS, 'push'] as const;
export type MessagePlatform = (typeof MESSAGE_PLATFORMS)[number];

/** Their names on screen. */
export const PLATFORM_NAMES: Readonly<Record<MessagePlatform, string>> = {
  telegram: 'Telegram',
  discord: 'Discord',
  push: 'Web push',
};
