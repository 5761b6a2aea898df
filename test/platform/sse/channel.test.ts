import { afterEach, describe, expect, test } from 'bun:test';
import { createLog } from '../../../src/lib/log.ts';
import { SseChannel, type SseChannelDeps } from '../../../src/platform/sse/channel.ts';
import { packEvent } from '../../../src/platform/sse/event.ts';
import { openStreamClient, type StreamClient } from '../../support/streamClient.ts';

/** Events of another kind than the market's: each person has a channel of their own. */
type Notes = { note: { text: string } };

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop();
});

function startChannels(names: readonly string[], more: Partial<SseChannelDeps> = {}) {
  const clock = { now: () => 5000, monotonic: () => 5000 };
  const log = createLog(() => undefined);
  const channels = new Map<string, SseChannel<Notes>>(
    names.map((name) => [
      name,
      new SseChannel({ clock, log, cutOff: () => {}, epoch: name, pingMs: 3_600_000, ...more }),
    ]),
  );
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, own) {
      own.timeout(request, 0);
      const channel = channels.get(new URL(request.url).pathname.slice(1));
      return channel?.open(request) ?? new Response(null, { status: 404 });
    },
  });
  const clients: StreamClient[] = [];
  opened.push({
    async stop() {
      for (const client of clients) client.leave();
      for (const channel of channels.values()) channel.close();
      await server.stop(true);
    },
  });
  return {
    channel: (name: string): SseChannel<Notes> => {
      const channel = channels.get(name);
      if (!channel) throw new Error(`There is no channel ${name}.`);
      return channel;
    },
    join: async (name: string, headers?: Record<string, string>): Promise<StreamClient> => {
      const before = channels.get(name)?.stats().clients ?? 0;
      const client = openStreamClient(server.port ?? 0, `/${name}`, headers);
      clients.push(client);
      while ((channels.get(name)?.stats().clients ?? 0) === before) await Bun.sleep(1);
      // The opening, empty here, has its turn after the answer.
      await Bun.sleep(5);
      return client;
    },
  };
}

const textsOf = ({ events }: StreamClient): unknown[] =>
  events.map(({ data }) => (data as Notes['note']).text);

