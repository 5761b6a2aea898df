import { useEffect, useState } from 'react';

/** What a value was when it last stayed the same for a while. @param ms how long; the first value counts at once */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
