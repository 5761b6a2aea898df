import type { Refusal } from '#lib/result.ts';
import { ApiError, readRefusal, refusalOf } from './client.ts';

/**
 * What came of a change that was asked for.
 *
 * @param fallback the sentence for a failure that gives none
 * @returns why it was not done, or null when it was
 */
export async function whyNotDone(pending: Promise<unknown>, fallback: string): Promise<Refusal | null> {
  try {
    return readRefusal(await pending, fallback);
  } catch (problem) {
    return refusalOf(problem, fallback);
  }
}

/** An answer that came as a success may be a refusal all the same. @throws ApiError with its sentence */
export function requireDone(body: unknown, fallback: string): void {
  const refusal = readRefusal(body, fallback);
  if (refusal !== null) throw new ApiError(refusal.message, 409, { ...refusal, error: refusal.message });
}
