import { effect, signal } from '@preact/signals-react';
import { useEffect } from 'react';
import { noteDemand } from './secondFactorDemand.ts';

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
