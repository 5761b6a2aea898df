import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../api/client.ts';
import { useOnReconnect } from './useOnReconnect.ts';

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

type State<T> = Pick<Loaded<T>, 'data' | 'error' | 'isLoading'>;

/**
 * Loads what a section shows, at once, again at each `reload`, and after a failure when the network or the server is back.
 * When loads overlap, the one that was started last wins.
 *
 * @param load the same function as long as it loads the same; another one loads anew
 * @param fallback the sentence for a failure that gives none
 */
export function useLoaded<T>(load: () => Promise<T>, fallback: string): Loaded<T> {
  const [state, setState] = useState<State<T>>({ data: null, error: null, isLoading: true });
  const newest = useRef(0);

  const start = useCallback((): Promise<void> => {
    newest.current += 1;
    const own = newest.current;
    const settle = (change: (before: State<T>) => State<T>): void => {
      if (own === newest.current) setState(change);
    };
    return load().then(
      (data) => settle(() => ({ data, error: null, isLoading: false })),
      (problem: unknown) =>
        settle(({ data }) => ({ data, error: messageOf(problem, fallback), isLoading: false })),
    );
  }, [load, fallback]);

  const reload = useCallback((): Promise<void> => {
    setState((before) => ({ ...before, isLoading: true }));
    return start();
  }, [start]);

  useOnReconnect(state.error === null ? null : state, start);

  const set = useCallback((data: T): void => {
    // What is still on its way is older.
    newest.current += 1;
    setState({ data, error: null, isLoading: false });
  }, []);

  useEffect(() => {
    void start();
    return () => {
      newest.current += 1;
    };
  }, [start]);

  return { ...state, reload, set };
}
