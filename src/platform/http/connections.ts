import type { Server } from 'bun';
import type { RelayCheck } from './keyChecks.ts';
import { createAddressRanges, forwardedAddress, LOOPBACK } from '#lib/addresses.ts';

export type Connections = {
  /** The caller's address, for rate limits; '' if unknown. */
  clientAddress(request: Request): string;
  keepOpen(request: Request): void;
  cutOff(request: Request): void;
};

type RequestServer = Pick<Server<undefined>, 'requestIP' | 'timeout'>;

export type ConnectionTable = Connections & {
  /**
   * Notes the connection of a request before it is answered.
   * @param request as the routes see it, which may be a copy
   * @param received as the server knows it
   */
  note(request: Request, received: Request, server: RequestServer): void;
  /** Whether a trusted proxy states https (`X-Forwarded-Proto`). @param received as the server knows it */
  isHttps(received: Request, server: RequestServer): boolean;
  /**
   * Disables the idle timeout until the answer is ready, because a client that waits is not idle. It stays
   * disabled for a stream (`keepOpen`).
   * @param request without a body, or with one that was read completely
   */
  whileAnswering(request: Request, answer: Promise<Response>): Promise<Response>;
  limitAgain(request: Request): void;
};

export const IDLE_S = 30;

/** Entries of the header beyond this number are ignored. */
const MAX_HOPS = 20;

export type IsTrusted = (address: string) => boolean;

const isLocal = createAddressRanges(LOOPBACK);

/**
 * The caller's address. Each proxy appends the address of its client to `X-Forwarded-For`, so the header is read
 * from its end, past the trusted proxies. Earlier entries may be forged.
 * @param peer the other end of the connection
 * @param forwardedFor the header; null if there is none
 * @param isPeerTrusted trusts the other end whatever its address
 * @returns the last proxy's address if an entry is not an address
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
 * Finds a request's connection. It is made before the port is open, so that routes can use it.
 * @param trustedProxies addresses and networks of trusted proxies
 * @param isRelay a relay is trusted at any address
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
      // The first entry is the caller's own connection. The others are between proxies.
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
