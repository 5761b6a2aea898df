import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fetch } from '../../src/lib/httpClient/client.ts';

/** What goes wrong with a call. Those that end in `Accepted` deliver the message all the same. */
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

/** A message that reached its reader. */
export type Arrival = { chatId: string; text: string; isMarked: boolean; at: number };

/** What a server does: answers, answers never, or ends the connection. */
export type Reply =
  | { kind: 'answer'; status: number; headers: Record<string, string>; body: string }
  | { kind: 'silence' }
  | { kind: 'cut' }
  | { kind: 'away' };

export type Call = { method: string; path: string; headers: Record<string, string>; body: unknown };

/** A platform: what it says to a call, and what it looks like when something goes wrong. */
export type Platform = {
  /** Delivers a message, if the call is one, and gives the regular answer. */
  handle(call: Call): { status: number; headers?: Record<string, string>; body: unknown };
  limited(all: boolean): { status: number; headers?: Record<string, string>; body: unknown };
  isSending(call: Call): boolean;
};

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply => ({
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

/** The reply to a call with which something goes wrong. */
export function replyOf(platform: Platform, call: Call, mishap: Mishap): Reply {
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

export function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const broken = (code: string): Error => Object.assign(new Error('no connection'), { code });

/** The replies as a `fetch` that needs no network, for tests with a clock of their own. */
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

export type Served = { url: string; stop(): void };

/** The replies on a free port of 127.0.0.1. `onAnswered` is told when an answer is on its way to the caller. */
export async function serve(
  answer: (call: Call) => Reply | Promise<Reply>,
  onAnswered: (call: Call) => void = () => undefined,
): Promise<Served> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const body = parsedBody(Buffer.concat(chunks).toString());
      const call = { method: request.method ?? '', path: request.url ?? '', headers, body };
      void Promise.resolve(answer(call)).then((reply) => {
        if (reply.kind === 'silence') return;
        if (reply.kind !== 'answer') return void request.socket.destroy();
        response.writeHead(reply.status, reply.headers);
        response.end(reply.body, () => onAnswered(call));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
