import type { FindingKind, ReviewPress } from '#subjects/alerts/rules/review/finding.ts';
import type { FindingShown } from './api.ts';

/** What the findings of a kind have in common, as their heading says it. */
export const KIND_TITLES: Readonly<Record<FindingKind, string>> = {
  left: 'Stock left the list',
  halted: 'Halted for weeks',
  broken: 'Chat or device takes nothing',
  noisy: 'Fires too often',
  double: 'Say the same',
  silent: 'Never fires',
};

/** What a button of a finding says. */
export function pressLabel(
  press: ReviewPress,
  { alerts, cooldown }: Pick<FindingShown, 'alerts' | 'cooldown'>,
): string {
  const all = alerts.length > 1 ? ` all ${alerts.length}` : '';
  switch (press) {
    case 'cooldown':
      return `Raise cooldown to ${cooldown?.to ?? 0} min`;
    case 'merge':
      return 'Merge…';
    case 'pause':
      return `Pause${all}`;
    case 'delete':
      return `Delete${all}…`;
    case 'keep':
      return 'Keep it';
  }
}

const DONE: Readonly<Record<ReviewPress, string>> = {
  cooldown: 'Cooldown raised',
  merge: 'Merged',
  pause: 'Paused',
  delete: 'Deleted',
  keep: 'Kept for 90 days',
};

/** What became of a press: 'Paused: BHP Breakout.' @param names of those with which it was done */
export function pressedText(
  press: ReviewPress,
  names: readonly string[],
  failed: readonly { called: string; reason: string }[],
): string {
  const [first, ...others] = names;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const done = first === undefined ? '' : `${DONE[press]}: ${first}${more}.`;
  const reasons = failed.map(({ called, reason }) => `${called}: ${reason}`).join(' ');
  return [done, reasons].filter((part) => part !== '').join(' ');
}
