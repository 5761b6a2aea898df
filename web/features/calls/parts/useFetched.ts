import { useCallback, useEffect, useState } from 'react';
import { ApiError, messageOf } from '../../../shared/api/client.ts';
import { onceBack } from '../../../shared/onceBack.ts';

/** What was fetched; or what stands in its place. */
export type Fetched<T> =
  | { kind: 'loading' }
  | { kind: 'known'; data: T }
  /** There is no such thing; the server's sentence. */
  | { kind: 'missing'; message: string }
  | { kind: 'failed'; message: string };

/**
 * Fetches something once, again when it is asked to, and when the connection is back after it failed.
 *
 * @param fetch the same function as long as it fetches the same
 * @param failed the sentence for a failure that gives none
 */
export function useFetched<T>(
  fetch: () => Promise<T>,
  failed: string,
): { state: Fetched<T>; retry(): void; refresh(): void } {
  const [turn, setTurn] = useState(0);
  const [answer, setAnswer] = useState<{ of: () => Promise<T>; state: Fetched<T> } | null>(null);
  const retry = useCallback(() => {
    setAnswer(null);
    setTurn((before) => before + 1);
  }, []);
  // Each turn fetches anew.
  useEffect(() => {
    let isShown = true;
    const settle = (state: Fetched<T>): void => {
      if (isShown) setAnswer({ of: fetch, state });
    };
    fetch().then(
      (data) => settle({ kind: 'known', data }),
      (problem: unknown) => {
        const message = messageOf(problem, failed);
        if (problem instanceof ApiError && problem.status === 404)
          return settle({ kind: 'missing', message });
        settle({ kind: 'failed', message });
        if (isShown) onceBack(() => isShown && retry());
      },
    );
    return () => {
      isShown = false;
    };
  }, [fetch, failed, turn, retry]);
  /** Fetches again; what is shown stays until then. */
  const refresh = useCallback(() => setTurn((before) => before + 1), []);
  return { state: answer?.of === fetch ? answer.state : { kind: 'loading' }, retry, refresh };
}
