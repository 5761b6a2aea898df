import { AppError } from '../../http/errors.ts';
import { readText } from '../../lib/boundedBody.ts';

/**
 * Reads a request's body as UTF-8 text, whatever its content type says.
 * @param limit most bytes; more of it is not read
 * @returns null when the body is larger
 * @throws AppError 400 when the connection broke before the end
 */
export async function readBody(request: Request, limit: number): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return null;
  try {
    return await readText(request.body, limit);
  } catch (cause) {
    throw new AppError(400, 'The body broke off before its end. Send it again.', { cause });
  }
}
