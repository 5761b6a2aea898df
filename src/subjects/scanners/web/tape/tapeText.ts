import { formatDate, formatTime } from '../../../../texts/format.ts';
import { MINUTE_MS, type TapeDay, tapeHours } from '../../rules/tape/tape.ts';
import { phasesOf } from '../../../../market/rules/sessionClock.ts';

/** 'Friday 20 November'. */
export const dayText = (date: string): string => formatDate(date).replace(/ \d{4}$/, '');

/** A moment on a day's line: how far along it stands, 0 to 1, and what it is called. */
export type TrackMark = { at: number; text: string };

const PHASES: Readonly<Record<string, string>> = {
  'pre-open': 'Pre-open',
  open: 'Open',
  'pre-cspa': 'Close',
};

/** Where the phases of a day begin on its line. */
export function phaseMarks(date: string): TrackMark[] {
  const hours = tapeHours(date);
  if (!hours) return [];
  return phasesOf(date).flatMap(({ phase, since }) => {
    const name = PHASES[phase];
    if (name === undefined) return [];
    // The open is at 9:59:45: people call it ten.
    const time = formatTime(Math.ceil(since / MINUTE_MS) * MINUTE_MS);
    return [{ at: (since - hours.from) / (hours.to - hours.from), text: `${name} ${time}` }];
  });
}

/** Whether a minute was recorded, or one not much before it. */
export const isRecorded = ({ spans }: TapeDay, time: number): boolean =>
  spans.some(({ from, to }) => time >= from && time <= to + 4 * MINUTE_MS);
