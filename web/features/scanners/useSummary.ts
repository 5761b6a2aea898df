import { useEffect, useRef, useState } from 'react';

/** Face: a screen reader hears of a moving table at most this often. */
export const SUMMARY_MS = 60_000;

/**
 * What a screen reader is told of a table that never stands still: a sentence as soon as there are rows to speak of,
 * then a new one a minute at most.
 * @param make writes the sentence, from what is shown at that moment; not called in between
 * @returns '' until there is something to tell
 */
export function useSummary(isLoading: boolean, make: () => string): string {
  const [summary, setSummary] = useState('');
  const latest = useRef(make);
  useEffect(() => {
    latest.current = make;
  });
  useEffect(() => {
    if (isLoading) return;
    const tell = () => setSummary(latest.current());
    tell();
    const timer = setInterval(tell, SUMMARY_MS);
    return () => clearInterval(timer);
  }, [isLoading]);
  return summary;
}
