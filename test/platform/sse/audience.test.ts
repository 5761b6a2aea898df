import { afterEach, expect, test } from 'bun:test';
import { createLog, type LogLine } from '../../../src/lib/log.ts';
import { SseChannel, type SseChannelDeps } from '../../../src/platform/sse/channel.ts';
import { openStreamClient, type StreamClient } from '../../support/streamClient.ts';

type Notes = { note: { text: string } };

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop();
});

/** One channel whose clients say in their address whose they are. */
function start(more: Partial<SseChannelDeps> = {}) {
  const channel: SseChannel<Notes> = new SseChannel<Notes>({
    clock: { now: () => 5000, monotonic: () => 5000 },
    log: createLog(() => undefined),
    cutOff: () => {},
    epoch: 'run',
    pingMs: 3_600_000,
    ...more,
  });
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, own) {
      own.timeout(request, 0);
      const name = new URL(request.url).pathname.slice(1);
      return channel.open(request, undefined, name === '' ? null : name);
    },
  });
  const clients: StreamClient[] = [];
  opened.push({
    async stop() {
      for (const client of clients) client.leave();
      channel.close();
      await server.stop(true);
    },
  });
  const join = async (name: string, headers?: Record<string, string>): Promise<StreamClient> => {
    const before = channel.stats().clients;
    const client = openStreamClient(server.port ?? 0, `/${name}`, headers);
    clients.push(client);
    while (channel.stats().clients === before) await Bun.sleep(1);
    await Bun.sleep(5);
    return client;
  };
  return { channel, join };
}

const textsOf = ({ events }: StreamClient): unknown[] =>
  events.filter(({ event }) => event === 'note').map(({ data }) => (data as Notes['note']).text);

for (const encoding of ['gzip', 'identity']) {
  test(`an audience gets its own events between those for everybody, ${encoding}`, async () => {
    const { channel, join } = start();
    const headers = { 'accept-encoding': encoding };
    const [anna, anna2] = [await join('anna', headers), await join('anna', headers)];
    const [bob, nobody] = [await join('bob', headers), await join('', headers)];
    channel.send('note', { text: 'all 1' });
    channel.sendTo('anna', 'note', 'a7', { text: 'Anna' });
    channel.sendTo('carol', 'note', null, { text: 'Carol' });
    channel.send('note', { text: 'all 2' });
    channel.sendTo('bob', 'note', null, { text: 'Bob' });
    channel.send('note', { text: 'all 3' });
    for (const client of [anna, anna2, bob, nobody]) {
      await client.until((it) => textsOf(it).includes('all 3'));
    }
    expect(textsOf(anna)).toEqual(['all 1', 'Anna', 'all 2', 'all 3']);
    expect(textsOf(anna2)).toEqual(textsOf(anna));
    expect(textsOf(bob)).toEqual(['all 1', 'all 2', 'Bob', 'all 3']);
    expect(textsOf(nobody)).toEqual(['all 1', 'all 2', 'all 3']);
    expect(anna.events.map(({ id }) => id)).toEqual(['run-1', 'a7', 'run-2', 'run-3']);
    expect(bob.events.map(({ id }) => id)).toEqual(['run-1', 'run-2', null, 'run-3']);
    expect([channel.hasAudience('anna'), channel.hasAudience('carol')]).toEqual([true, false]);
    anna.leave();
    anna2.leave();
    while (channel.hasAudience('anna')) await Bun.sleep(1);
    expect(channel.hasAudience('bob')).toBe(true);
  });
}

test('where nothing is kept pings have no id, and nobody is resumed', async () => {
  const { channel, join } = start({ resume: null, pingMs: 5 });
  channel.send('note', { text: 'before' });
  const client = await join('anna', { 'last-event-id': 'run-0' });
  await client.until(({ events }) => events.length > 1);
  expect(client.events[0]).toEqual({ id: null, event: 'ping', data: { time: 5000 } });
  expect(textsOf(client)).toEqual([]);
});

test('a failure to ask whether a stream is over is logged, and the streams go on', async () => {
  const lines: LogLine[] = [];
  let fails = true;
  const { join } = start({
    pingMs: 5,
    log: createLog((line) => lines.push(line)),
    isOver: () => {
      if (fails) throw new Error('The database is away.');
      return true;
    },
  });
  const anna = await join('anna');
  await anna.until(({ events }) => events.length > 2);
  expect(lines.filter(({ level }) => level === 'error').length).toBeGreaterThan(0);
  fails = false;
  await anna.until((client) => client.finished());
});

test('a stream that is over ends at the next ping, the others go on', async () => {
  let isOver = false;
  const { channel, join } = start({
    pingMs: 5,
    isOver: ({ url }) => isOver && url.endsWith('/anna'),
  });
  const [anna, bob] = [await join('anna'), await join('bob')];
  await anna.until(({ events }) => events.length > 1);
  isOver = true;
  await anna.until((client) => client.finished());
  const heard = bob.events.length;
  await bob.until(({ events }) => events.length > heard + 1);
  expect([channel.stats().clients, channel.hasAudience('anna')]).toEqual([1, false]);
});
