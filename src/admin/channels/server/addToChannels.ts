import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { OutboxService } from '#platform/outbox/index.ts';
import type { ChannelRow } from './store.ts';

/** How long it is known what was told on which day. */
export const KEPT_DAYS = 31;

/**
 * Has one message sent to channels; to be called in the transaction that notes it.
 * @param note notes for a channel by which nonce its message goes
 */
export function addToChannels(
  outbox: OutboxService,
  channels: readonly ChannelRow[],
  message: ChatMessage,
  note: (channel: ChannelRow, nonce: string) => void,
): void {
  const nonces = outbox.add(
    channels.map(({ platform, chatId }) => ({
      platform,
      target: 'channel' as const,
      chatId,
      userId: null,
      triggerId: null,
      message,
    })),
  );
  channels.forEach((channel, index) => {
    const nonce = nonces[index];
    if (nonce !== undefined) note(channel, nonce);
  });
}
