import type { ConnectionTable } from '#platform/http/connections.ts';

/** Bytes of an answer that is there at once, at most. */
const MAX_SMALL = 1 << 20;

/** Whether an answer is sent over a while: a file, or what the primary does not know the length of. */
function comesInPieces({ headers }: Response): boolean {
  const length = headers.get('content-length');
  return length === null || Number(length) > MAX_SMALL;
}

/**
 * An answer whose connection may be silent as long as it is under way, as only the primary knows how long that takes, and
 * has its idle timeout again when it is over.
 */
export function inPieces(
  request: Request,
  response: Response,
  { keepOpen, limitAgain }: Pick<ConnectionTable, 'keepOpen' | 'limitAgain'>,
): Response {
  if (response.body === null || !comesInPieces(response)) return response;
  keepOpen(request);
  const over = new TransformStream<Uint8Array, Uint8Array>({ flush: () => limitAgain(request) });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(over), { status, statusText, headers });
}
