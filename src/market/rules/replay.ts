import { formatDate } from '#texts/format.ts';
import { phasesOf, type PhaseSpan, type SessionPhase } from './sessionClock.ts';
import { addDays, sydneyDate } from '#lib/sydneyTime.ts';

export const SIMULATED = 'Simulated';

/**
 * 'Replay of 19 January 2026', for an invented market 'Replay of 19 January 2026 (simulated)', to prevent
 * confusion with a real one.
 * @param recorded label of the recorded source
 * @param date YYYY-MM-DD
 */
export function replayLabel(recorded: string, date: string): string {
  const day = formatDate(date).replace(/^\p{L}{1,12} /u, '');
  return recorded === SIMULATED ? `Replay of ${day} (simulated)` : `Replay of ${day}`;
}

const NAMES: Readonly<Record<SessionPhase, string>> = {
  closed: 'Closed',
  'pre-open': 'Pre-Open',
  ospa: 'Opening auction',
  open: 'Open',
  'pre-cspa': 'Before the close',
  cspa: 'Closing auction',
  'post-close': 'Post close',
  adjust: 'Adjust',
};

export const phaseName = (phase: SessionPhase): string => NAMES[phase];

/**
 * Phases within a time span, clipped; closed times are skipped.
 * @param from epoch ms
 * @param until epoch ms
 */
export function phasesBetween(from: number, until: number): PhaseSpan[] {
  const found: PhaseSpan[] = [];
  const last = sydneyDate(until);
  for (let date = sydneyDate(from); date <= last; date = addDays(date, 1)) {
    for (const span of phasesOf(date)) {
      const since = Math.max(from, span.since);
      const end = Math.min(until, span.until);
      if (since < end) found.push({ phase: span.phase, since, until: end });
    }
  }
  return found;
}
