import { useState } from 'react';

export type Attempt = {
  /** The sentence to show; null when nothing went wrong. */
  error: string | null;
  isBusy: boolean;
  /**
   * Checks what was typed, then asks the server.
   * @param problem what is wrong with the input; nothing is asked then
   * @param request gives the sentence of a refusal, or null
   */
  attempt(problem: string | null, request: () => Promise<string | null>): Promise<void>;
};

/** A form's way to the server: one attempt at a time, and what became of the last. */
export function useAttempt(): Attempt {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  return {
    error,
    isBusy,
    attempt: async (problem, request) => {
      setError(problem);
      if (problem !== null) return;
      setBusy(true);
      const refusal = await request();
      // After a success another screen stands here; setting state then does nothing.
      setError(refusal);
      setBusy(false);
    },
  };
}
