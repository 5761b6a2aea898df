import type { Server } from 'bun';

/** What routes may ask of the connection behind a request. A request that came in process has none. */
export type Connections = {
  /** The caller's address, for rate limits; '' when it is not known. */
  clientAddress(request: Request): string;
  /** Switches the idle timeout off, for an answer that streams. */
  keepOpen(request: Request): void;
  /** Ends the connection of a request whose client does not read. */
  cutOff(request: Request): void;
};

export type ConnectionTable = Connections & {
  /**
   * Notes where a request came from, before it is answered.
   *
   * @param request as the routes see it
   * @param received as the server knows it: what the routes see may be a copy
   */
  note(request: Request, received: Request, server: Server<undefined>): void;
};

const isLoopback = (address: string): boolean => /^(::1|(::ffff:)?127\.)/.test(address);

/**
 * The caller's address. A proxy on this machine is believed about whom it speaks for (the last entry, which it
 * wrote itself); from anywhere else the header is anybody's invention.
 */
export function callerAddress(peer: string, forwardedFor: string | null): string {
  const last = forwardedFor?.split(',').at(-1)?.trim();
  return isLoopback(peer) && last ? last : peer;
}

/** Finds a request's connection again. Made before the port is open, so that routes can be made with it. */
export function createConnections(): ConnectionTable {
  const known = new WeakMap<Request, { peer: string; received: Request; server: Server<undefined> }>();
  const limitIdle = (request: Request, seconds: number): void => {
    const connection = known.get(request);
    connection?.server.timeout(connection.received, seconds);
  };
  return {
    note: (request, received, server) =>
      void known.set(request, { peer: server.requestIP(received)?.address ?? '', received, server }),
    clientAddress: (request) =>
      callerAddress(known.get(request)?.peer ?? '', request.headers.get('x-forwarded-for')),
    keepOpen: (request) => limitIdle(request, 0),
    cutOff: (request) => limitIdle(request, 1),
  };
}
