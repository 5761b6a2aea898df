import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type Failed, type Fetch, Loader } from './loader.ts';
import { onReconnect } from './onReconnect.ts';

export type Loaded<T> = {
  /** The last result; it stays until the next one. */
  data: T | null;
  /** Whether `data` belongs to the current request. */
  isCurrent: boolean;
  /** Why the last load failed; `data` stays. */
  error: string | null;
  problem: unknown;
  isLoading: boolean;
  reload(): Promise<void>;
  /** Replaces the data, for example after a change that the server confirmed. */
  set(data: T): void;
};

type Asking = {
  /** Identifies what to load: if it changes, it loads immediately; null loads nothing. Default: the function. */
  of?: unknown;
  again?: unknown;
  /** Delay while the user types or moves, ms. */
  pauseMs?: number;
  /** Interval of repeated loads, ms. */
  everyMs?: number | undefined;
};

/**
 * Data of the server for a component: loaded on mount, on `reload`, and after a failure when the network or server
 * returns. If loads overlap, the last one wins.
 * @param fetch must be stable unless `of` is given
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

/** Repeats a load while the page is visible. @param everyMs time between two loads, ms */
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
 * `onReconnect` for a component: retries while it is mounted, unless something was loaded since.
 * @param failure null for none; a new object per failure
 */
export function useOnReconnect(failure: object | null, load: () => unknown): void {
  const latest = useRef<(() => unknown) | null>(null);
  // Always the same function, so that a load that fails right after a return is not repeated endlessly.
  const [run] = useState(() => () => latest.current?.());
  useEffect(() => {
    latest.current = failure === null ? null : load;
    if (failure !== null) onReconnect(run);
    return () => {
      latest.current = null;
    };
  }, [failure, load, run]);
}

export function useNewest<T>(value: T): RefObject<T> {
  const newest = useRef(value);
  newest.current = value;
  return newest;
}
