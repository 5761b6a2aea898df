import { ok, refuse, type Result } from '../../../lib/result.ts';

/** Control characters, those that can't be seen, and those that turn the direction of what stands after them. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

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
  if (UNSEEN.test(line) || !line.isWellFormed()) {
    return refuse(`The ${field} of an alert is one line of plain text, without control characters.`, field);
  }
  return ok(line || null);
}
