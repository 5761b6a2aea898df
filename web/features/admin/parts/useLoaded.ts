import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../shared/api/client.ts';

export type Loaded<T> = {
  /** What was loaded last; null until something was. */
  data: T | null;
  /** Why the last load failed; null when it did not. What was loaded before stays. */
  error: string | null;
  isLoading: boolean;
  reload(): Promise<void>;
  /** Puts something in the place of what was loaded, such as a change that the server confirmed. */
  set(data: T): void;
};

/**
 * Loads what a section shows, at once and again at each `reload`. When loads overlap, the one that was started last wins.
 *
 * @param load the same function as long as it loads the same; another one loads anew
 * @param fallback the sentence for a failure that gives none
 */
export function useLoaded<T>(load: () => Promise<T>, fallback: string): Loaded<T> {
  const [data, setData] = useState<T | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(true);
  const newest = useRef(0);

  const fetchOnce = useCallback(async () => {
    newest.current += 1;
    const own = newest.current;
    try {
      const loaded = await load();
      if (own !== newest.current) return;
      setData(loaded);
      setError(null);
    } catch (problem) {
      if (own !== newest.current) return;
      setError(messageOf(problem, fallback));
    }
    setLoading(false);
  }, [load, fallback]);

  const reload = useCallback(() => {
    setLoading(true);
    return fetchOnce();
  }, [fetchOnce]);

  const set = useCallback((next: T) => {
    // What is still on its way is older.
    newest.current += 1;
    setData(next);
    setError(null);
    setLoading(false);
  }, []);

  useEffect(() => {
    void fetchOnce();
    return () => {
      newest.current += 1;
    };
  }, [fetchOnce]);

  return { data, error, isLoading, reload, set };
}
