import { connect, type Socket } from 'node:net';
import { serveSupervisor } from './pinned.ts';

export type Attack = {
  port: number;
  requests: readonly Sent[];
  times: number;
  pipelined?: boolean;
  /** Time after which unread streams are closed, ms. */
  holdMs?: number;
};

export type Sent = {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
};

export type Answers = Record<string, number>;

/** Streams do not end, so only their first chunks are read. */
const MAX_CHUNKS = 4;
const STREAM_MS = 500;

async function send(port: number, { method, path, headers = {}, body }: Sent): Promise<string> {
  const abort = new AbortController();
  let status = '0';
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers,
      signal: abort.signal,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    status = String(response.status);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isStream) setTimeout(() => abort.abort(), STREAM_MS);
    let chunks = 0;
    for await (const _ of response.body ?? []) {
      chunks += 1;
      if (isStream && chunks === MAX_CHUNKS) break;
    }
    abort.abort();
  } catch {
    // An aborted request, or an abandoned stream, counts as answered.
  }
  return status;
}

const written = ({ method, path, headers = {}, body = '' }: Sent): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: bench',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

async function open(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await new Promise((done, fail) => socket.once('connect', done).once('error', fail));
  // Later failures show as missing answers.
  socket.on('error', () => socket.destroy());
  return socket;
}

async function pipeline(port: number, all: readonly Sent[]): Promise<Answers> {
  const socket = await open(port);
  const answers: Answers = {};
  let count = 0;
  const over = new Promise<void>((done) => {
    socket.once('close', () => done());
    socket.on('data', (bytes: Buffer) => {
      for (const [, status = '0'] of bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
        answers[status] = (answers[status] ?? 0) + 1;
        count += 1;
      }
      if (count >= all.length) done();
    });
  });
  for (const one of all) socket.write(written(one));
  await Promise.race([over, Bun.sleep(20_000)]);
  socket.destroy();
  return answers;
}

async function hold(port: number, all: readonly Sent[], ms: number): Promise<Answers> {
  const sockets = await Promise.all(
    all.map(async (one) => {
      const socket = await open(port);
      socket.pause();
      socket.write(written(one));
      return socket;
    }),
  );
  await Bun.sleep(ms);
  const left = sockets.filter((socket) => !socket.destroyed).length;
  for (const socket of sockets) socket.destroy();
  return { open: left };
}

async function attack({ port, requests, times, pipelined, holdMs }: Attack): Promise<Answers> {
  const all = Array.from({ length: times }, () => requests).flat();
  if (holdMs !== undefined) return hold(port, all, holdMs);
  if (pipelined === true) return pipeline(port, all);
  const answers: Answers = {};
  for (const status of await Promise.all(all.map((one) => send(port, one)))) {
    answers[status] = (answers[status] ?? 0) + 1;
  }
  return answers;
}

serveSupervisor<Attack, Answers>(attack);
