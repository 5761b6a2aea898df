import { describe, expect, test } from 'bun:test';
import { createOverviews } from '#subjects/marketOverview/rules/overviews.ts';
import { ASK_EVERY_MS, SharedStream } from '#web/live/stream/sharedStream.ts';
import type { ToWindow } from '#web/live/stream/protocol.ts';
import { fakeSources, fakeTimers } from '#support/fakeEventSource.ts';
import { aDelta, aSnapshot } from '#support/market.ts';

function setUp() {
  const sources = fakeSources();
  const timers = fakeTimers();
  const core = new SharedStream(
    { ...timers, openSource: sources.open, random: () => 1 },
    () => createOverviews,
  );
  const join = () => {
    const got: ToWindow[] = [];
    const send = core.join((message) => got.push(message));
    return { got, tell: send, last: () => got.at(-1), types: () => got.map((message) => message.type) };
  };
  return { core, join, timers, ...sources };
}
type Joined = ReturnType<ReturnType<typeof setUp>['join']>;
const codes = ({ last }: Joined) => {
  const message = last();
  return message?.type === 'state' ? [...message.state.stocks.keys()] : null;
};
const connections = ({ got }: Joined) =>
  got.flatMap((message) => (message.type === 'connection' ? [message.connection] : []));

describe('one stream for many windows', () => {
  test('a delta before the first snapshot and malformed payloads are ignored', () => {
    const { join, last } = setUp();
    const window = join();
    last().send('delta_update', aDelta({ BHP: { last: 1 } }));
    for (const text of ['', 'not json', '[]', 'null', '{"stocks":[]}', '{"stocks":{}}']) {
      last().sendText('snapshot', text);
    }
    expect(window.types()).not.toContain('state');
    last().send('snapshot', aSnapshot(['BHP']));
    last().sendText('delta_update', '{"stocks":');
    last().sendText('delta_update', '7');
    expect(window.last()).toMatchObject({ type: 'state' });
    last().sendText('delta_update', '{"stocks":{"upsert":{"BHP":{"last":2}}}}');
    expect(window.last()).toMatchObject({ type: 'delta' });
  });

  test('the first snapshot is shown in parts, a later one only when complete', () => {
    const { join, last } = setUp();
    const window = join();
    last().send('snapshot', aSnapshot(['BHP'], { stockCount: 2 }));
    expect(codes(window)).toEqual(['BHP']);
    last().send('delta_update', aDelta({ CBA: { name: 'CBA Limited' } }, { stockCount: 2 }));
    last().send('snapshot', aSnapshot(['NAB'], { stockCount: 2 }));
    expect(window.types().filter((type) => type === 'state')).toHaveLength(1);
    last().send('delta_update', aDelta({ WBC: { name: 'WBC Limited' } }, { stockCount: 2 }));
    expect(codes(window)).toEqual(['NAB', 'WBC']);
  });
});

describe('windows that close', () => {
  test('close the stream with the last one, and a new one resumes it', () => {
    const { core, join, last, made, timers } = setUp();
    const [one, other] = [join(), join()];
    last().send('snapshot', aSnapshot(['BHP']), 'boot-7');
    one.tell({ type: 'bye' });
    expect(last().closed).toBe(false);
    other.tell({ type: 'bye' });
    expect(last().closed).toBe(true);
    expect(core.windows()).toBe(0);
    expect(timers.pending()).toBe(0);
    const next = join();
    expect(codes(next)).toEqual(['BHP']);
    expect(made.at(-1)?.url).toBe('/api/data/stream?parts=1&lastEventId=boot-7');
  });

  test('are forgotten if they stop answering, and kept if they answer', () => {
    const { core, join, timers } = setUp();
    const killed = join();
    const alive = join();
    for (let times = 0; times < 4; times += 1) {
      timers.pass(ASK_EVERY_MS);
      alive.tell({ type: 'here' });
    }
    expect(core.windows()).toBe(1);
    const before = killed.got.length;
    timers.pass(ASK_EVERY_MS);
    expect(killed.got).toHaveLength(before);
  });

  test('are added again with the state if they were only frozen', () => {
    const { core, join, last, timers } = setUp();
    const frozen = join();
    join().tell({ type: 'here' });
    last().send('snapshot', aSnapshot(['BHP']));
    timers.pass(ASK_EVERY_MS * 5);
    expect(core.windows()).toBe(0);
    frozen.tell({ type: 'shown' });
    expect(core.windows()).toBe(1);
    expect(codes(frozen)).toEqual(['BHP']);
  });
});

