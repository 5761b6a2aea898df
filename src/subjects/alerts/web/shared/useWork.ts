import { useState } from 'react';
import { messageOf } from '#web/api/client.ts';

/**
 * Does one thing at a time that may fail, and holds why the last did.
 * @param fallback the sentence for a failure that gives none
 */
export function useWork(fallback: string) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** @returns whether it was done */
  const work = async (run: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setError(null);
    try {
      await run();
      return true;
    } catch (problem) {
      setError(messageOf(problem, fallback));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, work, dismiss: () => setError(null) };
}
