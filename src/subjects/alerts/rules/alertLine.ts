import { ok, refuse, type Result } from '#lib/result.ts';
import { isPlainLine } from '#lib/text.ts';

/**
 * Checks a line that a person wrote of an alert.
 * @param field of the alert, as it is called; @param most code points
 * @returns it trimmed; null where there is none
 */
export function checkLine(
  sent: unknown,
  field: 'name' | 'note' | 'group',
  most: number,
): Result<string | null> {
  if (sent === undefined || sent === null) return ok(null);
  if (typeof sent !== 'string') return refuse(`The ${field} of an alert is a text.`, field);
  const line = sent.trim();
  // Counted in code points only where that can make a difference: a huge text is not taken apart.
  if (line.length > 2 * most || [...line].length > most) {
    return refuse(`The ${field} of an alert has at most ${most} characters.`, field);
  }
  if (!isPlainLine(line)) {
    return refuse(`The ${field} of an alert is one line of plain text, without invisible characters.`, field);
  }
  return ok(line || null);
}
