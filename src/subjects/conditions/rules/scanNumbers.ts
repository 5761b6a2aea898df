import { isRecord } from '#lib/json.ts';

/**
 * Conditions, perhaps unchecked, whose saved scans are named by other numbers: those of a file in the place of this
 * server's, or the other way.
 * @returns null where one of their saved scans has no number
 */
export function withScanNumbers(logic: unknown, numberOf: (id: number) => number | undefined): unknown {
  if (!isRecord(logic)) return logic;
  const { conditions, lhs } = logic;
  if (Array.isArray(conditions)) {
    const members = conditions.map((one: unknown) => withScanNumbers(one, numberOf));
    return members.includes(null) ? null : { ...logic, conditions: members };
  }
  if (!isRecord(lhs) || lhs['type'] !== 'scan') return logic;
  const id = typeof lhs['id'] === 'number' ? numberOf(lhs['id']) : undefined;
  return id === undefined ? null : { ...logic, lhs: { ...lhs, id } };
}
