import { formatDate } from '#texts/format.ts';

/** What a market is called whose prices are invented. */
export const SIMULATED = 'Simulated';

/**
 * What a recording that is played is called: 'Replay of 19 January 2026', and of an invented market
 * 'Replay of 19 January 2026 (simulated)', so that it looks like a real one nowhere.
 *
 * @param recorded the label of the source that was recorded @param date YYYY-MM-DD
 */
export function replayLabel(recorded: string, date: string): string {
  // Without the day of the week.
  const day = formatDate(date).replace(/^\p{L}{1,12} /u, '');
  return recorded === SIMULATED ? `Replay of ${day} (simulated)` : `Replay of ${day}`;
}
