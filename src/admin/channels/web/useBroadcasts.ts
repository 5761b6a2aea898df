import { useEffect, useRef } from 'react';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { type Loaded, useLoaded } from '../../../../web/shared/useLoaded.ts';
import { useReloads } from '../../../../web/shared/useReloads.ts';
import { fetchBroadcasts } from './api.ts';
import { isSettled } from './channelTexts.ts';
import type { Broadcast } from './readChannels.ts';

const ASK_EVERY_MS = 2000;

/**
 * The newest broadcasts, asked for again and again until it is settled what became of each.
 * @param onSettled called once the last of them is settled
 */
export function useBroadcasts(onSettled: () => void): Loaded<Broadcast[]> {
  const loaded = useLoaded(fetchBroadcasts, ADMIN_MESSAGES.load);
  const { data, reload } = loaded;
  const isOpen = data?.some(({ results }) => !results.every(isSettled)) ?? false;
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) onSettled();
    wasOpen.current = isOpen;
  }, [isOpen, onSettled]);
  useReloads(isOpen, reload, ASK_EVERY_MS);
  return loaded;
}
