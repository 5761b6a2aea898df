import { afterEach, expect, test } from 'bun:test';
import { createLog } from '#lib/log.ts';
import { SseChannel, type SseChannelDeps } from '#platform/sse/channel.ts';
import type { Message } from '#platform/sse/message.ts';
import { openStreamClient, type StreamClient } from '#support/streamClient.ts';

type Notes = { note: { text: string } };

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of opened.splice(0).toReversed()) await stop();
});

function channelOf(more: Partial<SseChannelDeps> = {}): SseChannel<Notes> {
  const channel = new SseChannel<Notes>({
    clock: { now: () => 5000, monotonic: () => 5000 },
    log: createLog(() => undefined),
    cutOff: () => {},
    epoch: 'run',
    pingMs: 3_600_000,
    ...more,
  });
  opened.push(() => channel.close());
  return channel;
}

/** A server of a channel, whose clients give their name in the address. @returns a function that connects one */
function serve(channel: SseChannel<Notes>) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, own) {
      own.timeout(request, 0);
      const name = new URL(request.url).pathname.slice(1);
      return channel.open(request, undefined, name === '' ? null : name);
    },
  });
  opened.push(() => server.stop(true));
  return async (name: string, headers: Record<string, string> = {}): Promise<StreamClient> => {
    const before = channel.stats().clients;
    const client = openStreamClient(server.port ?? 0, `/${name}`, headers);
    opened.push(() => client.leave());
    while (channel.stats().clients === before) await Bun.sleep(1);
    // The opening, empty here, is sent in the turn after the answer.
    await Bun.sleep(5);
    return client;
  };
}

const textsOf = ({ events }: StreamClient): unknown[] =>
  events.filter(({ event }) => event === 'note').map(({ data }) => (data as Notes['note']).text);

for (const encoding of ['gzip', 'identity']) {
  const headers = { 'accept-encoding': encoding };

  test(`an audience receives its own events between the shared ones, ${encoding}`, async () => {
    const channel = channelOf();
    const join = serve(channel);
    const [anna, bob, nobody] = [
      await join('anna', headers),
      await join('bob', headers),
      await join('', headers),
    ];
    channel.send('note', { text: 'all 1' });
    channel.sendTo('anna', 'note', 'a7', { text: 'Anna' });
    channel.sendTo('carol', 'note', null, { text: 'Carol' });
    channel.sendTo('bob', 'note', null, { text: 'Bob' });
    channel.send('note', { text: 'all 2' });
    for (const client of [anna, bob, nobody]) await client.until((it) => textsOf(it).includes('all 2'));
    expect(textsOf(anna)).toEqual(['all 1', 'Anna', 'all 2']);
    expect(textsOf(bob)).toEqual(['all 1', 'Bob', 'all 2']);
    expect(textsOf(nobody)).toEqual(['all 1', 'all 2']);
    expect(anna.events.map(({ id }) => id)).toEqual(['run-1', 'a7', 'run-2']);
    expect(bob.events.map(({ id }) => id)).toEqual(['run-1', null, 'run-2']);
    expect([channel.hasAudience('anna'), channel.hasAudience('carol')]).toEqual([true, false]);
    anna.leave();
    while (channel.hasAudience('anna')) await Bun.sleep(1);
    expect(channel.hasAudience('bob')).toBe(true);
  });

  test(`a channel that forwards another’s messages sends the same bytes and ids, ${encoding}`, async () => {
    const received: { seq: number; message: Message }[] = [];
    const everybody = (seq: number, message: Message) => void received.push({ seq, message });
    const channel = channelOf({ tap: { everybody, audience: () => {}, closing: () => {} } });
    for (let n = 1; n <= 3; n += 1) channel.send('note', { text: `before ${n}` });
    const relay = channelOf({ firstSeq: 3, pingMs: null });
    received.length = 0;
    expect([relay.seq(), relay.idOf(relay.seq()), relay.after(3)]).toEqual([3, 'run-3', []]);
    expect(relay.after(2)).toBeNull();
    const [there, here] = [await serve(channel)('', headers), await serve(relay)('', headers)];
    for (let n = 4; n <= 6; n += 1) {
      channel.send('note', { text: `after ${n}` });
      for (const { seq, message } of received.splice(0)) relay.forward(seq, message);
    }
    for (const client of [there, here]) await client.until(({ events }) => events.length === 3);
    expect(here.events).toEqual(there.events);
    expect(here.events.map(({ id }) => id)).toEqual(['run-4', 'run-5', 'run-6']);
    const back = await serve(relay)('', { ...headers, 'last-event-id': 'run-5' });
    await back.until(({ events }) => events.length === 1);
    expect(back.events[0]?.id).toBe('run-6');
    relay.endThose(() => true);
    await here.until((client) => client.finished());
    expect(there.finished()).toBe(false);
  });
}

test('an expired stream ends at the next ping, the others continue', async () => {
  let isOver = false;
  const channel = channelOf({ pingMs: 5, isOver: ({ url }) => isOver && url.endsWith('/anna') });
  const join = serve(channel);
  const [anna, bob] = [await join('anna'), await join('bob')];
  await anna.until(({ events }) => events.length > 1);
  isOver = true;
  await anna.until((client) => client.finished());
  const received = bob.events.length;
  await bob.until(({ events }) => events.length > received + 1);
  expect([channel.stats().clients, channel.hasAudience('anna')]).toEqual([1, false]);
});

test('clients get different reconnection delays around three seconds, in case all are lost at once', async () => {
  const channel = channelOf();
  const waits: number[] = [];
  for (let count = 0; count < 62; count += 1) {
    const reader = channel.open(new Request('http://localhost/')).body?.getReader();
    const text = new TextDecoder().decode((await reader?.read())?.value as Uint8Array);
    waits.push(Number(/^retry: (\d+)\n\n$/.exec(text)?.[1]));
    await reader?.cancel();
  }
  expect([waits[0], Math.min(...waits), Math.max(...waits)]).toEqual([3000, 1500, 4500]);
  expect(new Set(waits).size).toBe(31);
});

test.each([
  ['closed', (channel: SseChannel<Notes>) => channel.close()],
  ['ended', (channel: SseChannel<Notes>) => channel.endThose(() => true)],
])('a stream that is %s before its connection exists ends as soon as it does', async (_, end) => {
  const channel = channelOf({ pingMs: null });
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch(request) {
      const answer = channel.open(request);
      end(channel);
      return answer;
    },
  });
  opened.push(() => server.stop(true));
  const client = openStreamClient(server.port ?? 0, '/');
  await client.until((one) => one.finished() || one.ended());
  expect(channel.stats().clients).toBe(0);
});
