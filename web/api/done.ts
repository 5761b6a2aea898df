import type { Refusal } from '#lib/result.ts';
import { ApiError, readRefusal, refusalOf } from './client.ts';

/** @param fallback the sentence for a failure without one @returns why a change failed, or null on success */
export async function whyNotDone(pending: Promise<unknown>, fallback: string): Promise<Refusal | null> {
  try {
    return readRefusal(await pending, fallback);
  } catch (problem) {
    return refusalOf(problem, fallback);
  }
}

/** An answer with a success status may still be a refusal. @throws ApiError with its sentence */
export function requireDone(body: unknown, fallback: string): void {
  const refusal = readRefusal(body, fallback);
  if (refusal !== null) throw new ApiError(refusal.message, 409, { ...refusal, error: refusal.message });
}
