import { useEffect, useState } from 'react';

/** Longer than the rest of the market takes to follow its first part. */
const LASTING_MS = 1500;

/** Whether something has been so for longer than the market takes to come whole, in its parts. */
export function useLasting(isNow: boolean): boolean {
  const [hasLasted, setLasted] = useState(false);
  useEffect(() => {
    if (!isNow) return;
    const timer = setTimeout(() => setLasted(true), LASTING_MS);
    return () => {
      clearTimeout(timer);
      setLasted(false);
    };
  }, [isNow]);
  return isNow && hasLasted;
}
