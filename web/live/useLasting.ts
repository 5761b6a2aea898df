import { useEffect, useState } from 'react';

/** Longer than the rest of the market takes to follow its first part. */
const LASTING_MS = 1500;

/** Whether something has been so for a while: unless told otherwise for longer than the market takes to come whole, in its parts. */
export function useLasting(isNow: boolean, ms = LASTING_MS): boolean {
  const [hasLasted, setLasted] = useState(false);
  useEffect(() => {
    if (!isNow) return;
    const timer = setTimeout(() => setLasted(true), ms);
    return () => {
      clearTimeout(timer);
      setLasted(false);
    };
  }, [isNow, ms]);
  return isNow && hasLasted;
}
