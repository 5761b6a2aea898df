import { checkServerIdentity, connect, type TLSSocket } from 'node:tls';
import { errorCode } from '../../../lib/errorCode.ts';
import { bad, type Finding } from '../../../lib/finding.ts';
import { certificateFinding, type ShownCertificate } from '../rules/certificateFinding.ts';

function shownBy(socket: TLSSocket, host: string): ShownCertificate {
  const certificate = socket.getPeerCertificate();
  const problem: unknown = socket.authorizationError;
  const otherName = checkServerIdentity(host, certificate);
  const isNameOnly = String(problem).includes('ALTNAME');
  return {
    validFrom: Date.parse(certificate.valid_from),
    validTo: Date.parse(certificate.valid_to),
    otherName: otherName === undefined ? null : 'other',
    chainProblem: socket.authorized || isNameOnly ? null : String(problem),
  };
}

function unreached(host: string, reason: string): Finding {
  return bad(
    'Certificate',
    `${host} could not be asked for its certificate (${reason}).`,
    'Look whether the proxy runs and its name points to this machine.',
  );
}

/**
 * Looks at the certificate behind the public address, whatever is wrong with it; nothing is sent there.
 * @param address an https address; @param now epoch ms; @param timeoutMs for all of it
 * @returns never rejects
 */
export function lookAtCertificate(address: string, now: number, timeoutMs: number): Promise<Finding> {
  const { hostname, port } = new URL(address);
  const host = hostname.replaceAll(/[[\]]/g, '');
  const { promise, resolve } = Promise.withResolvers<Finding>();
  const socket = connect({
    host,
    port: Number(port || 443),
    servername: /^[\d.]+$|:/.test(host) ? '' : host,
    // It is looked at, and nothing is told to whoever shows it.
    rejectUnauthorized: false,
  });
  const limit = setTimeout(() => resolve(unreached(host, 'no answer in time')), timeoutMs);
  socket.once('secureConnect', () => resolve(certificateFinding(shownBy(socket, host), host, now)));
  socket.once('error', (error) => resolve(unreached(host, errorCode(error) || 'no TLS')));
  return promise.finally(() => {
    clearTimeout(limit);
    socket.destroy();
  });
}
