import { readBytes } from '../lib/boundedBody.ts';
import { isDeeperThan, MAX_JSON_DEPTH } from '../lib/json.ts';
import { refusalResponse } from './errors.ts';

const MAX_BYTES = 1024 * 1024;

const TOO_LARGE = 'The request body is larger than the 1 MB that are allowed. Send less at once.';
const TOO_DEEP = `The request body has more than ${MAX_JSON_DEPTH} lists and objects inside each other.`;
const BROKEN = 'The request body broke off before its end. Send it again.';

/** Routes that read their body themselves, within limits of their own. */
const hasOwnLimits = (path: string): boolean => path === '/api/ingest/market';

const hasBody = ({ method, body }: Request): boolean =>
  method !== 'GET' && method !== 'HEAD' && body !== null;

/** Values of a form are texts; everything else is read as JSON or not at all. */
const isForm = (request: Request): boolean =>
  /^(?:multipart\/|application\/x-www-form)/i.test(request.headers.get('content-type') ?? '');

const tooLarge = (): Response =>
  // What was not read would otherwise be taken for the next request.
  refusalResponse(413, TOO_LARGE, { headers: { connection: 'close' } });

/**
 * Holds a request to the limits of its body, size and depth, before anything else reads it.
 *
 * @returns a request that is safe to handle, or the 413 or 400 to answer
 */
export async function limitBody(request: Request): Promise<Request | Response> {
  if (!hasBody(request) || hasOwnLimits(URL.parse(request.url)?.pathname ?? '')) return request;
  if (Number(request.headers.get('content-length')) > MAX_BYTES) return tooLarge();
  let bytes: Uint8Array<ArrayBuffer> | null;
  try {
    bytes = await readBytes(request.body, MAX_BYTES);
  } catch {
    return refusalResponse(400, BROKEN, { headers: { connection: 'close' } });
  }
  if (bytes === null) return tooLarge();
  if (!isForm(request) && isDeeperThan(new TextDecoder().decode(bytes), MAX_JSON_DEPTH)) {
    return refusalResponse(400, TOO_DEEP);
  }
  const { method, headers, signal } = request;
  return new Request(request.url, { method, headers, signal, body: bytes });
}
