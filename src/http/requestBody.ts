import { readBytes } from '../lib/boundedBody.ts';
import { isDeeperThan, MAX_JSON_DEPTH } from '../lib/json.ts';
import { refusalResponse } from './errors.ts';
import { requestPath } from './requestPath.ts';

/** The largest body that a page sends, a table's columns, has less than half of it. */
const MAX_BYTES = 64 * 1024;

const TOO_LARGE = 'The request body is larger than the 64 KB that are allowed. Send less at once.';
const TOO_DEEP = `The request body has more than ${MAX_JSON_DEPTH} lists and objects inside each other.`;
const NOT_JSON = 'The request body is not JSON. Send JSON, with the content type application/json.';
const BROKEN = 'The request body broke off before its end. Send it again.';

/** Routes that read their body themselves, within limits of their own. */
const hasOwnLimits = (path: string): boolean => path === '/api/ingest/market';

const hasBody = ({ method, body }: Request): boolean =>
  method !== 'GET' && method !== 'HEAD' && body !== null;

/** What follows the type (`; charset=utf-8`) changes nothing: JSON is UTF-8. */
function isJson({ headers }: Request): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase() === 'application/json';
}

const tooLarge = (): Response =>
  // What was not read would otherwise be taken for the next request.
  refusalResponse(413, TOO_LARGE, { headers: { connection: 'close' } });

/**
 * Holds a request to the form and the limits of a body (JSON, size, depth) before anything else reads it. So a form
 * that another site's page sends is refused here too: it can't be JSON without that site being asked first.
 *
 * @returns a request that is safe to handle, or the 400, 413 or 415 to answer
 */
export async function limitBody(request: Request): Promise<Request | Response> {
  if (!hasBody(request) || hasOwnLimits(requestPath(request))) return request;
  if (Number(request.headers.get('content-length')) > MAX_BYTES) return tooLarge();
  let bytes: Uint8Array<ArrayBuffer> | null;
  try {
    bytes = await readBytes(request.body, MAX_BYTES);
  } catch {
    return refusalResponse(400, BROKEN, { headers: { connection: 'close' } });
  }
  if (bytes === null) return tooLarge();
  const { method, headers, signal } = request;
  if (bytes.length === 0) return new Request(request.url, { method, headers, signal });
  if (!isJson(request)) return refusalResponse(415, NOT_JSON);
  if (isDeeperThan(new TextDecoder().decode(bytes), MAX_JSON_DEPTH)) return refusalResponse(400, TOO_DEEP);
  const plain = new Headers(headers);
  // Elysia knows it only in this spelling.
  plain.set('content-type', 'application/json');
  return new Request(request.url, { method, headers: plain, signal, body: bytes });
}
