/** A message of a channel, anyone who wrote it; times are epoch ms. Texts are as people wrote them: never markup. */
export type ChannelMessage = {
  messageId: string;
  timestamp: number;
  author: { id: string; displayName: string | null; username: string | null };
  content: string;
  attachments: readonly { id: string; name: string; contentType: string | null; url: string | null }[];
};

/** What a bot heard in a channel or group: a message, or that it was added or thrown out. */
export type HeardInChannel = {
  /** The platform's own ID. */
  chatId: string;
  /** `@name` of a public one; null otherwise. */
  chatName: string | null;
} & ({ kind: 'message'; message: ChannelMessage } | { kind: 'membership'; isIn: boolean });

/** A longer text or name of somebody else is cut: neither platform sends such. */
export const MAX_CONTENT = 4096;
export const MAX_NAME = 120;
export const MAX_ATTACHMENTS = 10;
