import type { Server } from 'bun';
import type { RelayCheck } from './keyChecks.ts';
import { createAddressRanges, forwardedAddress, LOOPBACK } from '#lib/addresses.ts';

/** What routes may ask of the connection behind a request. A request that came in process has none. */
export type Connections = {
  /** The caller's address, for rate limits; '' when it is not known. */
  clientAddress(request: Request): string;
  /** Switches the idle timeout off, for an answer that streams. */
  keepOpen(request: Request): void;
  /** Ends the connection of a request whose client does not read. */
  cutOff(request: Request): void;
};

type RequestServer = Pick<Server<undefined>, 'requestIP' | 'timeout'>;

export type ConnectionTable = Connections & {
  /**
   * Notes where a request came from, before it is answered.
   *
   * @param request as the routes see it
   * @param received as the server knows it: what the routes see may be a copy
   */
  note(request: Request, received: Request, server: RequestServer): void;
  /**
   * Whether a trusted proxy says that the caller came by https (`X-Forwarded-Proto`; this server itself speaks http).
   *
   * @param received as the server knows it
   */
  isHttps(received: Request, server: RequestServer): boolean;
  /**
   * Disables the idle timeout until the answer is ready, because a client that waits for the server is not idle. It stays
   * disabled for a stream (`keepOpen`).
   *
   * @param request without a body, or with one that was read completely
   */
  whileAnswering(request: Request, answer: Promise<Response>): Promise<Response>;
  /** The idle timeout again, where an answer that streamed is over. */
  limitAgain(request: Request): void;
};

/** How long a connection may be silent, s. */
export const IDLE_S = 30;

/** More proxies than this stand in no row; the rest of the header is not read. */
const MAX_HOPS = 20;

/** Says of an address whether the proxy behind it is believed. */
export type IsTrusted = (address: string) => boolean;

const isLocal = createAddressRanges(LOOPBACK);

/**
 * The caller's address. Each proxy appends to `X-Forwarded-For` whom it speaks for, so the header is read from its end:
 * past every trusted proxy to the first address that is none. What stands before that is the caller's own invention.
 *
 * @param peer the other end of the connection
 * @param forwardedFor the header; null when there is none
 * @param isPeerTrusted where the other end is believed for another reason than its address
 * @returns the address as far as it can be believed: that of the last proxy when an entry is no address
 */
export function callerAddress(
  peer: string,
  forwardedFor: string | null,
  isTrusted: IsTrusted = isLocal,
  isPeerTrusted = isTrusted(peer),
): string {
  if (forwardedFor === null || !isPeerTrusted) return peer;
  let caller = peer;
  const hops = forwardedFor.split(',').slice(-MAX_HOPS);
  for (const hop of hops.reverse()) {
    const address = forwardedAddress(hop);
    if (address === null) return caller;
    caller = address;
    if (!isTrusted(caller)) return caller;
  }
  return caller;
}

/**
 * Finds a request's connection again. Made before the port is open, so that routes can be made with it.
 *
 * @param trustedProxies addresses and networks of the proxies that are believed about whom they speak for
 * @param isRelay a relay is believed as they are, wherever it calls from
 */
export function createConnections(
  trustedProxies: readonly string[] = LOOPBACK,
  isRelay: RelayCheck = () => false,
): ConnectionTable {
  const isTrusted = createAddressRanges(trustedProxies);
  const known = new WeakMap<
    Request,
    { peer: string; received: Request; server: RequestServer; isStream: boolean }
  >();
  const limitIdle = (request: Request, seconds: number): void => {
    const connection = known.get(request);
    connection?.server.timeout(connection.received, seconds);
  };
  const peerAddress = (received: Request, server: RequestServer): string =>
    server.requestIP(received)?.address ?? '';
  const peerOf = (request: Request): string => known.get(request)?.peer ?? '';
  return {
    note: (request, received, server) =>
      void known.set(request, { peer: peerAddress(received, server), received, server, isStream: false }),
    clientAddress(request) {
      const peer = peerOf(request);
      const isBelieved = isTrusted(peer) || isRelay(request);
      return callerAddress(peer, request.headers.get('x-forwarded-for'), isTrusted, isBelieved);
    },
    isHttps(received, server) {
      // The first entry is the caller's own connection; the others are those between proxies.
      const protocol = received.headers.get('x-forwarded-proto')?.split(',', 1)[0]?.trim().toLowerCase();
      return protocol === 'https' && (isTrusted(peerAddress(received, server)) || isRelay(received));
    },
    async whileAnswering(request, answer) {
      limitIdle(request, 0);
      try {
        return await answer;
      } finally {
        if (!known.get(request)?.isStream) limitIdle(request, IDLE_S);
      }
    },
    keepOpen(request) {
      const connection = known.get(request);
      if (connection) connection.isStream = true;
      limitIdle(request, 0);
    },
    limitAgain: (request) => limitIdle(request, IDLE_S),
    cutOff: (request) => limitIdle(request, 1),
  };
}
