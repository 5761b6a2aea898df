import { ALERT_LOGIC, type Condition, isGroup, type Logic } from '#subjects/conditions/rules/condition.ts';
import {
  addToGroup,
  type DraftCondition,
  logicOf,
  newCondition,
  newGroup,
} from '#subjects/conditions/rules/draft.ts';
import type { Operand } from '#subjects/conditions/rules/operand.ts';
import { SCAN_QUESTIONS } from '#subjects/conditions/rules/scanFields.ts';
import type { ScanOf } from '#subjects/conditions/rules/savedScan.ts';
import type { SessionPhase } from '#market/rules/sessionClock.ts';
import { isOpeningField } from './readiness.ts';

/** The period in which an alert that can hold only before the open is on, in the words used before the open. */
export const UNTIL_OPEN = 'until the open';

/** The same at any time, as a pill or behind the word for a state. @param phase of the exchange; null while it is not known */
export const untilOpenText = (phase: SessionPhase | null): string =>
  phase === null || phase === 'pre-open' || phase === 'ospa' ? UNTIL_OPEN : 'from the next pre-open';

/** Why an alert says nothing after the open. */
export const UNTIL_OPEN_REASON =
  'It reads the opening auction, so it is not checked from the open until the next pre-open.';

const readsOpening = (operand: Operand): boolean => operand.type === 'field' && isOpeningField(operand.key);

/** Whether a condition on a scan waits for something that happens only while the scan can have stocks. */
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
 * Whether conditions can only hold before the open: one that must hold reads what only the opening auction has. Of a group
 * each must, because one of them is enough.
 */
export const isUntilOpen = ({ conditions }: Logic, scanOf: ScanOf): boolean =>
  conditions.some((member) =>
    isGroup(member) ? member.conditions.every((one) => endsAtOpen(one, scanOf)) : endsAtOpen(member, scanOf),
  );

const withLast = <Side extends Operand | null>(side: Side): Side | { type: 'field'; key: string } =>
  side?.type === 'field' && side.key === 'match_price' ? { type: 'field', key: 'last' } : side;

/** The conditions with `last`, which takes over at the open, as another way to hold beside each match price. */
function besideMatch(conditions: readonly DraftCondition[]): readonly DraftCondition[] {
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
 * Edited conditions that go on after the open: wherever they read the match price, the last price is enough as well.
 * @returns null if that does not help
 */
export function goingOn(
  conditions: readonly DraftCondition[],
  scanOf: ScanOf,
): readonly DraftCondition[] | null {
  const changed = besideMatch(conditions);
  const helps = changed.length <= ALERT_LOGIC.maxConditions && !isUntilOpen(logicOf(changed), scanOf);
  return helps && changed !== conditions ? changed : null;
}
