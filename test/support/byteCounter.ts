import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Forwards connections to a port of 127.0.0.1 and counts the bytes of the answers. */
export function startCounter(target: number) {
  let received = 0;
  let requests = 0;
  const paths = new Map<Socket, string>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    paths.set(client, '');
    const end = (): void => {
      paths.delete(client);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      socket.on('error', end);
      socket.on('close', end);
    }
    upstream.on('data', (chunk: Uint8Array) => {
      received += chunk.byteLength;
      client.write(chunk);
    });
    client.on('data', (chunk: Uint8Array) => {
      const path = /^[A-Z]+ ([^ ?]+)/.exec(new TextDecoder('latin1').decode(chunk.subarray(0, 300)))?.[1];
      if (path !== undefined) {
        requests += 1;
        paths.set(client, path);
      }
      upstream.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  return {
    port: (server.address() as AddressInfo).port,
    /** Answer bytes so far, on all connections. */
    received: () => received,
    /** Requests so far. */
    requests: () => requests,
    /** Open connections whose last request was for this path. */
    open: (path: string) => [...paths.values()].filter((last) => last === path).length,
    stop(): void {
      server.close();
      for (const socket of paths.keys()) socket.destroy();
    },
  };
}
