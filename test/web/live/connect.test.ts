import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import {
  FIRST_WORD_MS,
  type WorkerLine,
  type WorkerListener,
  connectLater,
  createConnect,
} from '#web/live/stream/connect.ts';
import { type Connect, type FromWindow, type ToWindow, packed } from '#web/live/stream/protocol.ts';
import { EVERYTHING } from '#web/live/stream/view.ts';
import { fakeTimers } from '#support/fakeEventSource.ts';
import { aDelta } from '#support/market.ts';

type Open = (listener: WorkerListener) => WorkerLine;
type Worker = WorkerListener & { got: FromWindow['type'][]; closed: boolean };

/** A window with or without a shared worker, and a fallback stream of its own. */
function setUp(kind: 'worker' | 'none' | 'refused' = 'worker') {
  const timers = fakeTimers();
  const workers: Worker[] = [];
  const openWorker: Open = (listener) => {
    if (kind === 'refused') throw new DOMException('Not here.', 'SecurityError');
    const worker: Worker = { ...listener, got: [], closed: false };
    workers.push(worker);
    return {
      post: ({ type }) => worker.got.push(type),
      close: () => {
        worker.closed = true;
      },
    };
  };
  const own: FromWindow['type'][] = [];
  let streams = 0;
  const received: ToWindow[] = [];
  const connect = createConnect({
    openWorker: kind === 'none' ? null : openWorker,
    inWindow: () => {
      streams += 1;
      return ({ type }) => own.push(type);
    },
    after: timers.after,
  });
  const send = connect((message) => received.push(message));
  const worker = (): Worker => {
    const [first] = workers;
    if (!first) throw new Error('No worker was opened.');
    return first;
  };
  return { send, worker, timers, own, received, streams: () => streams };
}

const live: ToWindow = { type: 'connection', connection: 'live' };

describe('with a shared worker', () => {
  test('messages pass both ways, deltas as text, and the window opens no stream', () => {
    const { send, worker, timers, received, streams } = setUp();
    const delta: ToWindow = {
      type: 'delta',
      delta: aDelta({ BHP: { last: 2 } }),
      receivedAt: 5,
      changedAt: 5,
    };
    worker().message(live);
    worker().message(packed(delta));
    send({ type: 'shown' });
    timers.pass(60_000);
    expect(received).toEqual([live, delta]);
    expect(worker().got).toEqual(['shown']);
    expect(streams()).toBe(0);
  });

  test('an error of a running worker does not end it', () => {
    const { worker, streams } = setUp();
    worker().message(live);
    worker().failed();
    expect(streams()).toBe(0);
    expect(worker().closed).toBe(false);
  });
});

describe('the window opens its own stream', () => {
  test.each(['none', 'refused'] as const)('immediately if shared workers are: %s', (kind) => {
    const { send, own, streams } = setUp(kind);
    expect(streams()).toBe(1);
    send({ type: 'shown' });
    send({ type: 'retry' });
    expect(own).toEqual(['shown', 'retry']);
  });

  test('if the script does not load', () => {
    const { send, worker, timers, own, streams } = setUp();
    worker().failed();
    worker().failed();
    expect(streams()).toBe(1);
    expect(worker()).toMatchObject({ closed: true, got: ['bye'] });
    send({ type: 'here' });
    timers.pass(60_000);
    expect(own).toEqual(['here']);
    expect(streams()).toBe(1);
  });

  test('if the worker does not answer in time, and then ignores the worker', () => {
    const { worker, timers, received, streams } = setUp();
    timers.pass(FIRST_WORD_MS - 1);
    expect(streams()).toBe(0);
    timers.pass(1);
    expect(streams()).toBe(1);
    worker().message(live);
    expect(received).toEqual([]);
  });

  test('if a retry is not answered, because the worker was killed', () => {
    const { send, worker, timers, own, streams } = setUp();
    worker().message(live);
    send({ type: 'retry' });
    worker().message(live);
    timers.pass(FIRST_WORD_MS);
    expect(streams()).toBe(0);
    send({ type: 'retry' });
    timers.pass(FIRST_WORD_MS);
    expect(streams()).toBe(1);
    send({ type: 'shown' });
    expect(own).toEqual(['shown']);
  });

  test('and repeats to it what it watches and which user’s alerts it needs', () => {
    const { send, worker, own } = setUp();
    send({ type: 'watch', watch: EVERYTHING, version: 1 });
    send({ type: 'session', token: 't', lastEventId: '' });
    worker().failed();
    expect(worker().got).toEqual(['watch', 'session', 'bye']);
    expect(own).toEqual(['watch', 'session']);
  });
});

describe('a connection whose code loads later', () => {
  let warn: ReturnType<typeof spyOn>;
  beforeEach(() => {
    warn = spyOn(console, 'warn').mockImplementation(() => {});
  });
  afterEach(() => warn.mockRestore());

  /** A connection whose code loads, or fails, on demand. */
  function setUp() {
    const attempts: PromiseWithResolvers<Connect>[] = [];
    const requests: FromWindow['type'][] = [];
    const received: ToWindow[] = [];
    let opened = 0;
    const connect: Connect = (receive) => {
      opened += 1;
      receive({ type: 'connection', connection: 'connecting' });
      return ({ type }) => requests.push(type);
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
    return { send, settle, requests, received, attempts, opened: () => opened };
  }

  test('sends what the window said before in the original order', async () => {
    const { send, settle, requests, received, opened } = setUp();
    send({ type: 'shown' });
    send({ type: 'retry' });
    await settle('comes');
    send({ type: 'bye' });
    expect(requests).toEqual(['shown', 'retry', 'bye']);
    expect(received).toEqual([{ type: 'connection', connection: 'connecting' }]);
    expect(opened()).toBe(1);
  });

  test('leaves the window disconnected if the code fails to load, and a retry loads it again', async () => {
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
});
