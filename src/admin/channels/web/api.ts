import type { ChannelForm } from '../rules/channel.ts';
import type { BroadcastForm } from '../rules/broadcast.ts';
import { api, unwrap } from '../../../../web/api/client.ts';
import {
  type Broadcast,
  type Channel,
  type ChannelMessage,
  readBroadcasts,
  readChanged,
  readChannels,
  readMessages,
} from './readChannels.ts';
import { asAdminAction } from '../../web/parts/adminActions.ts';

const LIMIT = 20;

const one = (id: number) => api.admin.channels({ id });

/** All channels, as they were added. */
export const fetchChannels = async (): Promise<Channel[]> =>
  (await unwrap(api.admin.channels.get(), readChannels)).channels;

/** Adds a channel that can be chosen for messages. @throws ApiError with the server's refusal */
export async function postChannel(form: ChannelForm): Promise<void> {
  await asAdminAction('other', unwrap(api.admin.channels.post({ ...form, subscribed: 1 })));
}

/**
 * Switches what a channel gets.
 * @returns the channel as it is now; null when the server does not say
 * @throws ApiError with the server's refusal
 */
export async function putChannel(
  id: number,
  change: { subscribed: 0 | 1 } | { sendDaily: 0 | 1 },
): Promise<Channel | null> {
  return (await asAdminAction('other', unwrap(one(id).put(change), readChanged))).channel;
}

/** @throws ApiError with the server's refusal */
export async function deleteChannel(id: number): Promise<void> {
  await asAdminAction('other', unwrap(one(id).delete()));
}

/** Sends a message to channels. @throws ApiError with the server's refusal */
export async function postBroadcast(form: BroadcastForm): Promise<void> {
  await asAdminAction('other', unwrap(api.admin.channels.broadcast.post(form)));
}

/** The newest broadcasts, newest first, each as it stands now. */
export const fetchBroadcasts = async (): Promise<Broadcast[]> =>
  (await unwrap(api.admin.channels.broadcasts.get(), readBroadcasts)).broadcasts;

/** The newest messages of a channel, newest first. */
export const fetchMessages = (id: number): Promise<{ messages: ChannelMessage[]; note: string | null }> =>
  unwrap(one(id).messages.get({ query: { limit: LIMIT } }), readMessages);
