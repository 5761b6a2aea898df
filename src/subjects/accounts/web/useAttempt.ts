import { useState } from 'react';
import type { Refusal, Result } from '#lib/result.ts';

export type Attempt = {
  /** Why the last attempt was refused, by a rule of the form or by the server; null when it was not. */
  refusal: Refusal | null;
  isBusy: boolean;
  /**
   * Asks the server, when what was typed is as it must be.
   * @param request gets what was checked; gives the server's refusal, or null
   */
  attempt<T>(checked: Result<T>, request: (input: T) => Promise<Refusal | null>): Promise<void>;
};

/** A form's way to the server: one attempt at a time, and what became of the last. */
export function useAttempt(): Attempt {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  return {
    refusal,
    isBusy,
    attempt: async (checked, request) => {
      setRefusal(checked.ok ? null : checked.error);
      if (!checked.ok) return;
      setBusy(true);
      const refused = await request(checked.value);
      // After a success another screen stands here; setting state then does nothing.
      setRefusal(refused);
      setBusy(false);
    },
  };
}
