import { useState } from 'react';
import type { Refusal } from '#lib/result.ts';
import { refusalOf } from '#web/api/client.ts';

const FAILED = 'That did not work. Try again.';

/** One request of a form at a time, and why the last was refused. */
export function useSending() {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  return {
    refusal,
    refuse: setRefusal,
    isBusy,
    /** @param then what is done with the answer */
    async send<T>(request: () => Promise<T>, then: (answer: T) => void): Promise<void> {
      if (isBusy) return;
      setBusy(true);
      try {
        const answer = await request();
        setRefusal(null);
        then(answer);
      } catch (problem) {
        setRefusal(refusalOf(problem, FAILED));
      } finally {
        setBusy(false);
      }
    },
  };
}

export type Sending = ReturnType<typeof useSending>;

/** What is said beside a box; null when it is not at fault. */
export const errorOf = ({ refusal }: Sending, field: string): string | null =>
  refusal?.field === field ? refusal.message : null;
