import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fetch } from '#lib/httpClient/client.ts';
import { isRecord } from '#lib/json.ts';

export const DISCORD_TOKEN = 'markedDiscordTokenXXXXXXXX.abcdef.0123456789_abcdefghijklmnopqrstuv';

/** Looks like a real one, and is easy to find wherever it leaks. */
export const TELEGRAM_TOKEN = '987654321:AAmarkedTelegramToken_abcdefghijklmn';

const REPEAT = '(may be a repeat)';

/** Delivers a message. @returns its number */
type Deliver = (chatId: string, text: unknown) => number;
/** The platform’s answer instead of a delivery; null means it delivers. */
type Refuse = (chatId: string) => Record<string, unknown> | null;

/** A platform that counts what it delivered, whatever it answers. @param chatOf the chat that a call sends to */
function createFailing(
  { now }: { now(): number },
  chatOf: (call: Call) => string,
  create: (deliver: Deliver, refuse: Refuse) => Platform,
) {
  const arrivals: Arrival[] = [];
  /** When and where each message was sent, accepted or not. */
  const attempts: { chatId: string; at: number }[] = [];
  let decide: (call: Call) => Mishap = () => 'none';
  let refuse: Refuse = () => null;
  const deliver: Deliver = (chatId, text) =>
    arrivals.push({ chatId, text: String(text), isMarked: String(text).includes(REPEAT), at: now() });
  const platform = create(deliver, (chatId) => refuse(chatId));
  return {
    arrivals,
    attempts,
    answer(call: Call): Reply {
      if (platform.isSending(call)) attempts.push({ chatId: chatOf(call), at: now() });
      return replyOf(platform, call, decide(call));
    },
    /** Decides the fault of the next call; none until then. */
    setMishap: (next: typeof decide) => void (decide = next),
    setRefusal: (next: Refuse) => void (refuse = next),
  };
}

/** Messages that a channel accepts within this time. */
const BUCKET = 5;
const BUCKET_MS = 5000;
const REMEMBERS_MS = 180_000;

/** The channel between the bot and a user has the user’s ID with another first digit. */
const channelOf = (userId: string): string => `9${userId.slice(1)}`;
const userOf = (channel: string): string => `1${channel.slice(1)}`;
const channelIn = ({ path }: Call): string => /\/channels\/(\d+)\/messages$/.exec(path)?.[1] ?? '';

/** A Discord whose user IDs begin with 1. */
export function createFailingDiscord(options: { now(): number }) {
  const { now } = options;
  const nonces = new Map<string, { id: string; at: number }>();
  const taken = new Map<string, number[]>();
  let overLimit = 0;

  /** How many more the channel accepts, and until when. */
  function bucketOf(channel: string): { left: number; resetMs: number; times: number[] } {
    const times = (taken.get(channel) ?? []).filter((time) => time > now() - BUCKET_MS);
    const [first = now()] = times;
    return { left: BUCKET - times.length, resetMs: first + BUCKET_MS - now(), times };
  }

  function create(channel: string, body: unknown, deliver: Deliver): ReturnType<Platform['handle']> {
    const { content, nonce, enforce_nonce: isEnforced } = isRecord(body) ? body : {};
    const { left, resetMs, times } = bucketOf(channel);
    if (left <= 0) {
      overLimit += 1;
      return { status: 429, body: { message: 'limited', retry_after: resetMs / 1000, global: false } };
    }
    taken.set(channel, [...times, now()]);
    const headers = {
      'x-ratelimit-limit': String(BUCKET),
      'x-ratelimit-remaining': String(left - 1),
      'x-ratelimit-reset-after': String(bucketOf(channel).resetMs / 1000),
      'x-ratelimit-bucket': 'messages',
    };
    const key = `${channel} ${String(nonce)}`;
    const known = nonces.get(key);
    if (isEnforced === true && known && now() - known.at < REMEMBERS_MS) {
      return { status: 200, headers, body: { id: known.id, content } };
    }
    const id = String(deliver(userOf(channel), content));
    nonces.set(key, { id, at: now() });
    return { status: 200, headers, body: { id, content } };
  }

  const platform = (deliver: Deliver, refuse: Refuse): Platform => ({
    isSending: (call) => channelIn(call) !== '',
    limited: (all) => ({
      status: 429,
      headers: { 'retry-after': '1', ...(all && { 'x-ratelimit-global': 'true' }) },
      body: { message: 'You are being rate limited.', retry_after: 1.25, global: all },
    }),
    handle(call) {
      const sent = new Headers(call.headers).get('authorization');
      if (sent !== `Bot ${DISCORD_TOKEN}`) {
        return { status: 401, body: { message: '401: Unauthorized', code: 0 } };
      }
      const channel = channelIn(call);
      const refusal = channel === '' ? null : refuse(userOf(channel));
      if (refusal) return { status: Number(refusal['status']), body: refusal };
      if (channel !== '') return create(channel, call.body, deliver);
      if (call.path.endsWith('/users/@me/channels')) {
        const recipient = isRecord(call.body) ? String(call.body['recipient_id']) : '';
        return { status: 200, body: { id: channelOf(recipient), type: 1 } };
      }
      return { status: 200, body: { id: '42', username: 'bell', bot: true } };
    },
  });
  return {
    ...createFailing(options, (call) => userOf(channelIn(call)), platform),
    /** Messages that were sent although the bucket was empty. */
    overLimit: () => overLimit,
  };
}

