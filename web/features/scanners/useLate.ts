import { useEffect, useState } from 'react';

/**
 * True once it has been waited for longer than this (ms); false again with the end of the waiting.
 * @param attempt another one starts the waiting anew
 */
export function useLate(isWaiting: boolean, ms: number, attempt: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLate(true), ms);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isWaiting, ms, attempt]);
  return isWaiting && isLate;
}
