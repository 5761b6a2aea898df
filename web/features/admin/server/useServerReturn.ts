import { useCallback, useEffect, useRef, useState } from 'react';
import { type Health, isAnonymous, isOther, readHealth } from './readServerInfo.ts';

/** Specification, section 9. */
export const POLL_MS = 1500;
export const GIVE_UP_MS = 120_000;

/** Which process answers at this moment; null when none does. */
export async function askHealth(): Promise<Health | null> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(POLL_MS) });
    return response.ok ? readHealth(await response.json()) : null;
  } catch {
    // Nobody answers, or something that is no server of ours: that is what is asked here.
    return null;
  }
}

export type ServerReturn = {
  /** `waiting` until another process answers than the one before. */
  standing: 'idle' | 'waiting' | 'back' | 'timedOut';
  /** The process that came back; null before one did. */
  next: Health | null;
  /**
   * Waits until another process answers; asking anew begins anew.
   *
   * @param before the process that is about to end, asked for before it was told to
   */
  waitForNext(before: Health): void;
  /** Waits no more, and forgets what came of it. */
  reset(): void;
};

const IDLE = { standing: 'idle', next: null } as const;

/**
 * Waits for the next process of the server: asks for its health every 1.5 s, for 120 s at most. The page stays as it is,
 * with everything that is typed anywhere.
 */
export function useServerReturn(): ServerReturn {
  const [seen, setSeen] = useState<Pick<ServerReturn, 'standing' | 'next'>>(IDLE);
  const stopWaiting = useRef<(() => void) | null>(null);

  const stop = useCallback(() => {
    stopWaiting.current?.();
    stopWaiting.current = null;
  }, []);
  const reset = useCallback(() => {
    stop();
    setSeen(IDLE);
  }, [stop]);
  const waitForNext = useCallback(
    (before: Health) => {
      stop();
      setSeen({ standing: 'waiting', next: null });
      stopWaiting.current = pollHealth(before, (next) =>
        setSeen(next ? { standing: 'back', next } : { standing: 'timedOut', next: null }),
      );
    },
    [stop],
  );

  useEffect(() => stop, [stop]);
  return { ...seen, waitForNext, reset };
}

/**
 * Asks until another process answers than before.
 *
 * @param done told of that process, or null when none came in time
 * @returns stops asking
 */
function pollHealth(before: Health, done: (next: Health | null) => void): () => void {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  let isStopped = false;
  let wasAway = false;
  let timer = setTimeout(ask, POLL_MS);
  function ask(): void {
    const asked = performance.now();
    void askHealth().then((health) => {
      if (isStopped) return;
      wasAway ||= health === null;
      if (health && (isOther(before, health) || (wasAway && isAnonymous(health)))) done(health);
      else if (performance.now() >= giveUpAt) done(null);
      else timer = setTimeout(ask, Math.max(0, asked + POLL_MS - performance.now()));
    });
  }
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
