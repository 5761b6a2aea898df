import { useEffect, useRef, useState } from 'react';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { messageOf } from '../../../../web/api/client.ts';
import { type Loaded, useLoaded } from '../../../../web/shared/useLoaded.ts';
import { deleteChannel, fetchChannels, putChannel } from './api.ts';
import type { Channel } from './readChannels.ts';

type Setting = 'subscribed' | 'sendDaily';

const FAILURES: Readonly<Record<Setting, string>> = {
  subscribed: ADMIN_MESSAGES.updateSubscription,
  sendDaily: ADMIN_MESSAGES.updateDaily,
};

export type ChannelsState = {
  loaded: Loaded<Channel[]>;
  /** Why the last change was refused; null when it was not. */
  error: string | null;
  dismiss(): void;
  /** Switches at once, and back when the server refuses it. */
  toggle(channel: Channel, setting: Setting, isOn: boolean): Promise<void>;
  /** @returns whether it is gone */
  remove(channel: Channel): Promise<boolean>;
};

/** The channels, and what is done with one. */
export function useChannels(): ChannelsState {
  const loaded = useLoaded(fetchChannels, ADMIN_MESSAGES.loadChannels);
  const [error, setError] = useState<string | null>(null);
  const { data, set } = loaded;
  const newest = useRef(data);
  useEffect(() => {
    newest.current = data;
  }, [data]);

  const replace = (id: number, change: Partial<Channel>) => {
    if (newest.current === null) return;
    const next = newest.current.map((channel) => (channel.id === id ? { ...channel, ...change } : channel));
    newest.current = next;
    set(next);
  };

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
      const next = (newest.current ?? []).filter((channel) => channel.id !== id);
      newest.current = next;
      set(next);
      return true;
    },
  };
}
