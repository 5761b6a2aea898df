import { afterEach, describe, expect, test } from 'bun:test';
import { createLog } from '../../../src/lib/log.ts';
import { Snapshots } from '../../../src/market/stream/snapshots.ts';
import { SseChannel } from '../../../src/platform/sse/channel.ts';
import { createTestApp } from '../../support/testApp.ts';
import { startStreamServer, type StreamServer } from '../../support/streamServer.ts';

let server: StreamServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

/** A hub whose callers name their address themselves. */
function start(streams: { all: number; perAddress: number }): StreamServer {
  server = startStreamServer({ streams, clientAddress: (request) => request.headers.get('x-from') ?? '' });
  return server;
}

const asked = (from: string, more: RequestInit = {}): Request =>
  new Request('http://localhost/', { ...more, headers: { 'x-from': from } });

const OF_ADDRESS =
  'Too many live streams are open from your address. Close some windows, or try again in a minute.';
const OF_ALL = 'The server has as many live streams open as it serves. Try again in a minute.';

describe('streams beyond the limit', () => {
  test('of one address are refused with a sentence and a time to wait; other addresses are served', async () => {
    const { hub } = start({ all: 10, perAddress: 2 });
    for (const from of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2']) {
      expect(hub.open(asked(from)).status).toBe(200);
    }
    const refused = hub.open(asked('192.0.2.1'));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(await refused.json()).toEqual({ error: OF_ADDRESS });
    expect(hub.clients()).toBe(4);
    // The same through an IPv6 socket; HEAD opens nothing.
    expect(hub.open(asked('::ffff:192.0.2.1')).status).toBe(429);
    expect(hub.open(asked('192.0.2.1', { method: 'HEAD' })).status).toBe(200);
  });

  test('of an IPv6 network count together', () => {
    const { hub } = start({ all: 10, perAddress: 1 });
    expect(hub.open(asked('2001:db8:1:2::3')).status).toBe(200);
    expect(hub.open(asked('2001:db8:1:2:9::9')).status).toBe(429);
    expect(hub.open(asked('2001:db8:1:3::3')).status).toBe(200);
  });

  test('of all are refused; callers whose address is not known count among all alone', async () => {
    const { hub } = start({ all: 3, perAddress: 1 });
    for (let index = 0; index < 3; index += 1) expect(hub.open(asked('')).status).toBe(200);
    const refused = hub.open(asked('192.0.2.1'));
    expect([refused.status, await refused.json()]).toEqual([503, { error: OF_ALL }]);
  });

  test('by the settings, over the whole application', async () => {
    const app = createTestApp({ env: { BELLBIRD_MAX_STREAMS_PER_ADDRESS: '1' } });
    const open = (from: string) => app.open('GET', '/api/data/stream', { from });
    expect((await open('192.0.2.1')).status).toBe(200);
    expect((await open('192.0.2.1')).status).toBe(429);
    expect((await open('192.0.2.2')).status).toBe(200);
    app.close();
  });
});

describe('the place of a stream is free again', () => {
  const endings: Record<string, (hub: StreamServer['hub']) => Promise<void>> = {
    'after a cancel': async (hub) => hub.open(asked('192.0.2.1')).body?.cancel(),
    'after an abort': async (hub) => {
      const abort = new AbortController();
      hub.open(asked('192.0.2.1', { signal: abort.signal }));
      abort.abort();
    },
    'when the request was aborted before it was answered': async (hub) => {
      hub.open(asked('192.0.2.1', { signal: AbortSignal.abort() }));
    },
  };
  test.each(Object.entries(endings))('%s', async (_name, end) => {
    const { hub } = start({ all: 1, perAddress: 1 });
    for (let round = 0; round < 3; round += 1) {
      await end(hub);
      expect(hub.clients()).toBe(0);
    }
    expect(hub.open(asked('192.0.2.1')).status).toBe(200);
  });

  test('when the client goes, over a connection', async () => {
    const { client, hub } = start({ all: 1, perAddress: 1 });
    for (let round = 0; round < 3; round += 1) {
      const reader = client('/', { 'x-from': '192.0.2.1' });
      await reader.until(({ events }) => events.length > 0);
      expect(hub.open(asked('192.0.2.1')).status).toBe(429);
      reader.leave();
      for (let wait = 0; wait < 2000 && hub.clients() > 0; wait += 1) await Bun.sleep(5);
      expect(hub.clients()).toBe(0);
    }
  });

  test('when its opening fails', async () => {
    const channel = new SseChannel({
      clock: { now: () => 0, monotonic: () => 0 },
      log: createLog(() => undefined),
      cutOff: () => {},
      clientAddress: () => '192.0.2.1',
      streams: { all: 1, perAddress: 1 },
    });
    const failing = {
      opening: () => {
        throw new Error('No snapshot.');
      },
      refresh: () => ({ messages: [], next: null }),
    };
    for (let round = 0; round < 3; round += 1) {
      const answer = channel.open(new Request('http://localhost/'), failing);
      expect(answer.status).toBe(200);
      expect(channel.stats().clients).toBe(1);
      await answer.text();
    }
    expect(channel.stats().clients).toBe(0);
  });
});

test('clients that do not take gzip share the unpacked snapshot, until there is another', async () => {
  const clock = { time: 0, now: () => clock.time, monotonic: () => clock.time };
  const { market, meta } = start({ all: 1, perAddress: 1 });
  const channel = { seq: () => 1, idOf: String, after: () => [] };
  const state = () => ({ stocks: market.all().values(), meta, fx: { data: {}, lastUpdated: null } });
  const snapshots = new Snapshots({ read: state, channel, clock });
  const plain = async (): Promise<Uint8Array[]> => {
    const step = snapshots.whole();
    await step.after;
    return (step.next?.() ?? step).messages.map((message) => message.plain());
  };
  const first = await plain();
  expect(new TextDecoder().decode(first[0])).toContain('event: snapshot');
  expect((await plain()).every((bytes, index) => bytes === first[index])).toBe(true);
  clock.time += 3000;
  expect((await plain())[0]).not.toBe(first[0] as Uint8Array);
});
