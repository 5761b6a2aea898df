/** Printable ASCII with single spaces: nearly every text, and faster to match than Unicode classes. */
const ASCII_LINE = /^[!-~]{1,999}(?: [!-~]{1,999}){0,999}$/;

/** Anything that `plainLine` changes: repeated or outer spaces, and characters that become a space. */
const ODD = /[^\S ]|\p{Cc}|\p{Cs}|[\u2028-\u202e\u2066-\u2069]| {2}|^ | $/u;

/**
 * Outside text as one line: control characters, line breaks and direction marks become spaces. Longer text is
 * cut at a whole character, with an ellipsis.
 * @param maxLength code points, at least 1
 */
export function plainLine(text: string, maxLength: number): string {
  if (text.length <= maxLength && (ASCII_LINE.test(text) || !ODD.test(text))) return text;
  const points: string[] = [];
  for (const point of text.toWellFormed()) {
    const isSpace = /[\s\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(point);
    if (!isSpace) points.push(point);
    else if (points.length > 0 && points.at(-1) !== ' ') points.push(' ');
    if (points.length > maxLength + 1) break;
  }
  const line = points.join('').trimEnd();
  const kept = [...line];
  return kept.length <= maxLength
    ? line
    : `${kept
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`;
}
