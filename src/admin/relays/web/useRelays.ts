import { useSyncExternalStore } from 'react';
import { request } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { type RelaysAnswer, relaysAnswer } from '../answers/relays.ts';

const ASK_EVERY_MS = 5000;

/** An answer, and when it came. */
export type SeenRelays = RelaysAnswer & {
  /** Epoch ms by this browser's clock. */
  seenAt: number;
};

async function fetchRelays(): Promise<SeenRelays> {
  const relays = await request('GET /api/admin/relays', { read: readerOf(relaysAnswer) });
  return { ...relays, seenAt: Date.now() };
}

function onVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}

/** Engine and relays, asked for every 5 s while the page is in sight. */
export function useRelays(): Loaded<SeenRelays> {
  const isHidden = useSyncExternalStore(onVisibility, () => document.hidden);
  return useLoaded(fetchRelays, ADMIN_MESSAGES.loadRelays, {
    of: isHidden ? null : fetchRelays,
    everyMs: ASK_EVERY_MS,
  });
}

/** Whether the server has a message engine; false until it said so. */
export const useHasEngine = (): boolean =>
  useLoaded(fetchRelays, ADMIN_MESSAGES.loadRelays).data?.isSet === true;
