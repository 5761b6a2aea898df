import type { HeardInChannel } from '../../../platform/chatClients/channelMessage.ts';
import { addChannel, changeChannel, deleteChannel } from './administer.ts';
import { broadcast, recentBroadcasts } from './broadcast.ts';
import type { ChannelsDeps } from './deps.ts';
import { recentMessages } from './messages.ts';
import type { BroadcastView, ChannelView, MessageView } from './model.ts';
import type { ChannelRow } from './store.ts';
import { channelViews } from './views.ts';

const THROWN_OUT = 'The bot is no longer in this Telegram chat. Add it again.';

type Sent = Readonly<Record<string, unknown>>;

/** Channels, and what is sent to them. What is done is done in the name of an administrator. */
export type Channels = {
  list(): ChannelView[];
  /** @throws AppError 400, 429 */
  add(userId: number, sent: Sent): ChannelView;
  /** @throws AppError 400, 404, 429 */
  change(userId: number, id: number, sent: Sent): ChannelView;
  /** @throws AppError 404, 429 */
  remove(userId: number, id: number): void;
  /** @throws AppError 400, 429 */
  broadcast(userId: number, sent: Sent): BroadcastView;
  /** The newest few, newest first. */
  broadcasts(): BroadcastView[];
  /** @throws AppError 400, 404, 429, 502 */
  messages(
    userId: number,
    id: number,
    limit: number,
  ): Promise<{ messages: MessageView[]; channel: ChannelView; note: string | null }>;
  /** The Telegram bot heard something in a chat; what is no channel is forgotten. */
  heard(heard: HeardInChannel): void;
};

function take({ store, heard, clock }: ChannelsDeps, told: HeardInChannel): void {
  const names = [told.chatId, ...(told.chatName === null ? [] : [told.chatName.toLowerCase()])];
  for (const chatId of names) {
    const channel = store.byChat('telegram', chatId);
    if (!channel) continue;
    if (told.kind === 'message') heard.add(channel.id, told.message);
    else store.setBroken(channel.id, told.isIn ? null : THROWN_OUT, clock.now());
  }
}

export function createChannelsService(deps: ChannelsDeps): Channels {
  const { store } = deps;
  const viewOf = (row: ChannelRow): ChannelView => {
    const [view] = channelViews(deps, [row]);
    if (!view) throw new Error('A channel has no view.');
    return view;
  };
  return {
    list: () => channelViews(deps, store.all()),
    add: (userId, sent) => viewOf(addChannel(deps, userId, sent)),
    change: (userId, id, sent) => viewOf(changeChannel(deps, userId, id, sent)),
    remove: (userId, id) => deleteChannel(deps, userId, id),
    broadcast: (userId, sent) => broadcast(deps, userId, sent),
    broadcasts: () => recentBroadcasts(deps),
    async messages(userId, id, limit) {
      const { messages, row, note } = await recentMessages(deps, userId, id, limit);
      return { messages, channel: viewOf(row), note };
    },
    heard: (told) => take(deps, told),
  };
}
