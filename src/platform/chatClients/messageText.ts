/** Added to a message if an earlier copy may have arrived. */
export const REPEAT_MARK = '(may be a repeat)';

const ELLIPSIS = '…';
const NOWHERE: ReadonlySet<number> = new Set();

/** Characters that are invisible or change the direction of text. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]{1,256}/g;

export const withoutControls = (text: string): string => text.toWellFormed().replaceAll(CONTROLS, ' ').trim();

function withBackslashes(part: string, from: number, escaped: ReadonlySet<number>): string {
  let made = '';
  for (let at = 0; at < part.length; at += 1)
    made += `${escaped.has(from + at) ? '\\' : ''}${part.charAt(at)}`;
  return made;
}

/**
 * Cuts a text to `max` UTF-16 units, with an ellipsis at its end. Never cuts inside a grapheme or an escape.
 * @param escaped UTF-16 positions of characters that need a backslash
 */
export function fitted(text: string, max: number, escaped: ReadonlySet<number> = NOWHERE): string {
  if (max < ELLIPSIS.length) return '';
  if (text.length <= max && escaped.size === 0) return text;
  let made = '';
  let cut = '';
  for (const { segment, index } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    const next = withBackslashes(segment, index, escaped);
    if (made.length + next.length > max) return cut + ELLIPSIS;
    made += next;
    if (made.length <= max - ELLIPSIS.length) cut = made;
  }
  return made;
}
