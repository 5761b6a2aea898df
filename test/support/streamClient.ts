import { connect, type Socket } from 'node:net';
import { constants, createGunzip, type Gunzip } from 'node:zlib';

export type StreamEvent = { id: string | null; event: string; data: unknown };

export type StreamClient = {
  events: StreamEvent[];
  /** The bytes of the body as they arrived. */
  body(): Buffer;
  head(): string;
  /** Waits until `ready` is true of the client; fails after 5 s. */
  until(ready: (client: StreamClient) => boolean): Promise<void>;
  pause(): void;
  resume(): void;
  /** Whether the body came to its regular end. */
  finished(): boolean;
  ended(): boolean;
  /** Leaves without closing properly. */
  leave(): void;
};

/** Reads server-sent events from text that arrives in chunks. */
export function createEventReader(receive: (event: StreamEvent) => void, retry?: (ms: number) => void) {
  let rest = '';
  return (text: string): void => {
    rest += text;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.split(':')[0], line.slice(line.indexOf(':') + 1).trim()]),
      );
      if (fields.has('retry')) retry?.(Number(fields.get('retry')));
      if (!fields.has('data')) continue;
      receive({
        id: fields.get('id') ?? null,
        event: fields.get('event') ?? 'message',
        data: JSON.parse(fields.get('data') ?? ''),
      });
    }
  };
}

/** A client on a raw socket, so that a test decides when it reads and sees every byte. */
export function openStreamClient(
  port: number,
  path = '/',
  headers: Record<string, string> = { 'accept-encoding': 'gzip' },
): StreamClient {
  const events: StreamEvent[] = [];
  const chunks: Buffer[] = [];
  let head = '';
  let raw = Buffer.alloc(0);
  let ended = false;
  let finished = false;
  let gunzip: Gunzip | null = null;
  const read = createEventReader((event) => events.push(event));
  const socket: Socket = connect(port, '127.0.0.1');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}\r\n`);

  function takeBody(bytes: Buffer): void {
    chunks.push(bytes);
    if (gunzip) gunzip.write(bytes);
    else read(bytes.toString('utf8'));
  }

  /** Decodes chunked transfer coding as far as whole chunks have arrived. */
  function takeChunks(): void {
    for (;;) {
      const line = raw.indexOf('\r\n');
      if (line < 0) return;
      const size = Number.parseInt(raw.toString('latin1', 0, line), 16);
      if (raw.length < line + 2 + size + 2) return;
      if (size === 0) finished = true;
      else takeBody(raw.subarray(line + 2, line + 2 + size));
      raw = raw.subarray(line + 2 + size + 2);
    }
  }

  socket.on('data', (bytes: Buffer) => {
    raw = Buffer.concat([raw, bytes]);
    if (head === '') {
      const end = raw.indexOf('\r\n\r\n');
      if (end < 0) return;
      head = raw.toString('latin1', 0, end);
      raw = raw.subarray(end + 4);
      if (/content-encoding: gzip/i.test(head)) {
        gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
        gunzip.on('data', (plain: Buffer) => read(plain.toString('utf8')));
      }
    }
    takeChunks();
  });
  socket.on('close', () => {
    ended = true;
  });
  socket.on('error', () => {
    ended = true;
  });

  const client: StreamClient = {
    events,
    body: () => Buffer.concat(chunks),
    head: () => head,
    async until(ready) {
      const limit = Date.now() + 30_000;
      while (!ready(client)) {
        if (Date.now() > limit)
          throw new Error(`Nothing matched within 30 s; events: ${events.map(({ event }) => event).join()}`);
        await Bun.sleep(2);
      }
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    finished: () => finished,
    ended: () => ended,
    leave: () => socket.destroy(),
  };
  return client;
}
