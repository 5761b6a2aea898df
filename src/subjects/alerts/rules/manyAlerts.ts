/** The last five are for alerts that need attention. `lower` undoes `raise`, and `restore` undoes `dismiss`. */
export type BulkAction =
  | 'on'
  | 'off'
  | 'snooze'
  | 'group'
  | 'delete'
  | 'raise'
  | 'lower'
  | 'merge'
  | 'dismiss'
  | 'restore';

const DONE: Readonly<Record<BulkAction, string>> = {
  on: 'switched on',
  off: 'switched off',
  snooze: 'snoozed for an hour',
  group: 'filed',
  delete: 'deleted',
  raise: 'given a longer cooldown',
  lower: 'reset to the previous cooldown',
  merge: 'merged',
  dismiss: 'dismissed for 90 days',
  restore: 'shown again',
};

/** @property called the alert's name in the list @property reason a sentence */
export type FailedAlert = { called: string; reason: string };

const MAX_NAMED = 3;

/** 'BHP Breakout, CBA and 3 more'. @param most how many names are listed */
export function namedFew(names: readonly string[], most = MAX_NAMED): string {
  const rest = names.length - most;
  if (rest > 0) return `${names.slice(0, most).join(', ')} and ${rest} more`;
  const [last = '', ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}

/** Lists all names: 'Telegram, Discord and all devices'. */
export const namedAll = (names: readonly string[]): string => namedFew(names, names.length);

export const alertCount = (count: number): string => (count === 1 ? '1 alert' : `${count} alerts`);

/** Groups alerts by reason: 'BHP and CBA: Failed to save alert. XRO: …' */
function reasonsText(failed: readonly FailedAlert[]): string {
  const byReason = new Map<string, string[]>();
  for (const { called, reason } of failed) byReason.set(reason, [...(byReason.get(reason) ?? []), called]);
  return [...byReason]
    .map(([reason, names]) => `${namedFew(names)}: ${reason.endsWith('.') ? reason : `${reason}.`}`)
    .join(' ');
}

/** '5 switched off.', '3 of 5 switched off. 2 could not be: BHP and CBA: …'. @param total alerts in the action */
export function outcomeText(action: BulkAction, total: number, failed: readonly FailedAlert[]): string {
  const done = total - failed.length;
  if (failed.length === 0) return `${alertCount(total)} ${DONE[action]}.`;
  const part = done === 0 ? `None of ${total}` : `${done} of ${total}`;
  return `${part} ${DONE[action]}. ${failed.length} failed: ${reasonsText(failed)}`;
}
