import { useEffect, useRef, useState } from 'react';

/** A table that changes every second is summed up at most this often. */
export const SUMMARY_INTERVAL_MS = 60_000;

/**
 * The text of a live region about a table that changes all the time: the first as soon as the table has loaded, then
 * one a minute, and at once when the person chose something else.
 * @param chosen another text when something else was chosen to be shown, or when the table became empty
 * @param make writes the text from what is shown at that moment; called only when a new one is due
 * @returns '' while the table is loading
 */
export function useScreenReaderSummary(isLoading: boolean, chosen: string, make: () => string): string {
  const [summary, setSummary] = useState('');
  const latest = useRef(make);
  useEffect(() => {
    latest.current = make;
  });
  useEffect(() => {
    if (isLoading) return;
    const update = () => setSummary(latest.current());
    update();
    const timer = setInterval(update, SUMMARY_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isLoading, chosen]);
  return summary;
}
