import type { Server } from 'bun';
import type { Log } from '#lib/log.ts';
import { errorCode, StartError } from '#lib/errors.ts';
import type { Assets } from './assets.ts';
import { type ConnectionTable, IDLE_S } from './connections.ts';
import { type InTurn, limitBody } from './requestBody.ts';
import { refusalResponse, MAX_PATH_LENGTH } from './errors.ts';
import { BASIC_AUTH_COOKIE } from './rules/accessLevel.ts';
import { isBehindBasicAuth } from './requestToken.ts';
import { hostAndPort, isEveryAddress } from '#lib/addresses.ts';

/** Half a year is what reviewers ask for at least; a year is usual. It names this host alone, not those below it. */
const HSTS = 'max-age=31536000';

/** What no page of this origin ever uses. Copying to the clipboard stays allowed. */
const UNUSED_FEATURES = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

/**
 * For everything that brings no policy of its own. The stream's worker goes by this one, hence `connect-src`; what is
 * no page and no worker needs nothing at all.
 */
const POLICY =
  "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For an answer that is no page. */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['content-security-policy', POLICY],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'same-origin'],
  ['x-content-type-options', 'nosniff'],
];

/** For every answer that a browser may show as a page. The two lists follow OWASP's, without what cookies need. */
const PAGE_HEADERS: typeof HEADERS = [
  ...HEADERS,
  ['cross-origin-opener-policy', 'same-origin'],
  ['origin-agent-cluster', '?1'],
  ['permissions-policy', UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', ')],
  ['x-dns-prefetch-control', 'off'],
  ['x-frame-options', 'DENY'],
  ['x-permitted-cross-domain-policies', 'none'],
];

/** What a browser shows as text at most. A first load has some twenty of them, and half a kilobyte for each counts. */
const NO_PAGES = ['text/javascript', 'text/css', 'font/', 'application/json', 'text/event-stream'];
const isPage = ({ headers }: Response): boolean =>
  !NO_PAGES.some((type) => headers.get('content-type')?.startsWith(type));

/**
 * Adds what browsers must know of an answer before they trust it. What the answer says itself stands.
 *
 * @param httpsOnly whether to send HSTS
 * @returns the same answer
 */
export function secured(response: Response, httpsOnly: boolean): Response {
  for (const [name, value] of isPage(response) ? PAGE_HEADERS : HEADERS) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  if (httpsOnly) response.headers.set('strict-transport-security', HSTS);
  return response;
}

export type Listening = {
  /** Where this machine reaches it, with the real port. */
  url: string;
  port: number;
  /** Takes no new request, lets those under way be answered, cuts what is still open after that and frees the port. */
  stop(): Promise<void>;
};

/** The server can't listen; the message is a sentence for the operator. */
export class ListenError extends StartError {
  override name = 'ListenError';
}

export type Handlers = {
  /**
   * What a health check is told. It is answered here, as the application would: that compiles its handlers with its first
   * request, and who waits for the start would wait for that too. Null is said where the API answers it.
   */
  health(request: Request): unknown;
  /** Waits until a request to the API may begin. @returns the refusal when it may not, else null */
  admit(request: Request): Promise<Response | null>;
  /** Looks at the body of one when it is its turn; null leaves bodies as they come to the API. */
  inTurn: InTurn | null;
  /** Answers /api, /metrics and /openapi, and /healthz when it is asked otherwise than by GET. */
  api(request: Request): Response | Promise<Response>;
  /** Notes a request to the API that is refused before the application sees it. */
  refused(request: Request, status: number): void;
  localFiles(request: Request): Promise<Response | undefined>;
  assets: Assets | { respond(request: Request): Promise<Response | undefined> };
  /** Notes where every request comes from, before it is answered; tells of any whether it came by https. */
  connections: Pick<ConnectionTable, 'note' | 'isHttps' | 'whileAnswering'>;
};

const TOO_LONG = `The address is longer than the ${MAX_PATH_LENGTH} characters that are allowed.`;

export type ListenOptions = {
  host: string;
  port: number;
  /** Whether answers over https carry HSTS. */
  hsts: boolean;
  log: Log;
};

const isApi = (path: string): boolean =>
  ['/healthz', '/metrics', '/api', '/openapi'].includes(path) ||
  path.startsWith('/api/') ||
  path.startsWith('/openapi/');

/**
 * A request whose address can be read. HTTP/1.0 clients (health checks of load balancers) name no host, and then all
 * there is of the address is its path. Null when it can't be read at all.
 */