describe('a stream that fails', () => {
  test('reports its states: connecting, live, reconnecting, disconnected', () => {
    const { join, last, timers } = setUp();
    const window = join();
    expect(window.last()).toEqual({ type: 'connection', connection: 'connecting' });
    last().open();
    last().fail('retrying');
    last().open();
    last().fail('gone');
    timers.pass(1000);
    last().open();
    expect(connections(window)).toEqual([
      'connecting',
      'live',
      'reconnecting',
      'live',
      'disconnected',
      'reconnecting',
      'live',
    ]);
  });

  test('is reopened after the browser gave up, with growing delays, until it works', () => {
    const { join, last, made, timers } = setUp();
    join();
    for (const wait of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      const before = made.length;
      last().fail('gone');
      timers.pass(wait - 1);
      expect(made).toHaveLength(before);
      timers.pass(1);
      expect(made).toHaveLength(before + 1);
    }
    last().open();
    last().fail('gone');
    const before = made.length;
    timers.pass(1000);
    expect(made).toHaveLength(before + 1);
  });

  test('is reopened at the next check after 45 s of silence, with the last event id', () => {
    const { join, last, made, timers } = setUp();
    join();
    const first = last();
    first.open();
    first.send('snapshot', aSnapshot(['BHP']), 'a-1');
    timers.pass(40_000);
    first.send('ping', { time: 1 }, 'a-2');
    timers.pass(45_000);
    expect(made).toHaveLength(1);
    timers.pass(10_000);
    expect(first.closed).toBe(true);
    expect(made.map(({ url }) => url).slice(1)).toEqual(['/api/data/stream?parts=1&lastEventId=a-2']);
  });

  test('does not change anything by late events of a replaced source', () => {
    const { join, last, timers } = setUp();
    const window = join();
    const old = last();
    old.send('snapshot', aSnapshot(['OLD']));
    timers.pass(60_000);
    expect(last()).not.toBe(old);
    const before = window.got.length;
    old.send('snapshot', aSnapshot(['GHOST']));
    old.fail('gone');
    expect(window.got).toHaveLength(before);
  });
});

test('a retry replaces a stream immediately, with a full snapshot; the old data stays until then', () => {
  const { join, last, made, timers } = setUp();
  const window = join();
  const old = last();
  old.open();
  old.send('snapshot', aSnapshot(['BHP', 'CBA']), 'a-1');
  window.tell({ type: 'retry' });
  expect(old.closed).toBe(true);
  expect(made.map(({ url }) => url)).toEqual(['/api/data/stream?parts=1', '/api/data/stream?parts=1']);
  expect(window.last()).toEqual({ type: 'connection', connection: 'reconnecting' });
  last().open();
  last().send('snapshot', aSnapshot(['NAB'], { stockCount: 2 }));
  expect(window.types().filter((type) => type === 'state')).toHaveLength(1);
  last().send('delta_update', aDelta({ WBC: { name: 'WBC Limited' } }, { stockCount: 2 }));
  expect(codes(window)).toEqual(['NAB', 'WBC']);
  timers.pass(40_000);
  expect(made).toHaveLength(2);
});

test('a silent stream is noticed just as soon with the wall clock set back, and a working one is kept', () => {
  const { join, last, made, timers } = setUp();
  join();
  last().open();
  timers.stepWall(-3_600_000);
  timers.pass(40_000);
  last().send('ping', { time: 1 });
  timers.pass(40_000);
  expect(made).toHaveLength(1);
  timers.stepWall(-3_600_000);
  timers.pass(20_000);
  expect(made).toHaveLength(2);
});

describe('after a sleep', () => {
  test('a connection that stays silent for one heartbeat is reopened', () => {
    const { join, last, made, timers } = setUp();
    join();
    last().open();
    timers.sleep(3_600_000);
    expect(made).toHaveLength(1);
    timers.pass(17_000);
    expect(made).toHaveLength(2);
  });

  test('a window that is shown again gives a quiet connection one heartbeat', () => {
    const { join, last, made, timers } = setUp();
    const window = join();
    last().open();
    timers.pass(9000);
    window.tell({ type: 'shown' });
    timers.pass(16_999);
    expect(made).toHaveLength(1);
    timers.pass(1);
    expect(made).toHaveLength(2);
  });
});
