import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, api, messageOf, unwrap } from '../../../../../../web/api/client.ts';
import { useOnReconnect } from '../../../../../../web/shared/useOnReconnect.ts';
import { followChanges } from '../followChanges.ts';
import { readTriggerPage, type TriggerPage } from './readTriggerList.ts';
import { withNewest, withOlder } from './triggerPages.ts';

const FAILED = 'Failed to load triggers';

const fetchPage = (before?: string): Promise<TriggerPage> =>
  unwrap(api.alerts.triggers.get({ query: before === undefined ? {} : { before } }), readTriggerPage);

/**
 * What all alerts told, the newest first; what fires comes on top by itself. What was loaded stays when a later load fails.
 */
export function useTriggers() {
  const [list, setList] = useState<TriggerPage | null>(null);
  const [failure, setFailure] = useState<{ message: string } | null>(null);
  /** A server that knows only what the specification names has no such list. */
  const [isOffered, setOffered] = useState(true);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const newest = useRef(0);
  const fail = useCallback((problem: unknown) => setFailure({ message: messageOf(problem, FAILED) }), []);
  const load = useCallback((): Promise<void> => {
    newest.current += 1;
    const own = newest.current;
    return fetchPage().then(
      (page) => {
        if (own !== newest.current) return;
        setList((before) => withNewest(before, page));
        setFailure(null);
      },
      (problem: unknown) => {
        if (own !== newest.current) return;
        if (problem instanceof ApiError && problem.status === 404) setOffered(false);
        else fail(problem);
      },
    );
  }, [fail]);
  useEffect(() => {
    void load();
    const stop = followChanges(() => void load());
    return () => {
      stop();
      newest.current += 1;
    };
  }, [load]);
  useOnReconnect(failure, load);
  const next = list?.next ?? null;
  const more = useCallback(async (): Promise<void> => {
    if (next === null) return;
    setLoadingMore(true);
    try {
      const older = await fetchPage(next);
      // Where the list began anew meanwhile this is no longer what follows.
      setList((before) => (before?.next === next ? withOlder(before, older) : before));
      setFailure(null);
    } catch (problem) {
      fail(problem);
    }
    setLoadingMore(false);
  }, [next, fail]);
  return { list, error: failure?.message ?? null, isOffered, isLoadingMore, load, more };
}
