import { broadcastMessage, checkBroadcast } from '../rules/broadcast.ts';
import type { ChatMessage } from '../../../subjects/chats/rules/chatMessage.ts';
import { type ChatPlatform, PLATFORM_NAMES } from '../../../subjects/chats/rules/chatPlatform.ts';
import { accepted, AppError } from '../../../platform/http/errors.ts';
import { discordOverflow } from '../../../platform/discord/content.ts';
import { telegramOverflow } from '../../../platform/telegram/render.ts';
import type { ChannelsDeps } from './deps.ts';
import type { BroadcastView } from './model.ts';
import type { ChannelRow } from './store.ts';
import { broadcastViews } from './views.ts';

/** So many of the newest are shown. */
const SHOWN = 5;
/** A second press, or one after an answer that was lost. */
const SAME_MS = 60_000;

const OVERFLOW: Readonly<Record<ChatPlatform, (message: ChatMessage) => number>> = {
  telegram: telegramOverflow,
  discord: discordOverflow,
};

const refusal = (field: string, message: string): AppError => new AppError(400, { field, message });

/** The channels of these ids. @throws AppError 400 for one that can't be chosen */
function chosenChannels({ store, hasBot }: ChannelsDeps, ids: readonly number[]): ChannelRow[] {
  return ids.map((id) => {
    const channel = store.byId(id);
    if (!channel) throw refusal('channelIds', 'One of these channels was deleted. Reload the list.');
    const { name, platform, subscribed } = channel;
    if (!subscribed)
      throw refusal('channelIds', `The channel "${name}" is not subscribed, so it can’t be chosen.`);
    if (!hasBot(platform)) {
      const setting = `BELLBIRD_${platform.toUpperCase()}_TOKEN`;
      const message = `The channel "${name}" can’t be reached: this server has no ${PLATFORM_NAMES[platform]} bot. Set ${setting}.`;
      throw refusal('channelIds', message);
    }
    return channel;
  });
}

/** @throws AppError 400 when a platform would cut the message */
function checkLength(message: ChatMessage, channels: readonly ChannelRow[]): void {
  for (const platform of new Set(channels.map((channel) => channel.platform))) {
    const over = OVERFLOW[platform](message);
    if (over === 0) continue;
    const name = PLATFORM_NAMES[platform];
    throw refusal('message', `The message is too long for ${name}: shorten it by ${over} characters.`);
  }
}

/** @throws AppError 400 when the same was sent a moment ago */
function checkNotTwice({ store, clock }: ChannelsDeps, message: string, ids: readonly number[]): void {
  const [newest] = store.newestBroadcasts(1);
  if (!newest || newest.message !== message) return;
  // The clock may have been set back a little between two presses.
  if (Math.abs(clock.now() - newest.sentAt) >= SAME_MS) return;
  const got = new Set(store.messagesOf([newest.id]).map(({ channelId }) => channelId));
  if (got.size === ids.length && ids.every((id) => got.has(id))) {
    throw new AppError(400, 'This message was sent to these channels a moment ago. See its progress below.');
  }
}

/**
 * Sends a message to channels. It is on disk, with the audit's entry, when this returns.
 * @returns the broadcast with how each message stands
 * @throws AppError 400, 429
 */
export function broadcast(
  deps: ChannelsDeps,
  userId: number,
  sent: { message?: unknown; channelIds?: unknown },
): BroadcastView {
  const { store, outbox, audit, clock } = deps;
  const { message, channelIds } = accepted(checkBroadcast(sent));
  deps.countBroadcast(userId);
  store.inTransaction(() => {
    const channels = chosenChannels(deps, channelIds);
    const text = broadcastMessage(message);
    checkLength(text, channels);
    checkNotTwice(deps, message, channelIds);
    const id = store.insertBroadcast(userId, message, clock.now());
    const nonces = outbox.add(
      channels.map(({ platform, chatId }) => ({
        ...{ platform, target: 'channel' as const, chatId },
        ...{ userId: null, triggerId: null, message: text },
      })),
    );
    channels.forEach((channel, index) => {
      const nonce = nonces[index];
      if (nonce !== undefined) store.insertMessage(id, channel, nonce);
    });
    const names = channels.map(({ name }) => name);
    audit.record({ userId, action: 'broadcast', target: names.join(', '), after: { message } });
  });
  outbox.wake();
  const [view] = broadcastViews(deps, store.newestBroadcasts(1));
  if (!view) throw new Error('The broadcast that was just written is not there.');
  return view;
}

/** The newest broadcasts, newest first, each as it stands now. */
export const recentBroadcasts = (deps: ChannelsDeps): BroadcastView[] =>
  broadcastViews(deps, deps.store.newestBroadcasts(SHOWN));
