import { describe, expect, test } from 'bun:test';
import {
  createConnect,
  FIRST_WORD_MS,
  type WorkerLine,
  type WorkerListener,
} from '../../../web/live/stream/connect.ts';
import { packed, type FromWindow, type ToWindow } from '../../../web/live/stream/protocol.ts';
import { EVERYTHING } from '../../../web/live/stream/view.ts';
import { fakeTimers } from '../../support/fakeEventSource.ts';
import { aDelta } from '../../support/market.ts';

type Open = (listener: WorkerListener) => WorkerLine;
type Worker = WorkerListener & { got: FromWindow['type'][]; closed: boolean };

/** A window before a shared worker (or none) and a stream of its own that it may fall back to. */
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
  test('messages pass both ways, deltas as text, and no stream is opened in the window', () => {
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

  test('an error of a worker that has started does not end it', () => {
    const { worker, streams } = setUp();
    worker().message(live);
    worker().failed();
    expect(streams()).toBe(0);
    expect(worker().closed).toBe(false);
  });
});

describe('the window opens its own stream', () => {
  test.each(['none', 'refused'] as const)('at once where shared workers are: %s', (kind) => {
    const { send, own, streams } = setUp(kind);
    expect(streams()).toBe(1);
    send({ type: 'shown' });
    send({ type: 'retry' });
    expect(own).toEqual(['shown', 'retry']);
  });

  test('when the script does not load', () => {
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

  test('when the worker has not spoken in time, and then listens to it no more', () => {
    const { worker, timers, received, streams } = setUp();
    timers.pass(FIRST_WORD_MS - 1);
    expect(streams()).toBe(0);
    timers.pass(1);
    expect(streams()).toBe(1);
    worker().message(live);
    expect(received).toEqual([]);
  });

  test('when a retry is not answered: the worker was killed', () => {
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

  test('and tells it what it watches and whose alerts it wants, also when that was said to the worker', () => {
    const { send, worker, own } = setUp();
    send({ type: 'watch', watch: EVERYTHING, version: 1 });
    send({ type: 'session', token: 't', lastEventId: '' });
    worker().failed();
    expect(worker().got).toEqual(['watch', 'session', 'bye']);
    expect(own).toEqual(['watch', 'session']);
  });

  test('never once the window is gone', () => {
    const { send, timers, streams } = setUp();
    send({ type: 'bye' });
    timers.pass(FIRST_WORD_MS);
    expect(streams()).toBe(0);
  });
});
