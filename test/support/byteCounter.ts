import { createServer, connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Passes connections on to a local port and counts what comes back. */
export type ByteCounter = { port: number; received(): number; stop(): void };

/** @param target port on 127.0.0.1 that the connections go to. */
export function startCounter(target: number): ByteCounter {
  let received = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    upstream.on('data', (chunk: Uint8Array) => {
      received += chunk.byteLength;
      client.write(chunk);
    });
    client.on('data', (chunk: Uint8Array) => upstream.write(chunk));
  }).listen(0, '127.0.0.1');
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
