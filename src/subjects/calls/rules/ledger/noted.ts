import { parseNumeric } from '#lib/numericInput.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import type { Head } from './line.ts';
import { lineNo } from './lineNo.ts';

/** Of a hash, at least as much as the Calls page shows. */
const MIN_HASH = 12;
const HASH = /^[0-9a-f]{12,64}$/;

/** Number and hash, pasted together into one of the two boxes. */
const TOGETHER = /^(?:line ){0,1}(\d{1,12})(?:,? hash){0,1}[\s:,·]{1,5}([0-9a-f]{12,64})$/i;

type TypedHead = { number: string; hash: string };

/** What was typed, with a head that was pasted whole put into both boxes. */
export function splitNoted(typed: TypedHead): TypedHead {
  for (const text of [typed.number, typed.hash]) {
    const [, number, hash] = TOGETHER.exec(text.trim()) ?? [];
    if (number !== undefined && hash !== undefined) return { number, hash };
  }
  return typed;
}

/** A head that somebody noted: the number of a line, and its hash or how that begins. */
export function readNoted(sent: TypedHead): Result<Head> {
  const number = parseNumeric(sent.number);
  if (number === null || !Number.isSafeInteger(number) || number < 1) {
    return refuse('Type the number of the line, 1 or more.', 'number');
  }
  const hash = sent.hash.trim().toLowerCase();
  if (!HASH.test(hash)) {
    return refuse(`Type the hash, or at least its first ${MIN_HASH} characters.`, 'hash');
  }
  return ok({ number, hash });
}

/** What today's chain says of a head that was noted; `isWell` where it contains it. */
export type NotedAnswer = { isWell: boolean; text: string };

/**
 * Compares a head that was noted with a chain that was gone through.
 *
 * @param chain how many of its lines fit, and the hash of each of them; `isWhole` when that is all of it
 */
export function compareNoted(
  { number, hash }: Head,
  chain: { checked: number; isWhole: boolean; hashOf(number: number): string | null },
): NotedAnswer {
  const today = chain.hashOf(number);
  if (today?.startsWith(hash)) {
    return {
      isWell: true,
      text: `Today’s chain contains it: nothing up to ${lineNo(number)} was changed since you noted it.`,
    };
  }
  if (today !== null) {
    const where = number === 1 ? 'Line 1' : `One of lines 1 to ${number.toLocaleString('en-AU')}`;
    return {
      isWell: false,
      text: `Today’s chain does not contain it: the hash of ${lineNo(number)} is now ${today}. ${where} was changed after you noted the head.`,
    };
  }
  if (!chain.isWhole) {
    return {
      isWell: false,
      text: `Today’s chain breaks at ${lineNo(chain.checked + 1)}, before the line that you noted.`,
    };
  }
  return {
    isWell: false,
    text: `Today’s chain ends at ${lineNo(chain.checked)}, before the line that you noted: lines are missing, as after an older backup was restored.`,
  };
}
