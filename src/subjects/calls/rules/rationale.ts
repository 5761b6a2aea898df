import { ok, refuse, type Result } from '#lib/result.ts';
import { normalised } from '#lib/text.ts';

/** Code points, not UTF-16 units: an emoji is one character to anyone who types it. */
export const MAX_RATIONALE = 280;

/** Longer texts are refused before they are looked at: room for blanks, and for letters with their accents apart. */
const MAX_SENT = 10 * MAX_RATIONALE;

/** Control characters, and those that turn the direction of what stands after them. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** A rationale as it is stored: one line of plain text, trimmed. */
export const cleanRationale = (text: string): string =>
  normalised(text.toWellFormed().replace(/\s/gu, ' ').replace(UNSEEN, ''), 'NFC')
    .split(' ')
    .filter((word) => word !== '')
    .join(' ');

/** How long a rationale is, in code points. */
export const rationaleLength = (text: string): number => [...cleanRationale(text)].length;

/** Checks a rationale as it was sent; without one, or an empty one, there is none. @returns it as it is stored */
export function checkRationale(sent: unknown): Result<string | null> {
  if (sent === undefined || sent === null) return ok(null);
  if (typeof sent !== 'string') return refuse('The rationale is a text', 'rationale');
  if (sent.length > MAX_SENT || rationaleLength(sent) > MAX_RATIONALE) {
    return refuse(`Rationale may have at most ${MAX_RATIONALE} characters`, 'rationale');
  }
  return ok(cleanRationale(sent) || null);
}
