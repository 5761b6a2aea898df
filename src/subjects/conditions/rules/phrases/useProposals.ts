import { ok, refuse, type Result } from '#lib/result.ts';
import { type LogicKind, MAX_GROUPS } from '../condition.ts';
import { type DraftCondition, groupCount, newCondition } from '../draft.ts';
import type { Proposal } from './readPhrase.ts';

/** Whether a condition stands as a new one begins: nobody has done anything with it. */
function isUntouched({ group, lhs, op, rhs }: DraftCondition): boolean {
  const begun = newCondition([]);
  const isLast = lhs?.type === 'field' && begun.lhs?.type === 'field' && lhs.key === begun.lhs.key;
  return group === undefined && isLast && op === begun.op && rhs === null;
}

/** The conditions of a list that somebody has worked on. */
export const ownConditions = (conditions: readonly DraftCondition[]): DraftCondition[] =>
  conditions.filter((one) => !isUntouched(one));

/**
 * A list with the conditions that a person has confirmed, which stand behind those that are there already. Alternatives
 * of which one alone was confirmed stand by themselves.
 * @param kept the conditions that stay
 * @returns the list and the id of the first that came to it; or why they are too many
 */
export function withProposals(
  kept: readonly DraftCondition[],
  confirmed: readonly Proposal[],
  { noun, maxConditions }: LogicKind,
): Result<{ conditions: DraftCondition[]; first: number }> {
  const first = Math.max(-1, ...kept.map(({ id }) => id)) + 1;
  const firstGroup = Math.max(-1, ...kept.map(({ group }) => group ?? -1)) + 1;
  const added = confirmed.map(({ condition, group }, index): DraftCondition => {
    const members = confirmed.filter((one) => group !== null && one.group === group);
    const own = { id: first + index, ...condition };
    return members.length > 1 && group !== null ? { ...own, group: firstGroup + group } : own;
  });
  const conditions = [...kept, ...added];
  if (conditions.length > maxConditions) return refuse(`${noun} has at most ${maxConditions} conditions.`);
  if (groupCount(conditions) > MAX_GROUPS) return refuse(`${noun} has at most ${MAX_GROUPS} groups.`);
  return ok({ conditions, first });
}
