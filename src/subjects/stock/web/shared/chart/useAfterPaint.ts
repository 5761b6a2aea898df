import { useEffect, useState } from 'react';

/** Two frames: the drawing library draws in the first, and its picture is on the screen with the second. */
const PAINTED_MS = 60;

/** Whether what is drawn has had the time to be painted; stays true. @param isDrawn whether it has been drawn */
export function useAfterPaint(isDrawn: boolean): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    if (!isDrawn || isPainted) return;
    const timer = setTimeout(() => setPainted(true), PAINTED_MS);
    return () => clearTimeout(timer);
  }, [isDrawn, isPainted]);
  return isPainted;
}