const chatIn = ({ body }: Call): string => String(isRecord(body) ? body['chat_id'] : '');

export const createFailingTelegram = (options: { now(): number }) =>
  createFailing(options, chatIn, (deliver, refuse) => ({
    isSending: ({ path }) => path.endsWith('/sendMessage'),
    limited: () => ({
      status: 429,
      body: {
        ok: false,
        error_code: 429,
        description: 'Too Many Requests: retry after 1',
        parameters: { retry_after: 1 },
      },
    }),
    handle(call) {
      if (!call.path.startsWith(`/bot${TELEGRAM_TOKEN}/`)) {
        return { status: 401, body: { ok: false, error_code: 401, description: 'Unauthorized' } };
      }
      if (!call.path.endsWith('/sendMessage')) {
        return { status: 200, body: { ok: true, result: { id: 1, is_bot: true, username: 'bell_bot' } } };
      }
      const refusal = refuse(chatIn(call));
      if (refusal) return { status: Number(refusal['error_code']), body: { ok: false, ...refusal } };
      const id = deliver(chatIn(call), isRecord(call.body) ? call.body['text'] : '');
      return { status: 200, body: { ok: true, result: { message_id: id, date: 0 } } };
    },
  }));

/** Faults of a call. Those that end in `Accepted` still deliver the message. */
export const MISHAPS = [
  'limited',
  'limitedAll',
  'error500',
  'error500Accepted',
  'html',
  'htmlAccepted',
  'truncatedAccepted',
  'wrongTypesAccepted',
  'cut',
  'cutAccepted',
  'hang',
  'hangAccepted',
] as const;
export type Mishap = 'none' | 'away' | (typeof MISHAPS)[number];

export type Arrival = { chatId: string; text: string; isMarked: boolean; at: number };

/** What a server does: answers, never answers, or closes the connection. */
export type Reply =
  | { kind: 'answer'; status: number; headers: Record<string, string>; body: string }
  | { kind: 'silence' }
  | { kind: 'cut' }
  | { kind: 'away' };

export type Call = { method: string; path: string; headers: Record<string, string>; body: unknown };

/** A platform: its replies to calls, and to calls with a fault. */
type Platform = {
  /** Delivers a message, if the call is one, and returns the regular answer. */
  handle(call: Call): { status: number; headers?: Record<string, string>; body: unknown };
  limited(all: boolean): { status: number; headers?: Record<string, string>; body: unknown };
  isSending(call: Call): boolean;
};

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const html = (status: number): Reply => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'text/html' },
  body: '<!DOCTYPE html><html><body>Bad gateway</body></html>',
});

/** The reply to a call with a fault. */
function replyOf(platform: Platform, call: Call, mishap: Mishap): Reply {
  if (mishap === 'away') return { kind: 'away' };
  if (mishap === 'limited' || mishap === 'limitedAll') {
    const { status, body, headers } = platform.limited(mishap === 'limitedAll');
    return json(status, body, headers);
  }
  if (mishap === 'error500') return json(500, { ok: false, error_code: 500, description: 'Internal' });
  if (mishap === 'html') return html(502);
  if (mishap === 'cut') return { kind: 'cut' };
  if (mishap === 'hang') return { kind: 'silence' };
  const { status, body, headers } = platform.handle(call);
  const regular = json(status, body, headers);
  switch (mishap) {
    case 'none':
      return regular;
    case 'error500Accepted':
      return html(500);
    case 'htmlAccepted':
      return html(200);
    case 'truncatedAccepted':
      return regular.kind === 'answer' ? { ...regular, body: regular.body.slice(0, -5) } : regular;
    case 'wrongTypesAccepted':
      return json(200, ['unexpected', 7]);
    case 'cutAccepted':
      return { kind: 'cut' };
    case 'hangAccepted':
      return { kind: 'silence' };
  }
}

function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const broken = (code: string): Error => Object.assign(new Error('no connection'), { code });

/** The replies as a `fetch` that needs no network, for tests with their own clock. */
export function asFetch(answer: (call: Call) => Reply): Fetch {
  return (url, { method, headers, body, signal }) => {
    const reply = answer({
      method,
      path: new URL(url).pathname,
      headers,
      body: parsedBody(String(body ?? '')),
    });
    if (reply.kind === 'answer') {
      return Promise.resolve(new Response(reply.body, { status: reply.status, headers: reply.headers }));
    }
    if (reply.kind === 'cut') return Promise.reject(broken('ECONNRESET'));
    if (reply.kind === 'away') return Promise.reject(broken('ECONNREFUSED'));
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  };
}

export async function serve(answer: (call: Call) => Reply) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const body = parsedBody(Buffer.concat(chunks).toString());
      const reply = answer({ method: request.method ?? '', path: request.url ?? '', headers, body });
      if (reply.kind === 'silence') return;
      if (reply.kind !== 'answer') return void request.socket.destroy();
      response.writeHead(reply.status, reply.headers);
      response.end(reply.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
