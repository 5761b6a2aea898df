import { WAITS_FOR_VALUE } from '#market/indicators/rules/valueLimits.ts';
import { formatTime } from '#texts/format.ts';
import { expiredReason } from './expiry.ts';
import type { SessionPhase } from '#market/rules/sessionClock.ts';
import { UNTIL_OPEN_REASON, untilOpenText } from './untilOpen.ts';

/** Begins the sentence that says what of an alert is gone while the rest is still checked. */
export const PARTLY_CHECKED = 'Partly checked: ';

/** In which state an alert is, in the order in which a list shows them. */
export const ALERT_STATES = ['active', 'snoozed', 'waiting', 'problem', 'expired', 'stopped', 'off'] as const;
export type AlertStateKey = (typeof ALERT_STATES)[number];

export type AlertState = {
  key: AlertStateKey;
  /** In a few words: 'Active', 'Snoozed until 14:30'. */
  text: string;
  /** A sentence that says why; null where there is nothing more to say. */
  detail: string | null;
};

/** What decides the state of an alert on a stock, or of one on a scan. Times are ISO 8601. */
export type StatedAlert = {
  active: boolean;
  snoozed_until: string | null;
  stopped_reason: string | null;
  expires_at: string | null;
  problem: string | null;
  /** Its conditions can only hold before the open. */
  until_open: boolean;
};

const stateOfOff = ({ stopped_reason: reason, expires_at: end }: StatedAlert): AlertState => {
  if (reason === null) return { key: 'off', text: 'Off', detail: null };
  const isExpired = end !== null && reason === expiredReason(Date.parse(end));
  return isExpired
    ? { key: 'expired', text: 'Expired', detail: reason }
    : { key: 'stopped', text: 'Stopped', detail: reason };
};

/**
 * That it is not evaluated weighs more than that it says nothing until later.
 * @param phase of the exchange; null while it is not known
 */
export function alertState(alert: StatedAlert, phase: SessionPhase | null): AlertState {
  const { active, snoozed_until: until, problem, until_open: isUntilOpen } = alert;
  if (!active) return stateOfOff(alert);
  if (problem?.startsWith(WAITS_FOR_VALUE)) {
    return { key: 'waiting', text: 'Waiting for a value', detail: problem };
  }
  if (problem !== null) {
    const text = problem.startsWith(PARTLY_CHECKED) ? 'Partly checked' : 'Not checked';
    return { key: 'problem', text, detail: problem };
  }
  const detail = isUntilOpen ? UNTIL_OPEN_REASON : null;
  if (until === null) {
    return { key: 'active', text: isUntilOpen ? `Active ${untilOpenText(phase)}` : 'Active', detail };
  }
  return { key: 'snoozed', text: `Snoozed until ${formatTime(Date.parse(until))}`, detail };
}
