import { type ReactNode, useCallback, useState } from 'react';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { NoSuchPage } from './NoSuchPage.tsx';
import { isMissing } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';

/** What was fetched; or what stands in its place. */
export type Fetched<T> =
  | { kind: 'loading' }
  | { kind: 'known'; data: T }
  /** There is no such thing; the server's sentence. */
  | { kind: 'missing'; message: string }
  | { kind: 'failed'; message: string };

type Fetching<T> = {
  state: Fetched<T>;
  /** Fetches again, with nothing to show until then. */
  retry(): void;
  /** Fetches again, as what is shown is not true any more; it stays until the answer. */
  refresh(): void;
  /** Fetches what is newer; what is shown stays also where that does not come. */
  renew(): void;
};

/**
 * Fetches something once, again when it is asked to, and when the connection is back after it failed.
 *
 * @param fetch the same function as long as it fetches the same
 * @param failed the sentence for a failure that gives none
 */
export function useFetched<T>(fetch: () => Promise<T>, failed: string): Fetching<T> {
  const { data, isCurrent, error, problem, isLoading, reload } = useLoaded(fetch, failed);
  /** What may not stay where a newer one does not come. */
  const [old, setOld] = useState<T | null>(null);
  const renew = useCallback(() => void reload(), [reload]);
  const refresh = useCallback(() => {
    setOld(data);
    renew();
  }, [data, renew]);
  const state = ((): Fetched<T> => {
    if (error !== null && isMissing(problem)) return { kind: 'missing', message: error };
    if (data !== null && isCurrent && (error === null || data !== old)) return { kind: 'known', data };
    return error === null || isLoading ? { kind: 'loading' } : { kind: 'failed', message: error };
  })();
  return { state, retry: renew, refresh, renew };
}

type FetchedBodyProps<T> = { state: Fetched<T>; retry(): void; children: (data: T) => ReactNode };

/** What was fetched, or that it is on its way, is not there, or could not be had. */
export function FetchedBody<T>({ state, retry, children }: FetchedBodyProps<T>): ReactNode {
  if (state.kind === 'known') return children(state.data);
  if (state.kind === 'loading') return <SkeletonRows rows={5} />;
  if (state.kind === 'failed') {
    return <Banner action={<Button onClick={retry}>Retry</Button>}>{state.message}</Banner>;
  }
  return <NoSuchPage>{state.message}</NoSuchPage>;
}
