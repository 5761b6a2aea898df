import { isRecord } from '../../../lib/json.ts';

/** @returns the member with the new number of its saved scan; null where it has none */
function renumbered(member: unknown, numberOf: (id: number) => number | undefined): unknown {
  if (!isRecord(member)) return member;
  const { conditions, lhs } = member;
  if (Array.isArray(conditions)) {
    const members = conditions.map((one: unknown) => renumbered(one, numberOf));
    return members.includes(null) ? null : { ...member, conditions: members };
  }
  if (!isRecord(lhs) || lhs['type'] !== 'scan') return member;
  const id = typeof lhs['id'] === 'number' ? numberOf(lhs['id']) : undefined;
  return id === undefined ? null : { ...member, lhs: { ...lhs, id } };
}

/**
 * Conditions, perhaps unchecked, whose saved scans are named by other numbers: those of a file in the place of this
 * server's, or the other way.
 * @returns null where one of their saved scans has no number
 */
export const withScanNumbers = (logic: unknown, numberOf: (id: number) => number | undefined): unknown =>
  renumbered(logic, numberOf);
