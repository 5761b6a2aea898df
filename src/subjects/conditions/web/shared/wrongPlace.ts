import type { DraftBlock } from '../../rules/draft.ts';
import type { Side } from './ConditionRow.tsx';

/** The condition and the side that the server refused. */
export type WrongPlace = { id: number; side: Side };

/**
 * The side that a field of the saved logic names.
 * @param field e.g. 'logic.conditions[1].rhs.tf', 'logic.conditions[1].conditions[0].lhs'; null names none
 * @param blocks as they were sent
 */
export function wrongPlace(field: string | null, blocks: readonly DraftBlock[]): WrongPlace | null {
  const [, at = '', inGroup = '0', side] =
    /^logic\.conditions\[(\d{1,4})\](?:\.conditions\[(\d{1,4})\])?\.(lhs|rhs)\b/.exec(field ?? '') ?? [];
  const condition = blocks[Number(at)]?.conditions[Number(inGroup)];
  return condition && (side === 'lhs' || side === 'rhs') ? { id: condition.id, side } : null;
}
