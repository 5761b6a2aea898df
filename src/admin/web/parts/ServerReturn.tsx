import { useCallback, useEffect, useRef, useState } from 'react';
import { type HealthAnswer, healthAnswer } from '#admin/health/answers/health.ts';
import { infoAnswer } from '#admin/server/answers/server.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { Banner } from '#ui/Banner.tsx';
import { readerOf, request } from '#web/api/client.ts';

const WORDS = {
  waiting: ADMIN_MESSAGES.waitingForServer,
  back: ADMIN_MESSAGES.backOnline,
  timedOut: ADMIN_MESSAGES.timedOut,
} as const;

/** How waiting for the server's next process stands; nothing while nobody waits. */
export function ServerReturnLine({ server }: { server: ServerReturn }) {
  const { standing, reset } = server;
  if (standing === 'idle') return null;
  return (
    <Banner
      variant={standing === 'timedOut' ? 'error' : 'info'}
      {...(standing === 'waiting' ? {} : { onDismiss: reset })}
    >
      {WORDS[standing]}
    </Banner>
  );
}

/** Which process answers; null is what it did not tell. */
export type Health = Pick<HealthAnswer, 'pid' | 'commit' | 'startedAt' | 'uptimeSec'> & {
  /** When it was asked, by `performance.now()`. */
  askedAt: number;
};

/** An uptime may be behind by so much, s: it is told in whole seconds, and an answer has its way. */
const UPTIME_TOLERANCE = 2;

function hasShorterUptime(before: Health, now: Health): boolean {
  if (before.uptimeSec === null || now.uptimeSec === null) return false;
  const expected = before.uptimeSec + (now.askedAt - before.askedAt) / 1000;
  return now.uptimeSec < expected - UPTIME_TOLERANCE;
}

/**
 * Whether another process answers than before. Any of it tells: in a container every process has the same pid, and a
 * restart keeps the commit.
 */
export const isOther = (before: Health, now: Health): boolean =>
  hasShorterUptime(before, now) ||
  (['pid', 'commit', 'startedAt'] as const).some(
    (member) => now[member] !== null && before[member] !== null && now[member] !== before[member],
  );

/** Whether an answer says nothing by which processes can be told apart. */
const isAnonymous = ({ pid, commit, startedAt, uptimeSec }: Health): boolean =>
  pid === null && commit === null && startedAt === null && uptimeSec === null;

/** Specification, section 9. */
export const POLL_MS = 1500;
const GIVE_UP_MS = 120_000;

/** What the health check says at this moment; null when nobody answers. The specification's says no more than `ok`. */
async function askHealth(): Promise<Health | null> {
  const askedAt = performance.now();
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(POLL_MS) });
    const health = response.ok ? healthAnswer.read(await response.json()) : null;
    return health && { ...health, askedAt };
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
    return {
      ...(await request('GET /api/admin/server/info', { ...fetchOptions, read: readerOf(infoAnswer) })),
      askedAt,
    };
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
   * Waits until another process answers; asking again begins again.
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
