import { AppError } from '../../../platform/http/errors.ts';
import { readText } from '../../../lib/boundedBody.ts';

export type BodyLimits = { maxBytes: number; timeoutMs: number };

/** What is left of the body would be taken for the next request. */
const CLOSE = { headers: { connection: 'close' } };

/**
 * Reads a request's body as UTF-8 text, whatever its content type says.
 * @param limits.maxBytes more of it is not read; @param limits.timeoutMs how long it may take from now on
 * @returns null when the body is larger
 * @throws AppError 400 when the connection broke before the end, 408 when the end did not come in time
 */
export async function readBody(
  { body, headers }: Request,
  { maxBytes, timeoutMs }: BodyLimits,
): Promise<string | null> {
  if (Number(headers.get('content-length') ?? 0) > maxBytes) return null;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await readText(body?.pipeThrough(new TransformStream(), { signal }) ?? null, maxBytes);
  } catch (cause) {
    if (signal.aborted) {
      const message = 'The body took too long to arrive. Send it again, in smaller pieces.';
      throw new AppError(408, message, { cause, ...CLOSE });
    }
    throw new AppError(400, 'The body broke off before its end. Send it again.', { cause });
  }
}
