import { normalised } from '#lib/text.ts';

// Control, format (zero-width, direction marks), private, unassigned code points, and line separators.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;

/** A line without the marks that make it a heading, a quote or an item of a list. */
const withoutLineMarks = (line: string): string =>
  line
    .replace(/^\s{0,80}(?:#{1,6}\s|>{1,5}\s?|[-*+•–]\s|\d{1,2}[.)]\s)/, '')
    .replace(/^\s{0,80}(?:[-=_*]{3,200}|`{3,10}\w{0,20})\s{0,80}$/, '');

/**
 * A model's answer as one paragraph of plain text: no markup, no links, nothing that is not seen or turns the direction of
 * reading.
 * @param maxLength characters of the answer that are looked at
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
