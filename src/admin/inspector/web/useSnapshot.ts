import { useCallback, useState } from 'react';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { type Loaded, useLoaded } from '../../../../web/shared/useLoaded.ts';
import { fetchSnapshot } from './api.ts';
import type { StateSnapshot } from './readState.ts';

/** What was loaded of each part, until it is asked for anew. */
export type SnapshotCache = Map<string, StateSnapshot>;

/** The cache of one inspector, for as long as it is on the page. */
export const useSnapshotCache = (): SnapshotCache => useState(() => new Map<string, StateSnapshot>())[0];

/** What a part holds, from the cache if it is there; `reload` drops it from there first. */
export function useSnapshot(key: string, cache: SnapshotCache): Loaded<StateSnapshot> {
  const load = useCallback(async () => {
    const known = cache.get(key);
    if (known) return known;
    const loaded = await fetchSnapshot(key);
    cache.set(key, loaded);
    return loaded;
  }, [key, cache]);
  const loaded = useLoaded(load, ADMIN_MESSAGES.loadSnapshot);
  const { reload } = loaded;
  const refresh = useCallback(() => {
    cache.delete(key);
    return reload();
  }, [key, cache, reload]);
  return { ...loaded, reload: refresh };
}
