import { HOUR_MS } from '#lib/units.ts';
import PQueue from 'p-queue';
import type { BytesOutcome } from '#lib/httpClient/client.ts';
import { serverTime } from '#lib/httpClient/probe.ts';
import { lazy } from '#lib/lazy.ts';
import { nextTurn } from '#lib/turns.ts';
import { PUSH_SERVICES, type PushService, readDeviceAddress } from './rules/pushService.ts';
import { whyUnanswered } from '../chatClients/platformCall.ts';
import type { Outgoing, PlatformCheck, Sender, SendOutcome } from '../chatClients/sender.ts';
import type { ActionTokens } from './actionToken.ts';
import type { App } from '../app.ts';
import type { Db } from '../db/open.ts';
import { actionTargetOf, pushNotification } from './render.ts';
import { createPrivateKey, sign } from 'node:crypto';
import type { SystemClock } from '#lib/clock.ts';
import type { VapidKeys } from './vapid.ts';
import { isIP } from 'node:net';

type PushTarget = { endpoint: string; p256dh: string; auth: string; origin: string };

const TARGET = `SELECT endpoint, p256dh, auth, origin FROM devices WHERE id = ? AND status <> 'gone'`;

/** Looks up the target of a device; null if it accepts no messages. */
function createPushTargets({ $client }: Db): (id: number) => PushTarget | null {
  const query = $client.query<PushTarget, [number]>(TARGET);
  return (id) => query.get(id);
}

const STEP_MS = 60_000;

/** Compares this server's clock with the times in the push services' answers. */
export class ServiceClocks {
  /** By service: its time and this server's time, each minus the stopwatch at that moment. */
  readonly #received = new Map<PushService, { theirs: number; ours: number }>();

  constructor(private readonly clock: SystemClock) {}

  received(service: PushService, time: number): void {
    const reading = this.clock.monotonic();
    this.#received.set(service, { theirs: time - reading, ours: this.clock.now() - reading });
  }

  /** How far this server's clock is ahead of each service's, ms; negative if behind. */
  ahead(): number[] {
    const offset = this.clock.now() - this.clock.monotonic();
    return [...this.#received.values()].flatMap(({ theirs, ours }) => {
      const ahead = offset - theirs;
      // Also true after the machine slept, because that stops the stopwatch.
      const wasSet = Math.abs(offset - ours) > STEP_MS;
      return wasSet && Math.abs(ahead) > STEP_MS ? [] : [ahead];
    });
  }
}

const PRIVATE = /(^|\.)(local|localhost|internal|intranet|private|lan|home|corp|home\.arpa|test|invalid)$/;

const isPublicHost = (hostname: string): boolean =>
  hostname.includes('.') && isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 && !PRIVATE.test(hostname);

/** Push services refuse signatures that are valid for more than a day. */
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
 * The contact for push services: an address of this server. Apple refuses `.local` and private addresses, so a
 * public https address comes first: the server's own, or the one where the device was registered.
 */
function subjectOf(publicUrl: string | null, origin: string): string {
  const addresses = [publicUrl, origin].flatMap((address) => (address === null ? [] : [new URL(address)]));
  const secure = addresses.filter(({ protocol }) => protocol === 'https:');
  const [best] = [...secure.filter(({ hostname }) => isPublicHost(hostname)), ...secure];
  return best?.origin ?? `mailto:bellbird@${new URL(publicUrl ?? origin).hostname}`;
}

/** The headers that identify the sender (RFC 8292), by service and subject. Each is used for six hours. */
export class Signatures {
  readonly #headers = new Map<string, { header: string; signedAt: number }>();
  readonly #key = lazy(() => signingKey(this.keys));

  constructor(
    private readonly app: App,
    private readonly keys: VapidKeys,
  ) {}

  headerFor(target: PushTarget): string {
    const now = this.app.clock.now();
    const known = this.#headers.get(this.#claimsOf(target).join(' '));
    // The header's validity is by the wall clock, so a changed clock renews it.
    const age = known ? now - known.signedAt : USED_MS;
    return known && age >= 0 && age < USED_MS ? known.header : this.renew(target, now);
  }

