import { useCallback, useEffect, useState } from 'react';
import { messageOf } from '../../../../../web/api/client.ts';
import { marketEra } from '../../../../../web/live/marketEra.ts';

/** A hand that moves the slider asks only where it rests. */
const PAUSE_MS = 120;

export type DebouncedFetch<T> = {
  /** The newest answer, also while another one is on its way; null before the first. */
  data: T | null;
  /** The answer is of what is asked for now. */
  isCurrent: boolean;
  error: string | null;
  retry(): void;
};

/**
 * Asks whenever the key or the market's era is another one, and again each `everyMs`.
 * @param of what is asked for; @param ask the same function as long as the key is the same
 */
export function useDebouncedFetch<T>(
  of: string,
  ask: () => Promise<T>,
  fallback: string,
  everyMs?: number,
): DebouncedFetch<T> {
  const [answered, setAnswered] = useState<{ key: string; data: T | null; error: string | null }>({
    key: '',
    data: null,
    error: null,
  });
  const [attempt, setAttempt] = useState(0);
  const key = `${of} ${marketEra.value ?? ''}`;
  useEffect(() => {
    let isWanted = true;
    const run = async () => {
      try {
        const data = await ask();
        if (isWanted) setAnswered({ key, data, error: null });
      } catch (problem) {
        const error = messageOf(problem, fallback);
        if (isWanted) setAnswered((before) => ({ key, data: before.data, error }));
      }
    };
    const pause = setTimeout(() => void run(), PAUSE_MS);
    const again = everyMs === undefined ? undefined : setInterval(() => void run(), everyMs);
    return () => {
      isWanted = false;
      clearTimeout(pause);
      clearInterval(again);
    };
  }, [key, ask, fallback, everyMs, attempt]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  const isCurrent = answered.key === key;
  return { data: answered.data, isCurrent, error: isCurrent ? answered.error : null, retry };
}
