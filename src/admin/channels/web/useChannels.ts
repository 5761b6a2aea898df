import { useEffect, useRef, useState } from 'react';
import type { Known } from '#lib/contract/fields.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { messageOf, request } from '#web/api/client.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import {
  type Channel,
  broadcastsAnswer,
  channelAnswer,
  channelsAnswer,
  messagesAnswer,
  type RecentMessages,
} from '../answers/channels.ts';
import type { BroadcastForm, ChannelForm } from '../rules/channel.ts';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';

const LIMIT = 20;

const fetchChannels = async (): Promise<Channel[]> =>
  (await request('GET /api/admin/channels', { read: channelsAnswer.read })).channels;

/** @throws ApiError with the server's refusal */
export async function postChannel(form: ChannelForm): Promise<void> {
  await asAdminAction(request('POST /api/admin/channels', { body: { ...form, subscribed: 1 } }));
}

/** @returns the changed channel; null if the answer lacks it @throws ApiError with the server's refusal */
async function putChannel(
  id: number,
  change: { subscribed: 0 | 1 } | { sendDaily: 0 | 1 },
): Promise<Channel | null> {
  return (
    await asAdminAction(
      request('PUT /api/admin/channels/:id', { params: { id }, body: change, read: channelAnswer.read }),
    )
  ).channel;
}

/** @throws ApiError with the server's refusal */
async function deleteChannel(id: number): Promise<void> {
  await asAdminAction(request('DELETE /api/admin/channels/:id', { params: { id } }));
}

export async function postBroadcast({ devices, ...form }: BroadcastForm): Promise<void> {
  const body = devices ? { ...form, devices } : form;
  await asAdminAction(request('POST /api/admin/channels/broadcast', { body }));
}

/** Broadcasts, newest first, with the reach of a new one. */
export type Broadcasts = Known<typeof broadcastsAnswer>;
export const fetchBroadcasts = (): Promise<Broadcasts> =>
  request('GET /api/admin/channels/broadcasts', { read: broadcastsAnswer.read });

export const fetchMessages = (id: number): Promise<RecentMessages> =>
  request('GET /api/admin/channels/:id/messages', {
    params: { id },
    query: { limit: LIMIT },
    read: messagesAnswer.read,
  });

type Setting = 'subscribed' | 'sendDaily';

const FAILURES: Readonly<Record<Setting, string>> = {
  subscribed: ADMIN_MESSAGES.updateSubscription,
  sendDaily: ADMIN_MESSAGES.updateDaily,
};

export type ChannelsState = {
  loaded: Loaded<Channel[]>;
  error: string | null;
  dismiss(): void;
  /** Changes a setting, shows it immediately, and reverts it if the server refuses. */
  toggle(channel: Channel, setting: Setting, isOn: boolean): Promise<void>;
  remove(channel: Channel): Promise<boolean>;
};

/** Changes one channel in the latest list, even if that list is not rendered yet. */
function useChannelChanges({ data, set }: Loaded<Channel[]>) {
  const newest = useRef(data);
  useEffect(() => {
    newest.current = data;
  }, [data]);

  const take = (next: Channel[]) => {
    newest.current = next;
    set(next);
  };
  return {
    replace(id: number, change: Partial<Channel>): void {
      if (newest.current === null) return;
      take(newest.current.map((channel) => (channel.id === id ? { ...channel, ...change } : channel)));
    },
    drop: (id: number): void => take((newest.current ?? []).filter((channel) => channel.id !== id)),
  };
}

export function useChannels(): ChannelsState {
  const loaded = useLoaded(fetchChannels, ADMIN_MESSAGES.loadChannels);
  const [error, setError] = useState<string | null>(null);
  const { replace, drop } = useChannelChanges(loaded);
  return {
    loaded,
    error,
    dismiss: () => setError(null),
    async toggle({ id }, setting, isOn) {
      setError(null);
      replace(id, { [setting]: isOn ? 1 : 0 });
      try {
        const change = setting === 'subscribed' ? { subscribed: isOn ? 1 : 0 } : { sendDaily: isOn ? 1 : 0 };
        const now = await putChannel(id, change as { subscribed: 0 | 1 } | { sendDaily: 0 | 1 });
        if (now !== null) replace(id, { [setting]: now[setting], summary: now.summary });
      } catch (problem) {
        replace(id, { [setting]: isOn ? 0 : 1 });
        setError(messageOf(problem, FAILURES[setting]));
      }
    },
    async remove({ id }) {
      setError(null);
      try {
        await deleteChannel(id);
      } catch (problem) {
        setError(messageOf(problem, ADMIN_MESSAGES.deleteChannel));
        return false;
      }
      drop(id);
      return true;
    },
  };
}
