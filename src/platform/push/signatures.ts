import { createPrivateKey, sign } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import { lazy } from '#lib/lazy.ts';
import { isPublicHost } from './publicHost.ts';
import type { PushTarget } from './devices.ts';
import type { VapidKeys } from './vapid.ts';

const HOUR_MS = 3_600_000;
/** Push services refuse a signature that is valid for more than a day from now. */
const VALID_MS = 12 * HOUR_MS;
const USED_MS = 6 * HOUR_MS;
const MAX_HEADERS = 200;

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const HEAD = encoded({ typ: 'JWT', alg: 'ES256' });

function signingKey({ publicKey, privateKey }: VapidKeys) {
  const point = Buffer.from(publicKey, 'base64url');
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33, 65).toString('base64url');
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: privateKey }, format: 'jwk' });
}

/**
 * Whom a push service may contact: an address of this server. Apple refuses `.local` and private addresses, so a public
 * https address comes first: the server's own, or the one where the device was registered.
 */
function subjectOf(publicUrl: string | null, origin: string): string {
  const addresses = [publicUrl, origin].flatMap((address) => (address === null ? [] : [new URL(address)]));
  const secure = addresses.filter(({ protocol }) => protocol === 'https:');
  const [best] = [...secure.filter(({ hostname }) => isPublicHost(hostname)), ...secure];
  return best?.origin ?? `mailto:bellbird@${new URL(publicUrl ?? origin).hostname}`;
}

export type SignaturesDeps = {
  clock: Clock;
  keys: VapidKeys;
  /** The server's public address; null if it has none. */
  publicUrl: string | null;
};

/** The headers that tell push services who sends (RFC 8292). Each serves a service and a subject for six hours. */
export class Signatures {
  readonly #headers = new Map<string, { header: string; signedAt: number }>();
  readonly #key = lazy(() => signingKey(this.deps.keys));

  constructor(private readonly deps: SignaturesDeps) {}

  headerFor(target: PushTarget): string {
    const now = this.deps.clock.now();
    const known = this.#headers.get(this.#claimsOf(target).join(' '));
    // Valid by the wall clock, so it ages by the wall clock: one that was set makes it old at once.
    const age = known ? now - known.signedAt : USED_MS;
    return known && age >= 0 && age < USED_MS ? known.header : this.renew(target, now);
  }

  /** Signs again. @param at the time to sign for, epoch ms: the service's own, if it stated one */
  renew(target: PushTarget, at: number): string {
    const [aud, sub] = this.#claimsOf(target);
    const signed = `${HEAD}.${encoded({ aud, exp: Math.floor((at + VALID_MS) / 1000), sub })}`;
    const signature = sign('sha256', Buffer.from(signed), { key: this.#key(), dsaEncoding: 'ieee-p1363' });
    const header = `vapid t=${signed}.${signature.toString('base64url')}, k=${this.deps.keys.publicKey}`;
    // Devices of other origins are few. A flood of them costs no memory.
    if (this.#headers.size >= MAX_HEADERS) this.#headers.clear();
    this.#headers.set(`${aud} ${sub}`, { header, signedAt: this.deps.clock.now() });
    return header;
  }

  /** The service that a signature is for, and its subject. */
  #claimsOf({ endpoint, origin }: PushTarget): [string, string] {
    // A service on this machine, which an administrator has set, may be without https. In a signature it is not.
    const service = new URL(endpoint).origin.replace(/^http:/, 'https:');
    return [service, subjectOf(this.deps.publicUrl, origin)];
  }
}
