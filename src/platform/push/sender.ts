import PQueue from 'p-queue';
import type { BytesOutcome } from '#lib/httpClient/outcome.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { serverTime } from '#lib/httpClient/serverTime.ts';
import { lazy } from '#lib/lazy.ts';
import { nextTurn } from '#lib/nextTurn.ts';
import { type PushService, readDeviceAddress } from '#subjects/devices/rules/device.ts';
import { whyUnanswered } from '../chatClients/platformCall.ts';
import type { Outgoing, PlatformCheck, Sender, SendOutcome } from '../chatClients/sender.ts';
import type { ActionTokens } from './actionToken.ts';
import type { PushTarget } from './devices.ts';
import { actionTargetOf, pushNotice } from './render.ts';
import type { ServiceClocks } from './serviceClocks.ts';
import { Signatures, type SignaturesDeps } from './signatures.ts';

/** As many as leave the event loop to others; none of the services names a limit for all devices together. */
const PER_SECOND = 200;
const TIMEOUT_MS = 15_000;
const MAX_ANSWER = 16 * 1024;
/** A notification that could not be shown for so long tells prices of another day. */
const TTL_SECONDS = 12 * 3600;
/** A clock that is wrong is set again within minutes, or by a person. */
const WRONG_TIME_MS = 5 * 60_000;
/** Each is some ten steps of which one follows another, a part of a millisecond each. */
const ENCRYPTED_AT_ONCE = 2;

const GONE =
  'The browser or phone has ended its permission. Allow notifications there again, or remove this device.';
const REFUSED =
  'Its push service does not take messages of this server for this device. Allow notifications there again.';
/** Completes "Google’s push service …". */
const WRONG_TIME =
  'refuses this server’s signature because of its time: the server’s clock looks wrong, and the device is in order';

const REMOVED = 'The device was removed before this message was sent.';
const UNUSABLE = 'This browser’s key can’t be used. Allow notifications there again.';

/** The services' own hosts are many: they are counted as one. */
const COUNTED_AS: Readonly<Partial<Record<PushService, string>>> = {
  mozilla: 'https://{host}.push.services.mozilla.com',
  apple: 'https://{host}.push.apple.com',
  microsoft: 'https://{host}.notify.windows.com',
};
const namedOrigin = (service: PushService, origin: string): string => COUNTED_AS[service] ?? origin;

export type PushSenderDeps = SignaturesDeps & {
  http: HttpClient;
  clocks: Pick<ServiceClocks, 'heard'>;
  targetOf(deviceId: number): PushTarget | null;
  tokens: Pick<ActionTokens, 'sign'>;
};

/** Loaded with the first message: few servers ever send one, and all of them start. */
const library = lazy(() => import('@block65/webcrypto-web-push'));

/** What became of a message by the answer of its push service (RFC 8030). */
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

/** Whether a push service refused this server's signature. */
const isUnsigned = (status: number): boolean => status === 401 || status === 403;

/** Words of a service that refuses a signature because of its time: Apple's are `ExpiredJwtToken`. */
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
  // It says itself that it took nothing.
  if (status === 503) return { kind: 'later', afterMs: retryAfterMs, scope: 'platform', reason };
  if (status >= 500) {
    return { kind: 'unknown', reason, ...(retryAfterMs !== null && { afterMs: retryAfterMs }) };
  }
  const why = status === 413 ? 'it is too long' : `status ${status}`;
  return { kind: 'refused', reason: `The push service did not take this message: ${why}.` };
}

/** Encrypts messages for devices. */
class Sealing {
  readonly #turns = new PQueue({ concurrency: ENCRYPTED_AT_ONCE });

  /** A message as only the device can read it (RFC 8291); null where its keys are of no use. */
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
        // Not filled up to the longest there is: what a length tells of an alert is little.
        return new Uint8Array(await encryptNotification(subscription, bytes, { pad: false }));
      } catch {
        // A point that is not on the curve; the text was made to fit.
        return null;
      }
    });
  }
}

