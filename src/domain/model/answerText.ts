/** Longer answers are not looked at beyond this; nothing of it is shown anyway. */
const MAX_READ = 20_000;

/** Control characters but the line break, and those that are not seen or turn the direction of what stands after them. */
const UNSEEN = /(?!\n)[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Mark-up that models write although they are asked not to; as plain text it would be noise. */
const LINK = /!?\[([^\]\n]{0,300})\]\([^)\s]{0,2000}\)/g;
const HEADING = /^[ ]{0,3}#{1,6} {1,9}/gm;
const FENCE = /^[ ]{0,3}```[^\n]{0,40}$/gm;
const EMPHASIS = /\*\*|__|`/g;

/** Addresses: a chat makes a link of them, and who wrote the document may have put them there. */
const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"']{1,2000}/gi;

/** The beginning of a text, at a whole word, with an ellipsis where something was cut. */
function shortened(text: string, maxLength: number): string {
  const points = [...text];
  if (points.length <= maxLength) return text;
  const kept = points.slice(0, maxLength - 1).join('');
  const end = kept.search(/\s\S{0,60}$/);
  return `${(end > 0 ? kept.slice(0, end) : kept).trimEnd()}…`;
}

/**
 * What a model wrote as plain text that may be shown anywhere: without mark-up, addresses and characters that are not
 * seen; paragraphs are kept.
 * @param maxLength code points
 * @returns '' when nothing is left
 */
export function cleanAnswer(text: string, maxLength: number): string {
  const lines = text
    .slice(0, MAX_READ)
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\t\u2028\u2029]/g, ' ')
    .replaceAll(UNSEEN, '')
    .replaceAll(LINK, '$1')
    .replaceAll(ADDRESS, '(link removed)')
    .replaceAll(FENCE, '')
    .replaceAll(HEADING, '')
    .replaceAll(EMPHASIS, '')
    .normalize('NFC')
    .split('\n')
    .map((line) => line.trimEnd());
  const kept = lines.filter((line, at) => line !== '' || (at > 0 && lines[at - 1] !== ''));
  return shortened(kept.join('\n').trim(), maxLength);
}