describe('a channel', () => {
  for (const headers of [{ 'accept-encoding': 'gzip' }, { 'accept-encoding': 'identity' }]) {
    test(`gives its own clients its events, ${headers['accept-encoding']}`, async () => {
      const { channel, join } = startChannels(['anna', 'bob']);
      const [anna, bob] = [await join('anna', headers), await join('bob', headers)];
      channel('anna').send('note', { text: 'for Anna' });
      channel('bob').send('note', { text: 'for Bob' });
      await anna.until(({ events }) => events.length === 1);
      await bob.until(({ events }) => events.length === 1);
      expect(anna.events).toEqual([{ id: 'anna-1', event: 'note', data: { text: 'for Anna' } }]);
      expect(textsOf(bob)).toEqual(['for Bob']);
    });
  }

  test('gives who comes back what was sent meanwhile, and somebody new nothing old', async () => {
    const { channel, join } = startChannels(['anna']);
    const first = await join('anna');
    channel('anna').send('note', { text: 'one' });
    await first.until(({ events }) => events.length === 1);
    first.leave();
    while (channel('anna').stats().clients > 0) await Bun.sleep(1);
    channel('anna').send('note', { text: 'two' });
    const back = await join('anna', { 'last-event-id': 'anna-1', 'accept-encoding': 'gzip' });
    const fresh = await join('anna');
    const stranger = await join('anna', { 'last-event-id': 'bob-1' });
    channel('anna').send('note', { text: 'three' });
    for (const client of [back, fresh, stranger]) {
      await client.until((it) => textsOf(it).includes('three'));
    }
    expect([back, fresh, stranger].map(textsOf)).toEqual([['two', 'three'], ['three'], ['three']]);
  });

  test('pings its clients with the id they may resume from', async () => {
    const { channel, join } = startChannels(['anna'], { pingMs: 5 });
    channel('anna').send('note', { text: 'before anybody came' });
    const client = await join('anna');
    await client.until(({ events }) => events.length > 1);
    expect(client.events[0]).toEqual({ id: 'anna-1', event: 'ping', data: { time: 5000 } });
  });

  test('pings for want of anything to say, and not between events that follow each other', async () => {
    const { channel, join } = startChannels(['anna'], { quietPingMs: 200 });
    const client = await join('anna');
    for (let times = 0; times < 4; times += 1) {
      channel('anna').send('note', { text: `${times}` });
      await Bun.sleep(1);
    }
    await client.until(({ events }) => events.some(({ event }) => event === 'ping'));
    expect(client.events.map(({ event }) => event)).toEqual(['note', 'note', 'note', 'note', 'ping']);
    expect(client.events.at(-1)?.id).toBe('anna-4');
  });

  test('tells many to come back at different moments around three seconds, should they be lost together', async () => {
    const deps = { clock: { now: () => 0, monotonic: () => 0 }, log: createLog(() => undefined) };
    const channel = new SseChannel<Notes>({ ...deps, cutOff: () => {} });
    const waits: number[] = [];
    for (let count = 0; count < 62; count += 1) {
      const reader = channel.open(new Request('http://localhost/')).body?.getReader();
      const text = new TextDecoder().decode((await reader?.read())?.value as Uint8Array);
      waits.push(Number(/^retry: (\d+)\n\n$/.exec(text)?.[1]));
      await reader?.cancel();
    }
    channel.close();
    expect([waits[0], Math.min(...waits), Math.max(...waits)]).toEqual([3000, 1500, 4500]);
    expect(new Set(waits).size).toBe(31);
    expect(waits.slice(31)).toEqual(waits.slice(0, 31));
  });

  test('begins with the greeting that it is told', async () => {
    const channel = new SseChannel<Notes>({
      clock: { now: () => 0, monotonic: () => 0 },
      log: createLog(() => undefined),
      cutOff: () => {},
    });
    const hello = packEvent('note', null, { text: 'welcome' });
    const response = channel.open(new Request('http://localhost/'), {
      opening: () => ({ messages: [hello], next: null }),
      refresh: () => ({ messages: [], next: null }),
    });
    const reader = response.body?.getReader();
    const pieces = [await reader?.read(), await reader?.read()];
    const text = pieces.map((piece) => new TextDecoder().decode(piece?.value as Uint8Array)).join('');
    expect(text).toBe('retry: 3000\n\nevent: note\ndata: {"text":"welcome"}\n\n');
    await reader?.cancel();
    channel.close();
  });

  test('once closed refuses with a sentence', async () => {
    const channel = new SseChannel<Notes>({
      clock: { now: () => 0, monotonic: () => 0 },
      log: createLog(() => undefined),
      cutOff: () => {},
    });
    channel.close();
    const response = channel.open(new Request('http://localhost/'));
    expect([response.status, await response.json()]).toEqual([
      503,
      { error: 'The server is stopping. Try again shortly.' },
    ]);
  });
});

test('a stream that is ended before its connection is there is over as soon as that is', async () => {
  for (const end of [
    (channel: SseChannel<Notes>) => channel.close(),
    (channel: SseChannel<Notes>) => channel.endThose(() => true),
  ]) {
    const clock = { now: () => 5000, monotonic: () => 5000 };
    const log = createLog(() => undefined);
    const channel = new SseChannel<Notes>({ clock, log, cutOff: () => {}, pingMs: null });
    let answer: Response | null = null;
    const server = Bun.serve({
      ...{ hostname: '127.0.0.1', port: 0, idleTimeout: 0 },
      fetch(request) {
        answer = channel.open(request);
        end(channel);
        return answer;
      },
    });
    opened.push({ stop: () => server.stop(true) });
    const client = openStreamClient(server.port ?? 0, '/');
    await client.until((one) => one.finished() || one.ended());
    expect(answer).not.toBeNull();
    expect(channel.stats().clients).toBe(0);
  }
});
