import { errorCode } from '#lib/errors.ts';
import { refusalResponse } from '#platform/http/errors.ts';
import { type Caller, passedOn, type PrimaryClient } from './primaryClient.ts';

const RETRY_AFTER = { 'retry-after': '3' };
const NO_READING = 'The main server can’t be reached at the moment. Try again shortly.';
const NOTHING_DONE = 'The main server can’t be reached at the moment. Nothing was done. Try again shortly.';
const NOT_KNOWN =
  'The connection to the main server broke off, so it is not known whether this was done. Look before you do it again.';

/** Failures before a connection was there: nothing has left. */
const BEFORE_SENT = new Set([
  'ConnectionRefused',
  'FailedToOpenSocket',
  'ECONNREFUSED',
  'ENOTFOUND',
  'DNSLookupFailed',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** What a caller is told when the primary does not answer. */
export function unreachable(request: Request, error: unknown): Response {
  if (isReading(request)) return refusalResponse(503, NO_READING, { headers: RETRY_AFTER });
  return BEFORE_SENT.has(errorCode(error))
    ? refusalResponse(503, NOTHING_DONE, { headers: RETRY_AFTER })
    : refusalResponse(502, NOT_KNOWN);
}

/** The primary's answer as the caller is given it. */
export const handedOn = (response: Response): Response =>
  new Response(response.body, {
    status: response.status,
    statusText: response.statusText,
    headers: passedOn(response.headers),
  });

/** The path of a request with its query. */
export function pathOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Asks once; where a kept connection had gone, reading may be tried again, as that changes nothing. */
async function ask(primary: PrimaryClient, request: Request, caller: Caller): Promise<Response> {
  const { method, signal, body } = request;
  const headers = passedOn(request.headers);
  if (!isReading(request)) {
    // Over a connection of its own: one that is kept may turn out to be gone, and fetch would send again.
    return primary.ask(pathOf(request), { method, headers, signal, body, keepalive: false }, caller);
  }
  try {
    return await primary.ask(pathOf(request), { method, headers, signal }, caller);
  } catch (error) {
    if (signal.aborted || BEFORE_SENT.has(errorCode(error))) throw error;
    return primary.ask(pathOf(request), { method, headers, signal }, caller);
  }
}

/** Whether the primary answered before it had read a body: what is still sent would be read to no end. */
const isCutShort = (request: Request, { headers }: Response): boolean =>
  !isReading(request) && (headers.get('connection') ?? '').toLowerCase() === 'close';

/** Passes a request on to the primary, and its answer back; both go through as they come. */
export async function passOn(primary: PrimaryClient, request: Request, caller: Caller): Promise<Response> {
  try {
    const response = await ask(primary, request, caller);
    const answer = handedOn(response);
    if (isCutShort(request, response)) answer.headers.set('connection', 'close');
    return answer;
  } catch (error) {
    return unreachable(request, error);
  }
}
