import { useCallback, useEffect, useRef, useState } from 'react';
import { api, unwrap } from '../../../../web/api/client.ts';
import { type Health, isAnonymous, isOther, readHealth, readServerInfo } from './readServerInfo.ts';

/** Specification, section 9. */
export const POLL_MS = 1500;
export const GIVE_UP_MS = 120_000;

/** What the health check says at this moment; null when nobody answers. The specification's says no more than `ok`. */
async function askHealth(): Promise<Health | null> {
  const askedAt = performance.now();
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(POLL_MS) });
    return response.ok ? readHealth(await response.json(), askedAt) : null;
  } catch {
    // Nobody answers, or something that is no server of ours: that is what is asked here.
    return null;
  }
}

/** A health check that tells nothing of its process, completed by what the server's information says of it. */
async function completed(health: Health): Promise<Health> {
  if (!isAnonymous(health)) return health;
  const askedAt = performance.now();
  try {
    const fetchOptions = { fetch: { cache: 'no-store', signal: AbortSignal.timeout(POLL_MS) } } as const;
    return { ...(await unwrap(api.admin.server.info.get(fetchOptions), readServerInfo)), askedAt };
  } catch {
    // It can't be asked now, between two processes for instance: the next question tells.
    return health;
  }
}

/** Which process answers at this moment; null when none does. */
export async function askProcess(): Promise<Health | null> {
  const health = await askHealth();
  return health && completed(health);
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
  /** @returns the process that came in the place of the one before; null while none did */
  async function look(): Promise<Health | null> {
    const health = await askHealth();
    wasAway ||= health === null;
    if (health === null || (wasAway && isAnonymous(health))) return health;
    const known = await completed(health);
    return isOther(before, known) ? known : null;
  }
  function ask(): void {
    const asked = performance.now();
    void look().then((next) => {
      if (isStopped) return;
      if (next) done(next);
      else if (performance.now() >= giveUpAt) done(null);
      else timer = setTimeout(ask, Math.max(0, asked + POLL_MS - performance.now()));
    });
  }
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
