import { readBytes } from '#lib/http.ts';
import { jsonExcess, MAX_JSON_DEPTH } from '#lib/json.ts';
import { refusalResponse, requestPath } from './errors.ts';
import { withoutEndSlashes } from '#lib/text.ts';

/** The largest body of a page, the columns of a table, has less than half of it. */
export const MAX_KB = 64;
/** The limit for requests without an account. A name and a password are a few hundred bytes. */
const MAX_KB_OF_VISITORS = 4;
const OF_VISITORS = new Set(['/api/login', '/api/register']);

/** The largest list of columns has some 1,700 values. Each takes a microsecond to parse and check. */
const MAX_VALUES = 2000;

const TOO_MANY = `The request body has more than ${MAX_VALUES} values. Send less at once.`;
const TOO_DEEP = `The request body has more than ${MAX_JSON_DEPTH} levels of lists and objects.`;
const NOT_JSON = 'The request body is not JSON. Send JSON, with the content type application/json.';
const BROKEN = 'The request body broke off before its end. Send it again.';

/** The bridge of a market has its own limits. */
export const isIngest = (request: Request): boolean => requestPath(request) === '/api/ingest/market';

/** These read files after admission, with their own limits. */
const FILE_ROUTES = new Set(['/api/settings/transfer', '/api/settings/transfer/preview']);

/** Pieces of a file, read after admission. A form of another site can't send this type. */
const RAW_ROUTE = '/api/setup/restore/piece';
const RAW_TYPE = 'application/octet-stream';

const hasBody = ({ method, body }: Request): boolean =>
  method !== 'GET' && method !== 'HEAD' && body !== null;

/** Parameters of the type (`; charset=utf-8`) do not matter, because JSON is UTF-8. */
function isJson({ headers }: Request): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase() === 'application/json';
}

const tooLarge = (maxKb: number): Response =>
  refusalResponse(413, `The request body is larger than ${maxKb} KB. Send less at once.`, {
    // Otherwise the unread rest would be read as the next request.
    headers: { connection: 'close' },
  });

function excess(text: string): Response | null {
  const found = jsonExcess(text, { maxDepth: MAX_JSON_DEPTH, maxCommas: MAX_VALUES });
  return found && refusalResponse(400, found === 'tooDeep' ? TOO_DEEP : TOO_MANY);
}

export type InTurn = <T>(request: Request, work: () => T) => T | Promise<T>;

const atOnce: InTurn = (_, work) => work();

/**
 * Checks the form and limits of a body (JSON, size, depth, values) before anything else reads it. It also refuses
 * forms of other sites, because they can't send JSON without a preflight request.
 * @returns a safe request, or the answer 400, 413 or 415
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
  // Elysia accepts only this spelling.
  plain.set('content-type', 'application/json');
  return new Request(request.url, { method, headers: plain, signal, body: bytes });
}
