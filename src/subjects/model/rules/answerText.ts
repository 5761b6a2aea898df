import { plainText } from './plainText.ts';

/** Longer answers are not looked at beyond this; nothing of it is shown anyway. */
const MAX_READ = 20_000;
const MAX_LINES = 200;

/** The beginning of a text, at a whole word, with an ellipsis where something was cut. */
function shortened(text: string, maxLength: number): string {
  const points = [...text];
  if (points.length <= maxLength) return text;
  const kept = points.slice(0, maxLength - 1).join('');
  const end = kept.search(/\s\S{0,60}$/);
  return `${(end > 0 ? kept.slice(0, end) : kept).trimEnd()}…`;
}

/**
 * What a model wrote as plain text that may be shown anywhere: as `plainText` makes it, but with its lines and paragraphs.
 * @param maxLength code points
 * @returns '' when nothing is left
 */
export function answerText(answer: string, maxLength: number): string {
  const lines = answer
    .slice(0, MAX_READ)
    .split(/\r\n|[\n\r\u2028\u2029]/, MAX_LINES)
    .map((line) => plainText(line));
  const kept = lines.filter((line, at) => line !== '' || (at > 0 && lines[at - 1] !== ''));
  return shortened(kept.join('\n').trim(), maxLength);
}