  /** @param at the time to sign for, epoch ms: the service's own if known */
  renew(target: PushTarget, at: number): string {
    const [aud, sub] = this.#claimsOf(target);
    const signed = `${HEAD}.${encoded({ aud, exp: Math.floor((at + VALID_MS) / 1000), sub })}`;
    const signature = sign('sha256', Buffer.from(signed), { key: this.#key(), dsaEncoding: 'ieee-p1363' });
    const header = `vapid t=${signed}.${signature.toString('base64url')}, k=${this.keys.publicKey}`;
    // Devices have few origins. The limit bounds the memory in a flood.
    if (this.#headers.size >= MAX_HEADERS) this.#headers.clear();
    this.#headers.set(`${aud} ${sub}`, { header, signedAt: this.app.clock.now() });
    return header;
  }

  #claimsOf({ endpoint, origin }: PushTarget): [string, string] {
    // An administrator may set a local service without https. The signature always names https.
    const service = new URL(endpoint).origin.replace(/^http:/, 'https:');
    return [service, subjectOf(this.app.config.publicUrl, origin)];
  }
}

/** Leaves time for other work. None of the services has a limit for all devices together. */
const PER_SECOND = 200;
const TIMEOUT_MS = 15_000;
const MAX_ANSWER = 16 * 1024;
/** Older notifications would show prices of another day. */
const TTL_SECONDS = 12 * 3600;
const WRONG_TIME_MS = 5 * 60_000;
/** An encryption takes some ten steps of less than a millisecond each. */
const ENCRYPTED_AT_ONCE = 2;

const GONE =
  'Permission for notifications was withdrawn on this device. Allow notifications again, or remove the device.';
const REFUSED =
  'The push service refuses messages from this server to this device. Allow notifications there again.';
/** Completes "Google’s push service …". */
const WRONG_TIME =
  'refuses this server’s signature because of its time: the server’s clock seems wrong, not the device';

const REMOVED = 'The device was removed before this message was sent.';
const UNUSABLE = 'This browser’s key is not valid. Allow notifications there again.';

/** The services have many hosts, which are counted as one. */
const COUNTED_AS: Readonly<Partial<Record<PushService, string>>> = {
  mozilla: 'https://{host}.push.services.mozilla.com',
  apple: 'https://{host}.push.apple.com',
  microsoft: 'https://{host}.notify.windows.com',
};
const namedOrigin = (service: PushService, origin: string): string => COUNTED_AS[service] ?? origin;

/** Loaded with the first message, because few servers ever send one. */
const library = lazy(() => import('@block65/webcrypto-web-push'));

/** The outcome by the answer of the push service (RFC 8030). */
export function outcomeOf(answer: BytesOutcome, nonce: string): SendOutcome {
  switch (answer.kind) {
    case 'ok':
    case 'tooLarge':
      return { kind: 'sent', messageId: nonce };
    case 'timeout':
    case 'aborted':
    case 'network': {
      const { reason, mayHaveArrived } = whyUnanswered(answer);
      return mayHaveArrived
        ? { kind: 'unknown', reason }
        : { kind: 'later', afterMs: null, scope: 'platform', reason };
    }
    case 'httpError':
      return refusalOf(answer);
  }
}

const isUnsigned = (status: number): boolean => status === 401 || status === 403;

/** Text of a service that refuses a signature for its time. Apple's is `ExpiredJwtToken`. */
const OF_ANOTHER_TIME = /expir|\bexp\b/i;

function refusalOf({ status, retryAfterMs, text }: BytesOutcome & { kind: 'httpError' }): SendOutcome {
  if (status === 404 || status === 410) return { kind: 'chatBroken', reason: GONE, isGone: true };
  if (isUnsigned(status)) {
    return OF_ANOTHER_TIME.test(text)
      ? { kind: 'later', afterMs: WRONG_TIME_MS, scope: 'chat', reason: WRONG_TIME }
      : { kind: 'chatBroken', reason: REFUSED };
  }
  if (status === 429) {
    return { kind: 'later', afterMs: retryAfterMs, scope: 'chat', reason: 'asked to wait' };
  }
  const reason = `answered with status ${status}`;
  // Status 503 means that the service did not accept the message.
  if (status === 503) return { kind: 'later', afterMs: retryAfterMs, scope: 'platform', reason };
  if (status >= 500) {
    return { kind: 'unknown', reason, ...(retryAfterMs !== null && { afterMs: retryAfterMs }) };
  }
  const why = status === 413 ? 'it is too long' : `status ${status}`;
  return { kind: 'refused', reason: `The push service refused this message: ${why}.` };
}

class Sealing {
  readonly #turns = new PQueue({ concurrency: ENCRYPTED_AT_ONCE });

  /** A message that only the device can read (RFC 8291); null if its keys are invalid. */
  async encrypt(
    { endpoint, p256dh, auth }: PushTarget,
    text: string,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    const { encryptNotification } = await library();
    const bytes = new TextEncoder().encode(text);
    const subscription = { endpoint, expirationTime: null, keys: { p256dh, auth } };
    return this.#turns.add(async () => {
      await nextTurn();
      try {
        // Not padded to the maximum, because the length reveals little of an alert.
        return new Uint8Array(await encryptNotification(subscription, bytes, { pad: false }));
      } catch {
        // The device's key is invalid; the text is always short enough.
        return null;
      }
    });
  }
}

