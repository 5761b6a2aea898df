/* Why Telegram takes no messages for a chat, and what a person can do about it. */

export const BLOCKED = 'The bot is blocked in this Telegram chat. Unblock it.';
export const NOT_IN_GROUP = 'The bot is no longer in this Telegram group. Add it again.';
export const NO_RIGHTS = 'The bot may not write in this Telegram group.';
