import { connect } from 'node:tls';

const TIMEOUT_MS = 10_000;

/**
 * When the certificate ends that an https address shows, by one TLS connection of at most ten seconds. One that has ended, or
 * that nobody trusts, is told all the same.
 *
 * @param url an https address
 * @returns epoch ms
 * @throws Error when there is no connection, or no certificate
 */
export function certificateEnd(url: string): Promise<number> {
  const { hostname, port } = new URL(url);
  // An address of IPv6 has brackets around it, and is no name to ask for.
  const host = hostname.replace(/^\[|\]$/g, '');
  const named = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, ...named });
  const timer = setTimeout(() => reject(new Error('There was no answer within ten seconds.')), TIMEOUT_MS);
  socket.once('secureConnect', () => {
    const endsAt = Date.parse(socket.getPeerCertificate().valid_to);
    if (Number.isNaN(endsAt)) reject(new Error('It shows no certificate.'));
    else resolve(endsAt);
  });
  socket.once('error', reject);
  socket.once('close', () => reject(new Error('The connection was closed.')));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}