function withAddress(request: Request): Request | null {
  if (URL.canParse(request.url)) return request;
  const url = request.url.startsWith('/') ? URL.parse(`http://localhost${request.url}`) : null;
  return url && new Request(url, request);
}

async function answerPage(request: Request, path: string, handlers: Handlers): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refusalResponse(405, 'Pages can only be read.', { headers: { allow: 'GET, HEAD' } });
  }
  const found = path.startsWith('/local/')
    ? await handlers.localFiles(request)
    : await handlers.assets.respond(request);
  if (found) {
    if (path === '/' && isBehindBasicAuth(request)) {
      found.headers.append('set-cookie', `${BASIC_AUTH_COOKIE}; Path=/; Max-Age=31536000; SameSite=Strict`);
    }
    return found;
  }
  if (path === '/')
    return refusalResponse(503, 'The web application is not built. Run "bun run build" and reload.');
  return refusalResponse(404, 'There is nothing at this address.');
}

const answerHealth = (view: unknown): Response =>
  Response.json(view, { headers: { 'cache-control': 'no-store' } });

/** A request to the API that may go on, or its refusal. */
async function allowedOf(request: Request, path: string, handlers: Handlers): Promise<Request | Response> {
  if (path.length > MAX_PATH_LENGTH) return refusalResponse(414, TOO_LONG);
  const refusal = await handlers.admit(request);
  if (refusal || handlers.inTurn === null) return refusal ?? request;
  return limitBody(request, handlers.inTurn);
}

async function answer(received: Request, server: Server<undefined>, handlers: Handlers): Promise<Response> {
  const request = withAddress(received);
  if (request === null) return refusalResponse(400, 'The address of the request can not be read.');
  const path = new URL(request.url).pathname;
  const health = path === '/healthz' && request.method === 'GET' ? handlers.health(request) : null;
  if (health !== null) return answerHealth(health);
  handlers.connections.note(request, received, server);
  if (!isApi(path)) return answerPage(request, path, handlers);
  const allowed = await allowedOf(request, path, handlers);
  if (allowed instanceof Response) {
    handlers.refused(request, allowed.status);
    return allowed;
  }
  handlers.connections.note(allowed, received, server);
  const answered = Promise.resolve(handlers.api(allowed));
  const isRead = allowed.body === null || allowed !== request;
  return isRead ? handlers.connections.whileAnswering(allowed, answered) : answered;
}

function listenProblem(error: unknown, host: string, port: number): ListenError {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') {
    const message = `Port ${port} is in use by another program. Stop it, or set BELLBIRD_PORT to another port.`;
    return new ListenError(message, { cause: error });
  }
  if (code === 'EACCES') {
    const message = `Port ${port} is reserved by the system. Set BELLBIRD_PORT to a port above 1023.`;
    return new ListenError(message, { cause: error });
  }
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The server can't listen on ${hostAndPort(host, port)} (${reason}). Check BELLBIRD_HOST and BELLBIRD_PORT.`;
  return new ListenError(message, { cause: error });
}

function serve({ host, port, hsts, log }: ListenOptions, handlers: Handlers): Server<undefined> {
  try {
    return Bun.serve({
      hostname: host,
      port,
      // Otherwise a second process on the port would start without an error and take half of the requests.
      reusePort: false,
      development: false,
      idleTimeout: IDLE_S,
      // limitBody answers with a sentence; the server's own limit would answer with nothing.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: async (request, server) =>
        secured(
          await answer(request, server, handlers),
          hsts && handlers.connections.isHttps(request, server),
        ),
      error: (error) => {
        log.error('A request failed before any route', { error });
        return secured(refusalResponse(500, 'Something went wrong on the server. Try again.'), false);
      },
    });
  } catch (error) {
    throw listenProblem(error, host, port);
  }
}

/** Answers take milliseconds; those of a model are given up by the part that asks for them. */
const FINISH_WITHIN_MS = 1000;

/**
 * Opens the port; requests are answered from now on.
 *
 * @throws ListenError when the port can't be had
 */
export function listen(options: ListenOptions, handlers: Handlers): Listening {
  const server = serve(options, handlers);
  const port = server.port ?? options.port;
  const host = isEveryAddress(options.host) ? 'localhost' : options.host;
  return {
    port,
    url: `http://${hostAndPort(host, port)}`,
    stop: async () => {
      await Promise.race([server.stop(), Bun.sleep(FINISH_WITHIN_MS)]);
      await server.stop(true);
    },
  };
}
