import { effect, signal } from '@preact/signals-react';
import { useEffect } from 'react';

/** What a deed may change in the lists of other sections: the users' plans, or no more than the audit. */
export type DeedKind = 'plans' | 'users' | 'other';

/** How often each was done here. */
const counts = signal<Readonly<Record<DeedKind, number>>>({ plans: 0, users: 0, other: 0 });

/**
 * Something that an administrator does: once the server has answered, the lists of other sections that show it are
 * loaded again. Also after a refusal, as somebody else may have been quicker.
 */
export async function asDeed<T>(kind: DeedKind, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    counts.value = { ...counts.peek(), [kind]: counts.peek()[kind] + 1 };
  }
}

/** Loads a list again after deeds of these kinds in any section. @param kinds the same array each time */
export function useDeeds(kinds: readonly DeedKind[], reload: () => unknown): void {
  useEffect(() => {
    let seen = counts.peek();
    return effect(function followDeeds() {
      const now = counts.value;
      const isNew = kinds.some((kind) => now[kind] !== seen[kind]);
      seen = now;
      // After this effect: what loads may read signals.
      if (isNew) queueMicrotask(reload);
    });
  }, [kinds, reload]);
}
