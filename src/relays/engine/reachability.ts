import { connect, isIP } from 'node:net';
import { connect as connectSafely } from 'node:tls';
import { errorCode } from '#lib/errorCode.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import type { EngineAddress } from './address.ts';

/** How long the attempt may take, ms. */
const LIMIT_MS = 3000;

/** What the system says of a connection that does not come about, as sentences about an address. */
const SENTENCES: Readonly<Record<string, (shown: string) => string>> = {
  ECONNREFUSED: (shown) => `Nothing answers at ${shown}: the message engine is not running there.`,
  ENOTFOUND: (shown) => `The host of the message engine, ${shown}, is not known.`,
  EAI_AGAIN: (shown) => `The host of the message engine, ${shown}, can not be looked up now.`,
};

function sentence({ shown, isSecure }: EngineAddress, error: Error): string | null {
  const known = SENTENCES[errorCode(error)];
  if (known) return known(shown);
  return isSecure && /certificate|cert_|altname/i.test(`${errorCode(error)} ${error.message}`)
    ? `The certificate of the message engine at ${shown} is not trusted: ${error.message}.`
    : null;
}

/**
 * Why no connection to the engine comes about, which its client does not tell.
 * @returns a sentence; null when it is not known
 */
export function whyUnreachable(address: EngineAddress, schedule: Scheduler): Promise<string | null> {
  const { host, port, isSecure, shown } = address;
  return new Promise((resolve) => {
    const end = (reason: string | null): void => {
      cancel();
      socket.destroy();
      resolve(reason);
    };
    const cancel = schedule(LIMIT_MS, () =>
      end(isSecure ? `The message engine at ${shown} does not begin TLS: does it want redis://?` : null),
    );
    const socket = isSecure
      ? connectSafely({ host, port, ...(isIP(host) ? {} : { servername: host }) }, () => end(null))
      : connect({ host, port }, () => end(null));
    socket.unref();
    socket.on('error', (error) => end(sentence(address, error)));
  });
}
