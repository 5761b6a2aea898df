import type { Refusal } from '#lib/result.ts';
import { ApiError, readRefusal, refusalOf } from './client.ts';

/** @param fallback message for a failure without one @returns why a change failed, or null on success */
export async function whyNotDone(pending: Promise<unknown>, fallback: string): Promise<Refusal | null> {
  try {
    return readRefusal(await pending, fallback);
  } catch (problem) {
    return refusalOf(problem, fallback);
  }
}

/** Throws if an answer with a success status is a refusal. @throws ApiError with the answer's sentence */
export function requireDone(body: unknown, fallback: string): void {
  const refusal = readRefusal(body, fallback);
  if (refusal !== null) throw new ApiError(refusal.message, 409, { ...refusal, error: refusal.message });
}
