import { afterEach, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { inPieces } from '../../../src/relays/relay/inPieces.ts';

const undo: (() => unknown)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

/** Asks a server that gives up connections after a second, and leaves the connection open. @returns what came, as it ends */
function asked(answer: () => Response): Promise<string> {
  const server = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0, idleTimeout: 1 },
    fetch: (request, { timeout }) =>
      inPieces(request, answer(), {
        keepOpen: (of) => timeout.call(server, of, 0),
        limitAgain: (of) => timeout.call(server, of, 1),
      }),
  });
  undo.push(() => server.stop(true));
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(server.port ?? 0, '127.0.0.1');
  undo.push(() => socket.destroy());
  let came = '';
  socket.on('data', (data) => (came += data.toString()));
  socket.on('close', () => resolve(came));
  socket.write('GET / HTTP/1.1\r\nhost: relay\r\n\r\n');
  return promise;
}

test('an answer in pieces may be silent for long; once it is over its connection is given up as any other', async () => {
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue('first');
      await Bun.sleep(6000);
      controller.enqueue('last');
      controller.close();
    },
  });
  expect(await asked(() => new Response(body))).toMatch(/first[^]{1,40}last/);
});

test('an answer that is there at once is left as it is', async () => {
  const small = new Response('all', { headers: { 'content-length': '3' } });
  const none = new Response(null, { status: 204 });
  const never = (): never => {
    throw new Error('The limit was touched.');
  };
  for (const response of [small, none]) {
    const given = inPieces(new Request('http://relay/'), response, { keepOpen: never, limitAgain: never });
    expect(given).toBe(response);
  }
});
