import { useCallback } from 'react';
import { useNewEra } from '../../../../../web/live/marketEra.ts';
import { useReloads } from '../../../../../web/shared/useReloads.ts';
import { type Fetched, useFetched } from '../parts/useFetched.ts';
import { fetchLife, type Life } from './api.ts';

const FAILED = 'The price path could not be loaded. Try again.';
/** What happens to a call that goes on is seen so soon; its price moves with the stream. */
const RENEW_MS = 30_000;

/** Whether something may still happen to a call. */
export const goesOn = ({ status, awaitingTrade }: Life['call']): boolean =>
  status === 'pending' || status === 'open' || awaitingTrade !== null;

/** A call with its price path: fetched, and as long as it goes on fetched again and again. */
export function useLife(publicId: string): { state: Fetched<Life>; retry(): void } {
  const { state, retry, refresh, renew } = useFetched(
    useCallback(() => fetchLife(publicId), [publicId]),
    FAILED,
  );
  useNewEra(refresh);
  useReloads(state.kind === 'known' && goesOn(state.data.call), renew, RENEW_MS);
  return { state, retry };
}
