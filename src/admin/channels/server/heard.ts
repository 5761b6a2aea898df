import type { ChannelMessage } from '../../../platform/chatClients/channelMessage.ts';

/** So many of each channel. */
export const KEPT = 20;

/**
 * What a bot heard in channels since the process began, for a platform that shows bots no history. Kept in memory: what
 * people say in a group is not ours to store.
 */
export function createHeardMessages() {
  const byChannel = new Map<number, ChannelMessage[]>();
  return {
    add(channelId: number, message: ChannelMessage): void {
      const kept = byChannel.get(channelId) ?? [];
      byChannel.set(channelId, [...kept, message].slice(-KEPT));
    },
    /** Oldest first. */
    of: (channelId: number): readonly ChannelMessage[] => byChannel.get(channelId) ?? [],
    forget: (channelId: number): void => void byChannel.delete(channelId),
    count: (): number => byChannel.values().reduce((sum, messages) => sum + messages.length, 0),
  };
}

export type HeardMessages = ReturnType<typeof createHeardMessages>;
