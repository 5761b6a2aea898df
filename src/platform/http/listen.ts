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

/** A year, for this host without its subdomains. Reviewers demand at least half a year. */
const HSTS = 'max-age=31536000';

/** Features that no page uses. Copying to the clipboard stays allowed. */
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

/** The policy of answers without their own. Only the stream's worker needs `connect-src`. */
const POLICY =
  "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['content-security-policy', POLICY],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'same-origin'],
  ['x-content-type-options', 'nosniff'],
];

/**
 * Headers of answers that a browser may show as a page. The lists follow OWASP's, without those for cookies.
 */
const PAGE_HEADERS: typeof HEADERS = [
  ...HEADERS,
  ['cross-origin-opener-policy', 'same-origin'],
  ['origin-agent-cluster', '?1'],
  ['permissions-policy', UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', ')],
  ['x-dns-prefetch-control', 'off'],
  ['x-frame-options', 'DENY'],
  ['x-permitted-cross-domain-policies', 'none'],
];

/** Types that are never pages. A first load has twenty; page headers would add half a kilobyte each. */
const NO_PAGES = ['text/javascript', 'text/css', 'font/', 'application/json', 'text/event-stream'];
const isPage = ({ headers }: Response): boolean =>
  !NO_PAGES.some((type) => headers.get('content-type')?.startsWith(type));

/** Adds the security headers. Headers of the answer itself take precedence. @param httpsOnly whether to send HSTS */
export function secured(response: Response, httpsOnly: boolean): Response {
  for (const [name, value] of isPage(response) ? PAGE_HEADERS : HEADERS) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  if (httpsOnly) response.headers.set('strict-transport-security', HSTS);
  return response;
}

export type Listening = {
  /** The address on this machine, with the real port. */
  url: string;
  port: number;
  /** Refuses new requests, waits for running ones, then cuts connections and closes the port. */
  stop(): Promise<void>;
};

/** The server can't listen. The message is a sentence for the operator. */
export class ListenError extends StartError {
  override name = 'ListenError';
}

export type Handlers = {
  /**
   * The answer to a health check. It is made here, because the application compiles its handlers at its first
   * request, which would delay the start. Null leaves it to the API.
   */
  health(request: Request): unknown;
  /** Waits until a request to the API may begin. @returns the refusal; null if it may begin */
  admit(request: Request): Promise<Response | null>;
  /** Checks a body in turn; null leaves bodies unchecked. */
  inTurn: InTurn | null;
  /** Answers /api, /metrics and /openapi, and /healthz for other methods than GET. */
  api(request: Request): Response | Promise<Response>;
  refused(request: Request, status: number): void;
  localFiles(request: Request): Promise<Response | undefined>;
  assets: Assets | { respond(request: Request): Promise<Response | undefined> };
  connections: Pick<ConnectionTable, 'note' | 'isHttps' | 'whileAnswering'>;
};

const TOO_LONG = `The address is longer than ${MAX_PATH_LENGTH} characters.`;

export type ListenOptions = {
  host: string;
  port: number;
  hsts: boolean;
  log: Log;
};

const isApi = (path: string): boolean =>
  ['/healthz', '/metrics', '/api', '/openapi'].includes(path) ||
  path.startsWith('/api/') ||
  path.startsWith('/openapi/');

/**
 * Completes the address of a request. HTTP/1.0 clients such as health checks name no host, so the address is only
 * a path. Null if it is unreadable.
 */
function withAddress(request: Request): Request | null {
  if (URL.canParse(request.url)) return request;
  const url = request.url.startsWith('/') ? URL.parse(`http://localhost${request.url}`) : null;
  return url && new Request(url, request);
}

async function answerPage(request: Request, path: string, handlers: Handlers): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refusalResponse(405, 'Pages accept only GET requests.', { headers: { allow: 'GET, HEAD' } });
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
  return refusalResponse(404, 'No page has this address.');
}

const answerHealth = (view: unknown): Response =>
  Response.json(view, { headers: { 'cache-control': 'no-store' } });

async function allowedOf(request: Request, path: string, handlers: Handlers): Promise<Request | Response> {
  if (path.length > MAX_PATH_LENGTH) return refusalResponse(414, TOO_LONG);
  const refusal = await handlers.admit(request);
  if (refusal || handlers.inTurn === null) return refusal ?? request;
  return limitBody(request, handlers.inTurn);
}

async function answer(received: Request, server: Server<undefined>, handlers: Handlers): Promise<Response> {
  const request = withAddress(received);
  if (request === null) return refusalResponse(400, 'The address of the request is invalid.');
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
  const message = `The server cannot listen on ${hostAndPort(host, port)} (${reason}). Check BELLBIRD_HOST and BELLBIRD_PORT.`;
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
      // limitBody answers with a sentence; the server's own limit answers with nothing.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: async (request, server) =>
        secured(
          await answer(request, server, handlers),
          hsts && handlers.connections.isHttps(request, server),
        ),
      error: (error) => {
        log.error('A request failed before it reached a route', { error });
        return secured(refusalResponse(500, 'Something went wrong on the server. Try again.'), false);
      },
    });
  } catch (error) {
    throw listenProblem(error, host, port);
  }
}

/** Answers take milliseconds. The model's are cancelled by the part that requests them. */
const FINISH_WITHIN_MS = 1000;

/** Opens the port and answers requests. @throws ListenError if the port is not available */
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
