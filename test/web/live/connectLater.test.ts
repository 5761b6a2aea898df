import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { connectLater } from '../../../web/live/stream/connect.ts';
import type { Connect, FromWindow, ToWindow } from '../../../web/live/stream/protocol.ts';

let warn: ReturnType<typeof spyOn>;
beforeEach(() => {
  warn = spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => warn.mockRestore());

/** A connection whose code comes, or not, when the test says so. */
function setUp() {
  const attempts: PromiseWithResolvers<Connect>[] = [];
  const heard: FromWindow['type'][] = [];
  const received: ToWindow[] = [];
  let opened = 0;
  const connect: Connect = (receive) => {
    opened += 1;
    receive({ type: 'connection', connection: 'connecting' });
    return ({ type }) => heard.push(type);
  };
  const send = connectLater(() => {
    const attempt = Promise.withResolvers<Connect>();
    attempts.push(attempt);
    return attempt.promise;
  })((message) => received.push(message));
  const settle = async (how: 'comes' | 'fails') => {
    if (how === 'comes') attempts.at(-1)?.resolve(connect);
    else attempts.at(-1)?.reject(new TypeError('Failed to fetch dynamically imported module'));
    await Bun.sleep(0);
  };
  return { send, settle, heard, received, attempts, opened: () => opened };
}

test('what the window says before the code is there is passed on then, in its order', async () => {
  const { send, settle, heard, received, opened } = setUp();
  send({ type: 'shown' });
  send({ type: 'retry' });
  await settle('comes');
  send({ type: 'bye' });
  expect(heard).toEqual(['shown', 'retry', 'bye']);
  expect(received).toEqual([{ type: 'connection', connection: 'connecting' }]);
  expect(opened()).toBe(1);
});

test('code that does not come leaves the window disconnected; a retry fetches it again', async () => {
  const { send, settle, received, attempts, opened } = setUp();
  await settle('fails');
  expect(received).toEqual([{ type: 'connection', connection: 'disconnected' }]);
  send({ type: 'shown' });
  expect(attempts).toHaveLength(1);
  send({ type: 'retry' });
  send({ type: 'retry' });
  expect(attempts).toHaveLength(2);
  await settle('comes');
  expect(opened()).toBe(1);
});