type SendDeps = PushSenderDeps & { service: PushService; sealing: Sealing; signatures: Signatures };

/** A message that is encrypted for its device. */
type Sealed = { target: PushTarget; body: Uint8Array<ArrayBuffer>; nonce: string };

/** Sends to the devices of one push service. */
class PushSender implements Sender {
  readonly platform = 'push';
  readonly service: PushService;
  readonly limits = { perSecond: PER_SECOND, chatGapMs: 0, chatPerMinute: () => null, namesScope: false };
  readonly remembersNonceMs = 0;
  /** The origin that was sent to last, which a check asks. */
  #lastOrigin: string | null = null;

  constructor(private readonly deps: SendDeps) {
    this.service = deps.service;
  }

  readonly send = async (outgoing: Outgoing): Promise<SendOutcome> => {
    const { targetOf, sealing, signatures, clock } = this.deps;
    const { chatId, nonce } = outgoing;
    const deviceId = readDeviceAddress(chatId)?.id ?? 0;
    const target = targetOf(deviceId);
    if (target === null) return { kind: 'refused', reason: REMOVED };
    const body = await sealing.encrypt(target, this.#textOf(outgoing, deviceId));
    if (body === null) return { kind: 'chatBroken', reason: UNUSABLE };
    const sealed = { target, body, nonce };
    const answer = await this.#post(sealed, signatures.headerFor(target));
    if (answer.kind !== 'httpError' || !isUnsigned(answer.status)) return outcomeOf(answer, nonce);
    // Perhaps because of its time. The service's clock decides that, so sign for the time that it states.
    const again = signatures.renew(target, serverTime(answer.headers) ?? clock.now());
    return outcomeOf(await this.#post(sealed, again), nonce);
  };

  readonly check = async (): Promise<PlatformCheck> => {
    const origin = this.#lastOrigin;
    if (origin === null) return { kind: 'up' };
    const url = `${origin}/`;
    const endpoint = `${namedOrigin(this.service, origin)}/`;
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER };
    const answer = await this.deps.http.bytes({ method: 'GET', url, endpoint, ...limits });
    // There is nothing to be had at that address: any answer tells that the service is there.
    const isThere = answer.kind === 'ok' || answer.kind === 'httpError' || answer.kind === 'tooLarge';
    if (isThere) return { kind: 'up' };
    const outcome = outcomeOf(answer, '');
    return { kind: 'down', reason: 'reason' in outcome ? outcome.reason : 'could not be reached' };
  };

  async #post({ target, body, nonce }: Sealed, authorization: string): Promise<BytesOutcome> {
    const { http, clocks } = this.deps;
    const { origin } = new URL(target.endpoint);
    this.#lastOrigin = origin;
    const answer = await http.bytes({
      method: 'POST',
      url: target.endpoint,
      endpoint: `${namedOrigin(this.service, origin)}/{device}`,
      headers: {
        authorization,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(TTL_SECONDS),
        urgency: 'high',
        // A repeat takes the place of what the service still keeps of the same message.
        topic: nonce,
      },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER,
    });
    const time = 'headers' in answer ? serverTime(answer.headers) : null;
    if (time !== null) clocks.heard(this.service, time);
    return answer;
  }

  #textOf({ message, nonce, mayRepeat }: Outgoing, deviceId: number): string {
    const { tokens, clock } = this.deps;
    const acts = actionTargetOf(message);
    const token = acts && tokens.sign({ deviceId, ...acts }, clock.now());
    return JSON.stringify(pushNotice(message, { nonce, mayRepeat, token }));
  }
}

/** Sends to the devices of each of these services. */
export function createPushSenders(deps: PushSenderDeps, services: readonly PushService[]): Sender[] {
  const shared = { ...deps, sealing: new Sealing(), signatures: new Signatures(deps) };
  return services.map((service) => new PushSender({ ...shared, service }));
}
