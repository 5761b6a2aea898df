import type { Server } from 'bun';
import { StartError } from '../lib/startError.ts';
import type { Assets } from './assets.ts';
import { limitBody } from './requestBody.ts';
import { refusal } from './errors.ts';

export type Listening = {
  /** Where this machine reaches it, with the real port. */
  url: string;
  port: number;
  clientAddress(request: Request): string;
  keepOpen(request: Request): void;
  /** Ends the connection of a request whose client does not read. */
  cutOff(request: Request): void;
  /** Takes no new request, cuts what is open and frees the port. */
  stop(): Promise<void>;
};

/** The server can't listen; the message is a sentence for the operator. */
export class ListenError extends StartError {
  override name = 'ListenError';
}

export type Handlers = {
  /** Answers /api and /healthz. */
  api(request: Request): Response | Promise<Response>;
  localFiles(request: Request): Promise<Response | undefined>;
  assets: Assets;
};

const isApi = (path: string): boolean => path === '/healthz' || path === '/api' || path.startsWith('/api/');

const isLoopback = (address: string): boolean => /^(::1|(::ffff:)?127\.)/.test(address);

/**
 * The caller's address. A proxy on this machine is believed about whom it speaks for (the last entry, which it
 * wrote itself); from anywhere else the header is anybody's invention.
 */
export function callerAddress(peer: string, forwardedFor: string | null): string {
  const last = forwardedFor?.split(',').at(-1)?.trim();
  return isLoopback(peer) && last ? last : peer;
}

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
    return refusal(405, 'Pages can only be read.', { allow: 'GET, HEAD' });
  }
  const found = path.startsWith('/local/')
    ? await handlers.localFiles(request)
    : handlers.assets.respond(request);
  if (found) return found;
  if (path === '/') return refusal(503, 'The web application is not built. Run "bun run build" and reload.');
  return refusal(404, 'There is nothing at this address.');
}

function listenProblem(error: unknown, host: string, port: number): ListenError {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE') {
    const message = `Port ${port} is in use by another program. Stop it, or set BELLBIRD_PORT to another port.`;
    return new ListenError(message, { cause: error });
  }
  if (code === 'EACCES') {
    const message = `Port ${port} is reserved by the system. Set BELLBIRD_PORT to a port above 1023.`;
    return new ListenError(message, { cause: error });
  }
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The server can't listen on ${host}:${port} (${reason}). Check BELLBIRD_HOST and BELLBIRD_PORT.`;
  return new ListenError(message, { cause: error });
}

/**
 * Opens the port.
 *
 * @param handlers made after the port is known to be free, with the functions that only a listening server has
 * @throws ListenError when the port can't be had
 */
export function listen(
  options: { host: string; port: number },
  createHandlers: (listening: Pick<Listening, 'clientAddress' | 'keepOpen' | 'cutOff'>) => Handlers,
): Listening {
  let server: Server<undefined> | undefined;
  // limitBody may replace a request by a copy, which the server does not know.
  const peers = new WeakMap<Request, { peer: string; original: Request }>();
  const limitIdle = (request: Request, seconds: number): void => {
    server?.timeout(peers.get(request)?.original ?? request, seconds);
  };
  const listening = {
    clientAddress: (request: Request) =>
      callerAddress(peers.get(request)?.peer ?? '', request.headers.get('x-forwarded-for')),
    keepOpen: (request: Request) => limitIdle(request, 0),
    cutOff: (request: Request) => limitIdle(request, 1),
  };
  const handlers = createHandlers(listening);
  try {
    server = Bun.serve({
      hostname: options.host,
      port: options.port,
      // Otherwise a second process on the port would start without an error and take half of the requests.
      reusePort: false,
      development: false,
      idleTimeout: 30,
      // limitBody answers with a sentence; the server's own limit would answer with nothing.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: async (original, self) => {
        const request = withAddress(original);
        if (request === null) return refusal(400, 'The address of the request can not be read.');
        const path = new URL(request.url).pathname;
        if (!isApi(path)) return answerPage(request, path, handlers);
        const allowed = await limitBody(request);
        if (allowed instanceof Response) return allowed;
        peers.set(allowed, { peer: self.requestIP(original)?.address ?? '', original });
        return handlers.api(allowed);
      },
      error: () => refusal(500, 'Something went wrong on the server. Try again.'),
    });
  } catch (error) {
    throw listenProblem(error, options.host, options.port);
  }
  const running = server;
  const port = running.port ?? options.port;
  const host = ['0.0.0.0', '::', ''].includes(options.host) ? 'localhost' : options.host;
  return {
    ...listening,
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    stop: () => running.stop(true),
  };
}
