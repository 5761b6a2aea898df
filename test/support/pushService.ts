import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord, parseJson } from '#lib/json.ts';
import type { PushNotification } from '#platform/push/rules/notification.ts';
import type { Subscription } from '#subjects/devices/rules/pushEndpoint.ts';

/*
 * A push service of our own: it accepts what RFC 8030 specifies, checks the sender (RFC 8292), and decrypts with the private key of a browser that
 * it created (RFC 8291). It shares no code with what it tests.
 */

const base64url = (bytes: ArrayBuffer | Uint8Array): string =>
  new Uint8Array(bytes as ArrayBuffer).toBase64({ alphabet: 'base64url', omitPadding: true });
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.fromBase64(text, { alphabet: 'base64url' });
const ascii = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(parts));

/** Faults of a message. Those that end in `Accepted` still deliver it. */
export type PushMishap =
  | 'none'
  | 'hang'
  | 'hangAccepted'
  | 'cut'
  | 'cutAccepted'
  | 'error500Accepted'
  | { status: number; retryAfter?: string };

/** A message that a browser could decrypt. */
export type PushArrival = {
  /** The browser’s number, from `browser`. */
  browser: number;
  notification: PushNotification;
  headers: Headers;
  claims: Record<string, unknown>;
  at: number;
};

type Browser = { number: number; keys: CryptoKeyPair; publicKey: Uint8Array<ArrayBuffer>; auth: Uint8Array };

/** RFC 8291, section 3, and RFC 8188, section 2. @returns the text */
async function decrypted({ keys, publicKey, auth }: Browser, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const salt = body.slice(0, 16);
  const keyLength = body[20] ?? 0;
  const sender = body.slice(21, 21 + keyLength);
  const { subtle } = crypto;
  const curve = { name: 'ECDH', namedCurve: 'P-256' };
  const theirs = await subtle.importKey('raw', sender, curve, false, []);
  const shared = await subtle.deriveBits({ name: 'ECDH', public: theirs }, keys.privateKey, 256);
  const derive = async (
    secret: BufferSource,
    with_: BufferSource,
    info: Uint8Array<ArrayBuffer>,
    bits: number,
  ) => {
    const key = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
    return subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: with_, info }, key, bits);
  };
  const keyInfo = joined(ascii('WebPush: info\0'), publicKey, sender);
  const secret = await derive(shared, new Uint8Array(auth), keyInfo, 256);
  const contentKey = await derive(secret, salt, ascii('Content-Encoding: aes128gcm\0'), 128);
  const iv = await derive(secret, salt, ascii('Content-Encoding: nonce\0'), 96);
  const aes = await subtle.importKey('raw', contentKey, 'AES-GCM', false, ['decrypt']);
  const plain = new Uint8Array(
    await subtle.decrypt({ name: 'AES-GCM', iv }, aes, body.slice(21 + keyLength)),
  );
  const end = plain.lastIndexOf(2);
  if (end < 0 || plain.slice(end + 1).some((byte) => byte !== 0))
    throw new Error('no delimiter of a last record');
  return new TextDecoder().decode(plain.slice(0, end));
}

/** A token that is not valid now, as from a server with a wrong clock. */
class OfAnotherTime extends Error {}

/** RFC 8292: a token signed with its key, for this service, for the next day. @returns its claims */
async function checkedToken(
  authorization: string,
  { origin, now }: { origin: string; now: number },
): Promise<Record<string, unknown>> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]{20,2000}), k=([\w-]{80,100})$/.exec(authorization) ?? [];
  const [head = '', claimText = '', signature = ''] = token.split('.');
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const publicKey = await crypto.subtle.importKey('raw', bytesOf(key), algorithm, false, ['verify']);
  const signed = ascii(`${head}.${claimText}`);
  const how = { name: 'ECDSA', hash: 'SHA-256' };
  if (!(await crypto.subtle.verify(how, publicKey, bytesOf(signature), signed))) {
    throw new Error('the signature of the token is wrong');
  }
  const claims = parseJson(new TextDecoder().decode(bytesOf(claimText)));
  if (!claims.ok || !isRecord(claims.value)) throw new Error('the token has no claims');
  const { aud, exp, sub } = claims.value;
  // The library accepts only https.
  if (aud !== origin.replace('http:', 'https:')) throw new Error(`the token is for ${String(aud)}`);
  const leftSeconds = Number(exp) - now / 1000;
  if (!(leftSeconds > 0 && leftSeconds <= 24 * 3600)) throw new OfAnotherTime();
  if (!/^(https:\/\/|mailto:)\S+$/.test(String(sub))) throw new Error(`the token is of ${String(sub)}`);
  return { ...claims.value, key };
}

