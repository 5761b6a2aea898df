/*
 * What other people wrote and a model reads. It is data: nothing in it may look like a part of the conversation, like
 * an end of the fence around it, or like something that a person would not see.
 */

// Control (but line breaks and tabs), format (zero-width, direction marks, tags), private, unassigned and lone surrogates.
const UNSEEN = /[^\P{C}\n\t]/gu;
// Marks by which chat templates tell roles apart: <|im_start|>, <<SYS>>, [INST], <s>.
const TEMPLATE_MARKS = /<\||\|>|<<\/?SYS>>|\[\/?INST\]|<\/?s>|<\/?think>/gi;

/**
 * A text as a model may be given it: without what is not seen, and without marks of chat templates. Its letters stay as
 * they are: in compatibility form 2½ would be 21⁄2.
 * @param maxLength characters that stay
 */
export const seenText = (text: string, maxLength: number): string =>
  text
    .slice(0, maxLength * 2)
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replace(UNSEEN, '')
    .replace(TEMPLATE_MARKS, ' ')
    .replace(/[ \t]{2,1000}/g, ' ')
    .replace(/\n{3,1000}/g, '\n\n')
    .trim()
    .slice(0, maxLength);

/**
 * A text between two lines that it can't have written, as its author does not know the mark.
 * @param mark random, made for this one request
 */
export const fenced = (text: string, mark: string): string =>
  `<document ${mark}>\n${text.replaceAll(mark, '')}\n</document ${mark}>`;
