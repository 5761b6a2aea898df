import { type ReactNode, useCallback, useState } from 'react';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { isMissing } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { CALLS_PATH } from '#web/router/routes.ts';
import { EmptyState } from '#ui/EmptyState.tsx';

export const NoSuchPage = ({ children }: { children: ReactNode }) => (
  <EmptyState
    action={
      <a className="button" href={`#${CALLS_PATH}`}>
        Go to Calls
      </a>
    }
  >
    {children}
  </EmptyState>
);

export type Fetched<T> =
  | { kind: 'loading' }
  | { kind: 'known'; data: T }
  /** It does not exist; with the server's sentence. */
  | { kind: 'missing'; message: string }
  | { kind: 'failed'; message: string };

type Fetching<T> = {
  state: Fetched<T>;
  /** Loads again and shows nothing until then. */
  retry(): void;
  /** Loads again because the shown data is outdated; it stays until the answer. */
  refresh(): void;
  /** Loads newer data; the shown data stays even if that fails. */
  renew(): void;
};

/**
 * Loads once, on request, and after a reconnect if it had failed.
 * @param fetch must be stable
 * @param failed message for a failure without one
 */
export function useFetched<T>(fetch: () => Promise<T>, failed: string): Fetching<T> {
  const { data, isCurrent, error, problem, isLoading, reload } = useLoaded(fetch, failed);
  /** Data that must not stay if the next load fails. */
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

export function FetchedBody<T>({ state, retry, children }: FetchedBodyProps<T>): ReactNode {
  if (state.kind === 'known') return children(state.data);
  if (state.kind === 'loading') return <SkeletonRows rows={5} />;
  if (state.kind === 'failed') {
    return <Banner action={<Button onClick={retry}>Retry</Button>}>{state.message}</Banner>;
  }
  return <NoSuchPage>{state.message}</NoSuchPage>;
}
