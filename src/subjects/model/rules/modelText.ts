import { normalised } from '#lib/unicode.ts';

// Control, format (zero-width, direction marks), private and unassigned code points, and lone surrogates.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;

const withoutLineMarks = (line: string): string =>
  line
    .replace(/^\s{0,80}(?:#{1,6}\s|>{1,5}\s?|[-*+•–]\s|\d{1,2}[.)]\s)/, '')
    .replace(/^\s{0,80}(?:[-=_*]{3,200}|`{3,10}\w{0,20})\s{0,80}$/, '');

/**
 * A model's answer as one paragraph of plain text, without markup, links and invisible characters.
 * @param maxLength number of characters of the answer that are read
 */
export const plainText = (answer: string, maxLength = 8000): string =>
  normalised(answer.slice(0, maxLength), 'NFC')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(withoutLineMarks)
    .join('\n')
    .replace(/!?\[([^\][\n]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/<\/?[a-z][^<>]{0,300}>/gi, ' ')
    .replace(/\b(?:https?:\/\/|www\.)[^\s<>"')\]]{1,500}/gi, ' ')
    .replace(/(\*{1,3}|_{2,3}|~~|`{1,3})(?=\S)([^\n*_~`]{1,500})\1/g, '$2')
    .replace(/[*`]{1,3}|__|~~|\|/g, ' ')
    .replace(/\s/g, ' ')
    .replace(UNSEEN, '')
    .replace(/ {2,1000}/g, ' ')
    .replace(/ ([.,;:])/g, '$1')
    .trim();

/* Texts of other authors that a model reads as data. Nothing in them may look like part of the conversation or the
   end of the fence, or be invisible to a reader. */

// Control characters except line breaks and tabs; format characters (zero-width, direction marks, tags); private and
// unassigned code points; lone surrogates.
const CONTROL_EXCEPT_BREAKS = /[^\P{C}\n\t]/gu;
// Role marks of chat templates: <|im_start|>, <<SYS>>, [INST], <s>.
const TEMPLATE_MARKS = /<\||\|>|<<\/?SYS>>|\[\/?INST\]|<\/?s>|<\/?think>/gi;

/**
 * Removes invisible characters and chat-template marks. It does not normalise, because 2½ would become 21⁄2.
 * @param maxLength maximum length of the result
 */
export const seenText = (text: string, maxLength: number): string =>
  text
    .slice(0, maxLength * 2)
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replace(CONTROL_EXCEPT_BREAKS, '')
    .replace(TEMPLATE_MARKS, ' ')
    .replace(/[ \t]{2,1000}/g, ' ')
    .replace(/\n{3,1000}/g, '\n\n')
    .trim()
    .slice(0, maxLength);

/** Puts a text between two lines that its author cannot forge. @param mark random text made for this request */
export const fenced = (text: string, mark: string): string =>
  `<document ${mark}>\n${text.replaceAll(mark, '')}\n</document ${mark}>`;

/** Characters of an answer that are read; the rest is not shown. */
const MAX_READ = 20_000;
const MAX_LINES = 200;

function shortened(text: string, maxLength: number): string {
  const points = [...text];
  if (points.length <= maxLength) return text;
  const kept = points.slice(0, maxLength - 1).join('');
  const end = kept.search(/\s\S{0,60}$/);
  return `${(end > 0 ? kept.slice(0, end) : kept).trimEnd()}…`;
}

/** Like `plainText`, but keeps lines and paragraphs. @param maxLength code points */
export function answerText(answer: string, maxLength: number): string {
  const lines = answer
    .slice(0, MAX_READ)
    .split(/\r\n|[\n\r\u2028\u2029]/, MAX_LINES)
    .map((line) => plainText(line));
  const kept = lines.filter((line, at) => line !== '' || (at > 0 && lines[at - 1] !== ''));
  return shortened(kept.join('\n').trim(), maxLength);
}
