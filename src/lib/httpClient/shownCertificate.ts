import { isIP } from 'node:net';
import { checkServerIdentity, connect, type TLSSocket } from 'node:tls';

/** What a server showed of itself. */
export type ShownCertificate = {
  /** Epoch ms; NaN where it does not say. */
  validFrom: number;
  validTo: number;
  /** Whether it is for another name than the one that was asked for. */
  isOtherName: boolean;
  /** The code of what is wrong with the chain of issuers; null when it is trusted. */
  chainProblem: string | null;
};

/** The name or the address of a machine in an https address; one of IPv6 has brackets around it there. */
export const hostOf = (url: string): string => new URL(url).hostname.replaceAll(/[[\]]/g, '');

function shownBy(socket: TLSSocket, host: string): ShownCertificate {
  const certificate = socket.getPeerCertificate();
  const isNameOnly = String(socket.authorizationError).includes('ALTNAME');
  return {
    validFrom: Date.parse(certificate.valid_from),
    validTo: Date.parse(certificate.valid_to),
    isOtherName: checkServerIdentity(host, certificate) !== undefined,
    chainProblem: socket.authorized || isNameOnly ? null : String(socket.authorizationError),
  };
}

/**
 * The certificate behind an https address, whatever is wrong with it, by one TLS connection over which nothing is sent.
 * @param timeoutMs for all of it
 * @throws Error when there is no connection in that time
 */
export function shownCertificate(url: string, timeoutMs: number): Promise<ShownCertificate> {
  const host = hostOf(url);
  const { promise, resolve, reject } = Promise.withResolvers<ShownCertificate>();
  const socket = connect({
    host,
    port: Number(new URL(url).port || 443),
    servername: isIP(host) === 0 ? host : '',
    // It is looked at, and nothing is told to whoever shows it.
    rejectUnauthorized: false,
  });
  const limit = setTimeout(() => reject(new Error('no answer in time')), timeoutMs);
  socket.once('secureConnect', () => resolve(shownBy(socket, host)));
  socket.once('error', reject);
  socket.once('close', () => reject(new Error('the connection was closed')));
  return promise.finally(() => {
    clearTimeout(limit);
    socket.destroy();
  });
}
