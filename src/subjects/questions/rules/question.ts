import { MAX_QUESTION } from '#platform/chatClients/rules/chatCommand.ts';
import { readNumber } from '#lib/read.ts';
import { ok, refuse, type Result } from '#lib/result.ts';

/** Access levels; 0 is a visitor. */
export const QUESTION_LEVELS = [0, 1, 2, 3, 4] as const;
export type QuestionLevel = (typeof QUESTION_LEVELS)[number];

const isLevel = (value: number): value is QuestionLevel => QUESTION_LEVELS.some((level) => level === value);

export function checkQuestionText(sent: unknown): Result<string> {
  const question = typeof sent === 'string' ? sent.toWellFormed().trim() : '';
  if (question === '') return refuse('Question is required', 'question');
  // A code point has at most two units, so much longer texts need not be counted.
  const isLong = question.length > 2 * MAX_QUESTION || [...question].length > MAX_QUESTION;
  return isLong ? refuse(`Question may have at most ${MAX_QUESTION} characters`, 'question') : ok(question);
}

/**
 * Checks a question in the order of the specification (section 5).
 * @param sent without `forceAccessLevel` the question is answered as `ownLevel`
 */
export function checkQuestion(
  sent: { question?: unknown; forceAccessLevel?: unknown },
  ownLevel: QuestionLevel,
): Result<{ question: string; level: QuestionLevel }> {
  const question = checkQuestionText(sent.question);
  if (!question.ok) return question;
  const forced = sent.forceAccessLevel ?? ownLevel;
  const level = readNumber(forced);
  if (level === null) return refuse('Access Level must be a valid number', 'forceAccessLevel');
  if (level < 0 || level > 4) return refuse('Access Level must be between 0 and 4', 'forceAccessLevel');
  return isLevel(level)
    ? ok({ question: question.value, level })
    : refuse('Access Level must be a valid number', 'forceAccessLevel');
}
