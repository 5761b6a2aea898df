import { effect, signal } from '@preact/signals-react';
import { useEffect, useState } from 'react';
import { recountWaiting } from '#admin/serverAlerts/web/shared/WaitingCount.tsx';
import { LACKING_SECOND_FACTOR } from '#platform/http/rules/accessLevel.ts';
import { ApiError, NETWORK_ERROR } from '#web/api/client.ts';
import { patchSettings } from '#web/shared/settings.ts';

/** Detects refusals because two-factor login is missing, so that the whole page shows that, not each section. */
export function noteDemand(problem: unknown): void {
  const isOne = problem instanceof ApiError && problem.status === 403;
  if (isOne && problem.field === LACKING_SECOND_FACTOR) patchSettings({ lacksSecondFactor: true });
}

/** Which lists an action may change: users' plans, users, or only the audit. */
export type AdminActionKind = 'plans' | 'users' | 'other';

const counts = signal<Readonly<Record<AdminActionKind, number>>>({ plans: 0, users: 0, other: 0 });

/**
 * Wraps an action, after which other sections reload. They also reload after a refusal, because another administrator
 * may have acted.
 */
export async function asAdminAction<T>(work: Promise<T>, kind: AdminActionKind = 'other'): Promise<T> {
  try {
    return await work;
  } catch (problem) {
    noteDemand(problem);
    throw problem;
  } finally {
    counts.value = { ...counts.peek(), [kind]: counts.peek()[kind] + 1 };
    if (kind !== 'other') recountWaiting();
  }
}

/** Reloads a list after actions of these kinds. @param kinds must be stable */
export function useAdminActions(kinds: readonly AdminActionKind[], reload: () => unknown): void {
  useEffect(() => {
    let seen = counts.peek();
    return effect(function followAdminActions() {
      const now = counts.value;
      const isNew = kinds.some((kind) => now[kind] !== seen[kind]);
      seen = now;
      // Deferred until after this effect, because `reload` may read signals.
      if (isNew) queueMicrotask(reload);
    });
  }, [kinds, reload]);
}

/**
 * Downloads the file at a one-time address without leaving the page.
 * @throws ApiError, also if the address is not on this server
 */
export async function saveDownload(pending: Promise<{ url: string }>): Promise<void> {
  const { url } = await pending;
  if (!url.startsWith('/api/')) throw new ApiError(NETWORK_ERROR, 502, url);
  const link = document.createElement('a');
  link.href = url;
  // Makes it a download; otherwise a refusal would replace the page.
  link.download = '';
  link.click();
}

/** The value once it has stayed the same for `ms`; the first value applies immediately. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
