import { expiredReason } from './expiry.ts';
import { WAITS_FOR_VALUE } from '#market/indicators/rules/valueLimits.ts';
import type { SessionPhase } from '#market/rules/sessionClock.ts';
import { ALERT_LOGIC, type Condition, isGroup, type Logic } from '#subjects/conditions/rules/condition.ts';
import {
  addToGroup,
  type DraftCondition,
  logicOf,
  newCondition,
  newGroup,
} from '#subjects/conditions/rules/draft.ts';
import type { Operand } from '#subjects/conditions/rules/operand.ts';
import type { ScanOf } from '#subjects/conditions/rules/savedScan.ts';
import { SCAN_QUESTIONS } from '#subjects/conditions/rules/scanFields.ts';
import { formatTime } from '#texts/format.ts';
import { isOpeningField } from './readiness.ts';

/** States when an alert works whose conditions can only hold before the open. */
export const UNTIL_OPEN = 'until the open';

/** As `UNTIL_OPEN`, for the current time of day. @param phase null if unknown */
export const untilOpenText = (phase: SessionPhase | null): string =>
  phase === null || phase === 'pre-open' || phase === 'ospa' ? UNTIL_OPEN : 'from the next pre-open';

export const UNTIL_OPEN_REASON =
  'It uses the opening auction, so it is not checked from the open until the next pre-open.';

const readsOpening = (operand: Operand): boolean => operand.type === 'field' && isOpeningField(operand.key);

/** Whether a condition on a scan needs the scan to contain stocks. */
const asksForMembers = ({ op }: Condition): boolean =>
  SCAN_QUESTIONS.some((question) => question.op === op && question.id !== 'out');

function endsAtOpen(condition: Condition, scanOf: ScanOf): boolean {
  const { lhs, rhs } = condition;
  if (readsOpening(lhs) || readsOpening(rhs)) return true;
  if (lhs.type === 'field') return lhs.key === 'in_pre_market' && asksForMembers(condition);
  if (lhs.type !== 'scan' || !asksForMembers(condition)) return false;
  const scan = scanOf(lhs.id);
  return scan !== null && isUntilOpen(scan.logic, scanOf);
}

/**
 * Whether conditions can only hold before the open: at least one of them reads the opening auction, or a group in which
 * every condition does.
 */
export const isUntilOpen = ({ conditions }: Logic, scanOf: ScanOf): boolean =>
  conditions.some((member) =>
    isGroup(member) ? member.conditions.every((one) => endsAtOpen(one, scanOf)) : endsAtOpen(member, scanOf),
  );

const withLast = <Side extends Operand | null>(side: Side): Side | { type: 'field'; key: string } =>
  side?.type === 'field' && side.key === 'match_price' ? { type: 'field', key: 'last' } : side;

/** Adds an alternative with `last` to each condition that reads the match price. */
function withoutMatch(conditions: readonly DraftCondition[]): readonly DraftCondition[] {
  let all = conditions;
  for (const condition of conditions) {
    const twin = { lhs: withLast(condition.lhs), op: condition.op, rhs: withLast(condition.rhs) };
    if (twin.lhs === condition.lhs && twin.rhs === condition.rhs) continue;
    const group = condition.group ?? newGroup(all).group ?? 0;
    all = all.map((one) => (one.id === condition.id ? { ...one, group } : one));
    all = addToGroup(all, group, { ...newCondition(all), ...twin });
  }
  return all;
}

/**
 * Lets edited conditions hold after the open too: the last price becomes an alternative to the match price.
 * @returns null if that does not help
 */
export function goingOn(
  conditions: readonly DraftCondition[],
  scanOf: ScanOf,
): readonly DraftCondition[] | null {
  const changed = withoutMatch(conditions);
  const helps = changed.length <= ALERT_LOGIC.maxConditions && !isUntilOpen(logicOf(changed), scanOf);
  return helps && changed !== conditions ? changed : null;
}

/** Prefix of a problem that affects only some conditions. */
export const PARTLY_CHECKED = 'Partly checked: ';

export const ALERT_STATES = ['active', 'snoozed', 'waiting', 'problem', 'expired', 'stopped', 'off'] as const;
type AlertStateKey = (typeof ALERT_STATES)[number];

export type AlertState = {
  key: AlertStateKey;
  /** A short label: 'Active', 'Snoozed until 14:30'. */
  text: string;
  detail: string | null;
};

/** Members of an alert that decide its state. Times are ISO 8601. */
type StatedAlert = {
  active: boolean;
  snoozed_until: string | null;
  stopped_reason: string | null;
  expires_at: string | null;
  problem: string | null;
  /** True if the conditions can only hold before the open. */
  until_open: boolean;
};

const stateOfOff = ({ stopped_reason: reason, expires_at: end }: StatedAlert): AlertState => {
  if (reason === null) return { key: 'off', text: 'Off', detail: null };
  const isExpired = end !== null && reason === expiredReason(Date.parse(end));
  return isExpired
    ? { key: 'expired', text: 'Expired', detail: reason }
    : { key: 'stopped', text: 'Stopped', detail: reason };
};

/** The state to show; a problem has priority over a snooze. @param phase null if unknown */
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
