import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type Failed, type Fetch, Loader } from './loader.ts';
import { onReconnect } from './onReconnect.ts';

export type Loaded<T> = {
  /** What was loaded last; null until something was. It stays until the next answer. */
  data: T | null;
  /** Whether `data` is of what is asked for now. */
  isCurrent: boolean;
  /** Why the last load failed; null when it did not. What was loaded before stays. */
  error: string | null;
  /** What failed then; null when nothing did. */
  problem: unknown;
  isLoading: boolean;
  reload(): Promise<void>;
  /** Puts something in the place of what was loaded, such as a change that the server confirmed. */
  set(data: T): void;
};

type Asking = {
  /** What is asked for: another one is asked for at once, null not at all. Left out, it is the function. */
  of?: unknown;
  /** Another one asks for the same again. */
  again?: unknown;
  /** Waits for a hand that goes on typing or moving, ms. */
  pauseMs?: number;
  /** Asks for the same again and again, ms. */
  everyMs?: number | undefined;
};

/**
 * What a component shows of the server: loaded at once, at each `reload`, and after a failure when the network or the server
 * is back. When loads overlap, the one that was started last wins.
 *
 * @param fetch without `of` the same function as long as it fetches the same
 */
export function useLoaded<T>(
  fetch: Fetch<T>,
  failed: Failed,
  { of = fetch, again, pauseMs = 0, everyMs }: Asking = {},
): Loaded<T> {
  const newest = useRef(fetch);
  const [loader] = useState(() => new Loader<T>((signal) => newest.current(signal), failed));
  const reload = useCallback(() => loader.load(of), [loader, of]);
  useEffect(() => {
    newest.current = fetch;
  });
  useEffect(() => {
    if (of === null) return;
    const pause = pauseMs === 0 ? void reload() : setTimeout(() => void reload(), pauseMs);
    const repeat = everyMs === undefined ? undefined : setInterval(() => void reload(), everyMs);
    return () => {
      clearTimeout(pause ?? undefined);
      clearInterval(repeat);
      loader.stop();
    };
  }, [loader, reload, of, again, pauseMs, everyMs]);

  const state = loader.state.value;
  const isAsked = state.asked === of;
  return {
    data: state.data,
    isCurrent: state.data !== null && state.of === of,
    error: isAsked ? state.error : null,
    problem: isAsked ? state.problem : null,
    isLoading: of !== null && (state.isLoading || !isAsked),
    reload,
    set: loader.set,
  };
}

/**
 * Loads again and again while something goes on, as long as the page is in sight.
 *
 * @param isOn whether it goes on
 * @param everyMs ms between two loads
 */
export function useReloads(isOn: boolean, reload: () => unknown, everyMs: number): void {
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [isOn, reload, everyMs]);
}

/**
 * `onReconnect` for a component: what it could not load is loaded when the network or the server is back, as long as it is
 * shown and has not been loaded since.
 *
 * @param failure null while nothing failed; another object for each failure
 */
export function useOnReconnect(failure: object | null, load: () => unknown): void {
  const latest = useRef<(() => unknown) | null>(null);
  // The same function each time: a load that fails again right after a return is not tried again and again.
  const [run] = useState(() => () => latest.current?.());
  useEffect(() => {
    latest.current = failure === null ? null : load;
    if (failure !== null) onReconnect(run);
    return () => {
      latest.current = null;
    };
  }, [failure, load, run]);
}

/** What was rendered last, for what runs later. */
export function useNewest<T>(value: T): RefObject<T> {
  const newest = useRef(value);
  newest.current = value;
  return newest;
}