type Shared = {
  clocks: ServiceClocks;
  sealing: Sealing;
  signatures: Signatures;
  targetOf: ReturnType<typeof createPushTargets>;
  tokens: ActionTokens;
};

type Sealed = { target: PushTarget; body: Uint8Array<ArrayBuffer>; nonce: string };

class PushSender implements Sender {
  readonly platform = 'push';
  readonly limits = { perSecond: PER_SECOND, chatGapMs: 0, chatPerMinute: () => null, namesScope: false };
  readonly remembersNonceMs = 0;
  #lastOrigin: string | null = null;

  constructor(
    private readonly app: App,
    readonly service: PushService,
    private readonly shared: Shared,
  ) {}

  readonly send = async (outgoing: Outgoing): Promise<SendOutcome> => {
    const { targetOf, sealing, signatures } = this.shared;
    const { chatId, nonce } = outgoing;
    const deviceId = readDeviceAddress(chatId)?.id ?? 0;
    const target = targetOf(deviceId);
    if (target === null) return { kind: 'refused', reason: REMOVED };
    const body = await sealing.encrypt(target, this.#textOf(outgoing, deviceId));
    if (body === null) return { kind: 'chatBroken', reason: UNUSABLE };
    const sealed = { target, body, nonce };
    const answer = await this.#post(sealed, signatures.headerFor(target));
    if (answer.kind !== 'httpError' || !isUnsigned(answer.status)) return outcomeOf(answer, nonce);
    // The time may be wrong. The service's clock decides, so sign for the time that it states.
    const again = signatures.renew(target, serverTime(answer.headers) ?? this.app.clock.now());
    return outcomeOf(await this.#post(sealed, again), nonce);
  };

  readonly check = async (): Promise<PlatformCheck> => {
    const origin = this.#lastOrigin;
    if (origin === null) return { kind: 'up' };
    const url = `${origin}/`;
    const endpoint = `${namedOrigin(this.service, origin)}/`;
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER };
    const answer = await this.app.http.bytes({ method: 'GET', url, endpoint, ...limits });
    // The address has no content, so any answer shows that the service works.
    const isThere = answer.kind === 'ok' || answer.kind === 'httpError' || answer.kind === 'tooLarge';
    if (isThere) return { kind: 'up' };
    const outcome = outcomeOf(answer, '');
    return { kind: 'down', reason: 'reason' in outcome ? outcome.reason : 'could not be reached' };
  };

  async #post({ target, body, nonce }: Sealed, authorization: string): Promise<BytesOutcome> {
    const { origin } = new URL(target.endpoint);
    this.#lastOrigin = origin;
    const answer = await this.app.http.bytes({
      method: 'POST',
      url: target.endpoint,
      endpoint: `${namedOrigin(this.service, origin)}/{device}`,
      headers: {
        authorization,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(TTL_SECONDS),
        urgency: 'high',
        // A repeat replaces the service's stored copy of the same message.
        topic: nonce,
      },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER,
    });
    const time = 'headers' in answer ? serverTime(answer.headers) : null;
    if (time !== null) this.shared.clocks.received(this.service, time);
    return answer;
  }

  #textOf({ message, nonce, mayRepeat }: Outgoing, deviceId: number): string {
    const acts = actionTargetOf(message);
    const token = acts && this.shared.tokens.sign({ deviceId, ...acts }, this.app.clock.now());
    return JSON.stringify(pushNotification(message, { nonce, mayRepeat, token }));
  }
}

export function createPushSenders(
  app: App,
  clocks: ServiceClocks,
  keys: VapidKeys,
  tokens: ActionTokens,
): Sender[] {
  const targetOf = createPushTargets(app.db);
  const shared = { clocks, sealing: new Sealing(), signatures: new Signatures(app, keys), targetOf, tokens };
  return PUSH_SERVICES.map((service) => new PushSender(app, service, shared));
}
