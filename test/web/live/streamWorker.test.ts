import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type FromWindow, type Packed, type ToWindow, unpacked } from '#web/live/stream/protocol.ts';
import { EVERYTHING } from '#web/live/stream/view.ts';
import { createElapsed } from '#web/live/stream/browserDeps.ts';
import { fakeSources } from '#support/fakeEventSource.ts';
import { aDelta, aSnapshot } from '#support/market.ts';

const sources = fakeSources();
const scope = globalThis as unknown as {
  onconnect?: ((event: { ports: (MessagePort | undefined)[] }) => void) | null;
  EventSource?: unknown;
};
const before = { onconnect: scope.onconnect, EventSource: scope.EventSource };

beforeAll(async () => {
  scope.EventSource = function FakeEventSource(url: string) {
    const source = sources.open(url);
    return {
      get readyState() {
        return source.readyState;
      },
      close: source.close,
      addEventListener: (type: string, listener: (event: Event) => void) =>
        source.addEventListener(type, (event) => listener(new MessageEvent(type, event))),
    };
  };
  await import('#web/live/streamWorker.ts');
});
afterAll(() => Object.assign(scope, before));

/** A window that connects to the worker through its port. */
function connect() {
  const got: ToWindow[] = [];
  const posted: Packed[] = [];
  let closed: () => void = () => {};
  const port = {
    onmessage: null as ((event: { data: FromWindow }) => void) | null,
    postMessage: (data: Packed) => {
      posted.push(data);
      got.push(unpacked(data));
    },
    addEventListener: (type: string, listener: () => void) => {
      if (type === 'close') closed = listener;
    },
  };
  scope.onconnect?.({ ports: [port as unknown as MessagePort] });
  port.onmessage?.({ data: { type: 'watch', watch: EVERYTHING, version: 1 } });
  return {
    got,
    posted,
    post: (type: 'retry' | 'bye') => port.onmessage?.({ data: { type } }),
    close: () => closed(),
  };
}

test('the worker has one stream for its windows, forwards to each, and closes it with the last', () => {
  const first = connect();
  expect(first.got).toEqual([{ type: 'connection', connection: 'connecting' }]);
  sources.last().send('snapshot', aSnapshot(['BHP']));
  const second = connect();
  expect(second.got[0]).toMatchObject({ type: 'state', connection: 'live' });
  sources.last().send('delta_update', aDelta({ BHP: { last: 3 } }));
  expect(typeof first.posted.at(-1)).toBe('string');
  expect(second.got.at(-1)).toEqual(first.got.at(-1) as ToWindow);
  expect(sources.made).toHaveLength(1);

  second.post('retry');
  expect(sources.made).toHaveLength(2);
  expect(first.got.at(-1)).toEqual({ type: 'connection', connection: 'reconnecting' });

  second.post('bye');
  expect(sources.last().closed).toBe(false);
  first.close();
  expect(sources.last().closed).toBe(true);
  scope.onconnect?.({ ports: [undefined] });
  expect(sources.made).toHaveLength(2);
});

describe('elapsed time', () => {
  function setUp() {
    let wall = 1_000_000;
    let stopwatch = 500;
    const elapsed = createElapsed(
      () => wall,
      () => stopwatch,
    );
    const start = elapsed();
    return {
      passed: () => elapsed() - start,
      wait: (ms: number) => {
        wall += ms;
        stopwatch += ms;
      },
      setWall: (by: number) => {
        wall += by;
      },
    };
  }

  test.each([
    ['does not go back when the wall clock is set back, and continues from there', -3_600_000, 1000],
    ['includes the time that the machine slept, when only the wall clock advanced', 3_600_000, 3_601_000],
  ])('%s', (_, set, expected) => {
    const { passed, wait, setWall } = setUp();
    wait(1000);
    setWall(set);
    expect(passed()).toBe(expected);
    wait(1000);
    expect(passed()).toBe(expected + 1000);
  });

  test('is not affected by small corrections of the wall clock', () => {
    const { passed, wait, setWall } = setUp();
    for (let index = 0; index < 100; index += 1) {
      wait(10);
      setWall(index % 2 === 0 ? 0.9 : -0.9);
      passed();
    }
    expect(passed()).toBeCloseTo(1000, 6);
  });
});