async function read(
  browser: Browser,
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  at: { origin: string; now: number },
) {
  if (headers.get('content-encoding') !== 'aes128gcm') throw new Error('another encoding');
  if (!/^\d{1,7}$/.test(headers.get('ttl') ?? '')) throw new Error('no TTL');
  const topic = headers.get('topic');
  if (topic !== null && !/^[\w-]{1,32}$/.test(topic)) throw new Error(`a topic like ${topic}`);
  if (body.byteLength > 4096) throw new Error(`${body.byteLength} bytes`);
  const claims = await checkedToken(headers.get('authorization') ?? '', at);
  const notification = JSON.parse(await decrypted(browser, body)) as PushNotification;
  return { browser: browser.number, notification, headers, claims, at: performance.now() };
}

/** What the service does: a status, with a retry time; or nothing that can be read as an answer. */
type Reply = { status: number; retryAfter?: string; text?: string } | 'silence' | 'cut';

export async function openPushService() {
  const browsers: Browser[] = [];
  const arrivals: PushArrival[] = [];
  const attempts: { browser: number; at: number; authorization: string }[] = [];
  const faults: string[] = [];
  let origin = '';
  let decide: (browser: number) => PushMishap = () => 'none';
  let clock = { now: () => Date.now(), statesTime: true };
  let received: (step: 'arrived' | 'delivered') => void = () => {};

  async function take(browser: Browser, headers: Headers, body: Uint8Array<ArrayBuffer>): Promise<Reply> {
    const authorization = headers.get('authorization') ?? '';
    attempts.push({ browser: browser.number, at: performance.now(), authorization });
    received('arrived');
    const mishap = decide(browser.number);
    if (typeof mishap === 'object') return mishap;
    if (mishap === 'hang') return 'silence';
    if (mishap === 'cut') return 'cut';
    try {
      arrivals.push(await read(browser, headers, body, { origin, now: clock.now() }));
    } catch (error) {
      // As Apple answers.
      if (error instanceof OfAnotherTime) return { status: 403, text: '{"reason":"ExpiredJwtToken"}' };
      faults.push(String(error));
      return { status: 400 };
    }
    received('delivered');
    if (mishap === 'hangAccepted') return 'silence';
    if (mishap === 'cutAccepted') return 'cut';
    return { status: mishap === 'error500Accepted' ? 500 : 201 };
  }

  const server = createServer((request, response) => {
    const [, number] = /\/push\/(\d{1,9})$/.exec(request.url ?? '') ?? [];
    const browser = browsers[Number(number) - 1];
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const headers = new Headers(request.headers as Record<string, string>);
      const reply: Reply =
        browser && request.method === 'POST'
          ? await take(browser, headers, new Uint8Array(Buffer.concat(chunks)))
          : { status: 404 };
      if (reply === 'silence') return;
      if (reply === 'cut') return void request.socket.destroy();
      // A kept-alive connection is closed after it was idle, perhaps just as it is reused.
      const wait = reply.retryAfter ? { 'retry-after': reply.retryAfter } : {};
      response.sendDate = false;
      const date = clock.statesTime ? { date: new Date(clock.now()).toUTCString() } : {};
      response.writeHead(reply.status, { connection: 'close', ...wait, ...date });
      response.end(reply.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    /** Every message that arrived, accepted or not; and a sentence for each violation of the standards. */
    origin,
    arrivals,
    attempts,
    faults,
    async browser(): Promise<{ number: number; subscription: Subscription }> {
      const curve = { name: 'ECDH', namedCurve: 'P-256' };
      const keys = (await crypto.subtle.generateKey(curve, true, ['deriveBits'])) as CryptoKeyPair;
      const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', keys.publicKey));
      const auth = crypto.getRandomValues(new Uint8Array(16));
      const number = browsers.push({ number: browsers.length + 1, keys, publicKey, auth });
      const endpoint = `${origin}/push/${number}`;
      return { number, subscription: { endpoint, p256dh: base64url(publicKey), auth: base64url(auth) } };
    },
    setMishap: (next: typeof decide) => void (decide = next),
    /** Its time, epoch ms, which decides whether signatures are valid; `statesTime`: whether its answers contain it. */
    setClock: (now: () => number, statesTime = true) => void (clock = { now, statesTime }),
    /** Called when a message arrived, and when a browser has it. */
    listen: (next: typeof received) => void (received = next),
    stop(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type PushServer = Awaited<ReturnType<typeof openPushService>>;
