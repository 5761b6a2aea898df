import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, messageOf } from '../../../../../web/api/client.ts';
import { onReconnect } from '../../../../../web/shared/onReconnect.ts';

/** What was fetched; or what stands in its place. */
export type Fetched<T> =
  | { kind: 'loading' }
  | { kind: 'known'; data: T }
  /** There is no such thing; the server's sentence. */
  | { kind: 'missing'; message: string }
  | { kind: 'failed'; message: string };

export type Fetching<T> = {
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
  const [turn, setTurn] = useState(0);
  const [answer, setAnswer] = useState<{ of: () => Promise<T>; state: Fetched<T> } | null>(null);
  /** What gave the answer that is shown, as long as that may stay where a newer one does not come. */
  const current = useRef<(() => Promise<T>) | null>(null);
  const renew = useCallback(() => setTurn((before) => before + 1), []);
  const refresh = useCallback(() => {
    current.current = null;
    renew();
  }, [renew]);
  const retry = useCallback(() => {
    setAnswer(null);
    refresh();
  }, [refresh]);
  // Each turn fetches anew.
  useEffect(() => {
    let isShown = true;
    const settle = (state: Fetched<T>): void => {
      current.current = state.kind === 'known' ? fetch : null;
      setAnswer({ of: fetch, state });
    };
    fetch().then(
      (data) => isShown && settle({ kind: 'known', data }),
      (problem: unknown) => {
        if (!isShown) return;
        const message = messageOf(problem, failed);
        if (problem instanceof ApiError && problem.status === 404) {
          return settle({ kind: 'missing', message });
        }
        if (current.current === fetch) return;
        settle({ kind: 'failed', message });
        onReconnect(() => isShown && retry());
      },
    );
    return () => {
      isShown = false;
    };
  }, [fetch, failed, turn, retry]);
  return { state: answer?.of === fetch ? answer.state : { kind: 'loading' }, retry, refresh, renew };
}
