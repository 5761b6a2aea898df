import { readBytes } from '#lib/http.ts';
import { jsonExcess, MAX_JSON_DEPTH } from '#lib/json.ts';
import { refusalResponse, requestPath } from './errors.ts';
import { withoutEndSlashes } from '#lib/text.ts';

/** The largest body that a page sends, a table's columns, has less than half of it. */
export const MAX_KB = 64;
/** What anybody may send without an account; a name and a password are a few hundred bytes. */
const MAX_KB_OF_VISITORS = 4;
const OF_VISITORS = new Set(['/api/login', '/api/register']);

/** The largest list of columns has some 1,700. Each member of another name costs the parser and the checks a microsecond. */
const MAX_VALUES = 2000;

const TOO_MANY = `The request body has more than the ${MAX_VALUES} values that are allowed. Send less at once.`;
const TOO_DEEP = `The request body has more than ${MAX_JSON_DEPTH} lists and objects inside each other.`;
const NOT_JSON = 'The request body is not JSON. Send JSON, with the content type application/json.';
const BROKEN = 'The request body broke off before its end. Send it again.';

/** The bridge of a market, which has limits of its own, for its body and for how much it sends. */
export const isIngest = (request: Request): boolean => requestPath(request) === '/api/ingest/market';

/** Files, which are read only once it is known who sends them, within limits of their own. */
const FILE_ROUTES = new Set(['/api/settings/transfer', '/api/settings/transfer/preview']);

/** Pieces of a file, which are read only by who knows that they may be sent. No form of another site's page has this type. */
const RAW_ROUTE = '/api/setup/restore/piece';
const RAW_TYPE = 'application/octet-stream';

const hasBody = ({ method, body }: Request): boolean =>
  method !== 'GET' && method !== 'HEAD' && body !== null;

/** What follows the type (`; charset=utf-8`) changes nothing: JSON is UTF-8. */
function isJson({ headers }: Request): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase() === 'application/json';
}

const tooLarge = (maxKb: number): Response =>
  refusalResponse(
    413,
    `The request body is larger than the ${maxKb} KB that are allowed. Send less at once.`,
    {
      // What was not read would otherwise be taken for the next request.
      headers: { connection: 'close' },
    },
  );

/** The refusal of a body in which there is too much; null when there is not. */
function excess(text: string): Response | null {
  const found = jsonExcess(text, { maxDepth: MAX_JSON_DEPTH, maxCommas: MAX_VALUES });
  return found && refusalResponse(400, found === 'tooDeep' ? TOO_DEEP : TOO_MANY);
}

/** Does some work on what a request sent, when it is its turn. */
export type InTurn = <T>(request: Request, look: () => T) => T | Promise<T>;

const atOnce: InTurn = (_, look) => look();

/**
 * Holds a request to the form and the limits of a body (JSON, size, depth, values) before anything else reads it. So a form
 * that another site's page sends is refused here too: it can't be JSON without that site being asked first.
 *
 * @returns a request that is safe to handle, or the 400, 413 or 415 to answer
 */
export async function limitBody(request: Request, inTurn: InTurn = atOnce): Promise<Request | Response> {
  const path = withoutEndSlashes(requestPath(request));
  if (!hasBody(request) || isIngest(request)) return request;
  if (FILE_ROUTES.has(path)) return isJson(request) ? request : refusalResponse(415, NOT_JSON);
  if (path === RAW_ROUTE && request.headers.get('content-type') === RAW_TYPE) return request;
  const maxKb = OF_VISITORS.has(path) ? MAX_KB_OF_VISITORS : MAX_KB;
  if (Number(request.headers.get('content-length')) > maxKb * 1024) return tooLarge(maxKb);
  let bytes: Uint8Array<ArrayBuffer> | null;
  try {
    bytes = await readBytes(request.body, maxKb * 1024);
  } catch {
    return refusalResponse(400, BROKEN, { headers: { connection: 'close' } });
  }
  if (bytes === null) return tooLarge(maxKb);
  const { method, headers, signal } = request;
  if (bytes.length === 0) return new Request(request.url, { method, headers, signal });
  if (!isJson(request)) return refusalResponse(415, NOT_JSON);
  const read = bytes;
  const refused = await inTurn(request, () => excess(new TextDecoder().decode(read)));
  if (refused) return refused;
  const plain = new Headers(headers);
  // Elysia knows it only in this spelling.
  plain.set('content-type', 'application/json');
  return new Request(request.url, { method, headers: plain, signal, body: bytes });
}
