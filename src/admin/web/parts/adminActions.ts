import { effect, signal } from '@preact/signals-react';
import { useEffect, useState } from 'react';
import { LACKING_SECOND_FACTOR } from '#platform/http/rules/accessLevel.ts';
import { ApiError, NETWORK_ERROR } from '#web/api/client.ts';
import { patchSettings } from '#web/shared/settings.ts';

/**
 * Takes note where a request of the panel was refused for want of two-factor login, as after somebody cleared it from
 * the command line: then the whole page says so, and none of its sections.
 */
export function noteDemand(problem: unknown): void {
  const isOne = problem instanceof ApiError && problem.status === 403;
  if (isOne && problem.field === LACKING_SECOND_FACTOR) patchSettings({ lacksSecondFactor: true });
}

/** What an action may change in the lists of other sections: the users' plans, or no more than the audit. */
export type AdminActionKind = 'plans' | 'users' | 'other';

/** How often each was done here. */
const counts = signal<Readonly<Record<AdminActionKind, number>>>({ plans: 0, users: 0, other: 0 });

/**
 * Something that an administrator does: once the server has answered, the lists of other sections that show it are
 * loaded again. Also after a refusal, as somebody else may have been quicker.
 */
export async function asAdminAction<T>(kind: AdminActionKind, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (problem) {
    noteDemand(problem);
    throw problem;
  } finally {
    counts.value = { ...counts.peek(), [kind]: counts.peek()[kind] + 1 };
  }
}

/** Loads a list again after actions of these kinds in any section. @param kinds the same array each time */
export function useAdminActions(kinds: readonly AdminActionKind[], reload: () => unknown): void {
  useEffect(() => {
    let seen = counts.peek();
    return effect(function followAdminActions() {
      const now = counts.value;
      const isNew = kinds.some((kind) => now[kind] !== seen[kind]);
      seen = now;
      // After this effect: what loads may read signals.
      if (isNew) queueMicrotask(reload);
    });
  }, [kinds, reload]);
}

/**
 * Lets the browser save the file whose one-time address an answer gives; the page stays.
 * @throws ApiError also when it gives no address on this server
 */
export async function saveDownload(pending: Promise<{ url: string }>): Promise<void> {
  const { url } = await pending;
  if (!url.startsWith('/api/')) throw new ApiError(NETWORK_ERROR, 502, url);
  const link = document.createElement('a');
  link.href = url;
  // Without it a refusal would take the place of the page.
  link.download = '';
  link.click();
}

/** What a value was when it last stayed the same for a while. @param ms how long; the first value counts at once */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
