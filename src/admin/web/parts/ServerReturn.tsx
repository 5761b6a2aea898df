import { useCallback, useEffect, useRef, useState } from 'react';
import { type HealthAnswer, healthAnswer } from '#admin/health/answers/health.ts';
import { infoAnswer } from '#admin/server/answers/server.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { Banner } from '#ui/Banner.tsx';
import { ApiError, readerOf, request } from '#web/api/client.ts';
import { RefusalBanner, useSending } from '#web/shared/useSending.tsx';

const WORDS = {
  waiting: ADMIN_MESSAGES.waitingForServer,
  back: ADMIN_MESSAGES.backOnline,
  timedOut: ADMIN_MESSAGES.timedOut,
} as const;

export function ServerReturnLine({ server }: { server: ServerReturn }) {
  const { progress, reset } = server;
  if (progress === 'idle') return null;
  return (
    <Banner
      variant={progress === 'timedOut' ? 'error' : 'info'}
      {...(progress === 'waiting' ? {} : { onDismiss: reset })}
    >
      {WORDS[progress]}
    </Banner>
  );
}

/** Identifies the process that answered; null members are unknown. */
export type Health = Pick<HealthAnswer, 'pid' | 'commit' | 'startedAt' | 'uptimeSec'> & {
  /** When the request was sent, by `performance.now()`. */
  askedAt: number;
};

/** Allowance in seconds for the uptime, which is in whole seconds and takes time to arrive. */
const UPTIME_TOLERANCE = 2;

function hasShorterUptime(before: Health, now: Health): boolean {
  if (before.uptimeSec === null || now.uptimeSec === null) return false;
  const expected = before.uptimeSec + (now.askedAt - before.askedAt) / 1000;
  return now.uptimeSec < expected - UPTIME_TOLERANCE;
}

/** Any difference counts: in a container all processes have the same pid, and a restart keeps the commit. */
export const isOther = (before: Health, now: Health): boolean =>
  hasShorterUptime(before, now) ||
  (['pid', 'commit', 'startedAt'] as const).some(
    (member) => now[member] !== null && before[member] !== null && now[member] !== before[member],
  );

/** Whether an answer does not identify a process. */
const isAnonymous = ({ pid, commit, startedAt, uptimeSec }: Health): boolean =>
  pid === null && commit === null && startedAt === null && uptimeSec === null;

/** Poll interval and timeout, ms (specification, section 9). */
export const POLL_MS = 1500;
const GIVE_UP_MS = 120_000;

/** The server's health; null if it does not answer. The specification's health check only has `ok`. */
async function askHealth(): Promise<Health | null> {
  const askedAt = performance.now();
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(POLL_MS) });
    const health = response.ok ? healthAnswer.read(await response.json()) : null;
    return health && { ...health, askedAt };
  } catch {
    // There was no answer, or not from a Bellbird server.
    return null;
  }
}

/** Adds the server's information to a health check that does not identify the process. */
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
    // The health is not available now, for example between two processes; the next poll tries again.
    return health;
  }
}

export async function askProcess(): Promise<Health | null> {
  const health = await askHealth();
  return health && completed(health);
}

export type ServerReturn = {
  /** `waiting` until another process answers. */
  progress: 'idle' | 'waiting' | 'back' | 'timedOut';
  next: Health | null;
  /**
   * Waits until another process answers; calling it again restarts the wait.
   * @param before the old process, fetched before the restart
   */
  waitForNext(before: Health): void;
  reset(): void;
};

const IDLE = { progress: 'idle', next: null } as const;

/** Polls the server's health every 1.5 s for up to 120 s. The page and its inputs stay. */
export function useServerReturn(): ServerReturn {
  const [seen, setSeen] = useState<Pick<ServerReturn, 'progress' | 'next'>>(IDLE);
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
      setSeen({ progress: 'waiting', next: null });
      stopWaiting.current = pollHealth(before, (next) =>
        setSeen(next ? { progress: 'back', next } : { progress: 'timedOut', next: null }),
      );
    },
    [stop],
  );

  useEffect(() => stop, [stop]);
  return { ...seen, waitForNext, reset };
}

const SILENT = 'The server does not respond. Nothing was changed. Try again.';

/** Requests a restart and waits for the next process. @param onBack called when it answers; must be stable */
export function useRestart(onBack: () => unknown) {
  const server = useServerReturn();
  const sending = useSending();
  const { progress } = server;
  useEffect(() => {
    if (progress === 'back') void onBack();
  }, [progress, onBack]);
  return {
    ...sending,
    server,
    isBusy: sending.isBusy || progress === 'waiting',
    ask: (action: () => Promise<unknown>, fallback: string) =>
      sending.send(async () => {
        server.reset();
        const before = await askProcess();
        if (before === null) throw new ApiError(SILENT, 503, { error: SILENT });
        await action();
        server.waitForNext(before);
      }, fallback),
  };
}

export type Restarting = ReturnType<typeof useRestart>;

/** How a restart goes: a refusal, or the wait for the next process. */
export const RestartLine = ({ restarting }: { restarting: Restarting }) => (
  <>
    <RefusalBanner sending={restarting} />
    <ServerReturnLine server={restarting.server} />
  </>
);

/** @param done called with the new process, or null after the timeout @returns a function that stops polling */
function pollHealth(before: Health, done: (next: Health | null) => void): () => void {
  const expiresAt = performance.now() + GIVE_UP_MS;
  let isStopped = false;
  let wasAway = false;
  let timer = setTimeout(ask, POLL_MS);
  /** @returns the new process; null until it answers */
  async function check(): Promise<Health | null> {
    const health = await askHealth();
    wasAway ||= health === null;
    if (health === null || (wasAway && isAnonymous(health))) return health;
    const known = await completed(health);
    return isOther(before, known) ? known : null;
  }
  function ask(): void {
    const asked = performance.now();
    void check().then((next) => {
      if (isStopped) return;
      if (next) done(next);
      else if (performance.now() >= expiresAt) done(null);
      else timer = setTimeout(ask, Math.max(0, asked + POLL_MS - performance.now()));
    });
  }
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
