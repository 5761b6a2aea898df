import { afterEach, expect, test } from 'bun:test';
import { createLog } from '../../../src/lib/log.ts';
import { SseChannel, type SseChannelDeps } from '../../../src/platform/sse/channel.ts';
import { loneMessage, type Message } from '../../../src/platform/sse/message.ts';
import { openStreamClient, type StreamClient } from '../../support/streamClient.ts';

type Notes = { note: { text: string } };

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of opened.splice(0).toReversed()) await stop();
});

type Heard = { audience: string | null; seq: number | null; message: Message };

function channelOf(more: Partial<SseChannelDeps>): SseChannel<Notes> {
  const channel = new SseChannel<Notes>({
    clock: { now: () => 5000, monotonic: () => 5000 },
    log: createLog(() => undefined),
    ...{ cutOff: () => {}, epoch: 'run', pingMs: 3_600_000, ...more },
  });
  opened.push(() => channel.close());
  return channel;
}

/** A channel that is listened to for clients elsewhere. */
function tapped(more: Partial<SseChannelDeps> = {}) {
  const heard: Heard[] = [];
  const channel = channelOf({
    tap: {
      everybody: (seq, message) => void heard.push({ audience: null, seq, message }),
      audience: (audience, message) => void heard.push({ audience, seq: null, message }),
      closing: () =>
        void heard.push({ audience: 'closing', seq: null, message: loneMessage(new Uint8Array(0)) }),
    },
    ...more,
  });
  return { channel, heard };
}

/** A server of a channel. @returns what connects a client to it */
function serve(channel: SseChannel<Notes>) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, own) {
      own.timeout(request, 0);
      return channel.open(request);
    },
  });
  opened.push(() => server.stop(true));
  return async (headers: Record<string, string>): Promise<StreamClient> => {
    const before = channel.stats().clients;
    const client = openStreamClient(server.port ?? 0, '/', headers);
    opened.push(() => client.leave());
    while (channel.stats().clients === before) await Bun.sleep(1);
    await Bun.sleep(5);
    return client;
  };
}

const textOf = ({ message }: Heard): string => new TextDecoder().decode(message.plain());

test('a tap hears everything that is said, with nobody here', async () => {
  const { channel, heard } = tapped();
  channel.send('note', { text: 'all' });
  channel.sendTo('anna', 'note', null, { text: 'Anna' });
  expect(heard.map(({ audience, seq }) => [audience, seq])).toEqual([
    [null, 1],
    ['anna', null],
  ]);
  expect(heard.map(textOf)).toEqual([
    'id: run-1\nevent: note\ndata: {"text":"all"}\n\n',
    'event: note\ndata: {"text":"Anna"}\n\n',
  ]);
  expect([channel.isHeard('anna'), channel.hasAudience('anna')]).toEqual([true, false]);
  expect(channelOf({}).isHeard('anna')).toBe(false);
});

test('pings are said while clients are elsewhere, and no longer', async () => {
  const { channel, heard } = tapped({ pingMs: 5 });
  await Bun.sleep(20);
  expect(heard).toEqual([]);
  channel.heardElsewhere(true);
  while (heard.length < 3) await Bun.sleep(1);
  expect(heard[0] && textOf(heard[0])).toBe('id: run-0\nevent: ping\ndata: {"time":5000}\n\n');
  channel.heardElsewhere(false);
  const count = heard.length;
  await Bun.sleep(20);
  expect(heard.length).toBe(count);
});

for (const encoding of ['gzip', 'identity']) {
  test(`a channel that forwards gives the same bytes with the same ids, ${encoding}`, async () => {
    const { channel, heard } = tapped();
    for (let n = 1; n <= 3; n += 1) channel.send('note', { text: `before ${n}` });
    const relay = channelOf({ firstSeq: 3, pingMs: null });
    const forward = (): void => {
      for (const { seq, message } of heard.splice(0)) relay.forward(seq, message);
    };
    heard.length = 0;
    expect([relay.seq(), relay.idOf(relay.seq()), relay.after(3)]).toEqual([3, 'run-3', []]);
    expect(relay.after(2)).toBeNull();
    const headers = { 'accept-encoding': encoding };
    const [there, here] = [await serve(channel)(headers), await serve(relay)(headers)];
    for (let n = 4; n <= 6; n += 1) {
      channel.send('note', { text: `after ${n}` });
      forward();
    }
    for (const client of [there, here]) await client.until(({ events }) => events.length === 3);
    expect(here.events).toEqual(there.events);
    expect(here.events.map(({ id }) => id)).toEqual(['run-4', 'run-5', 'run-6']);
    const back = await serve(relay)({ ...headers, 'last-event-id': 'run-5' });
    await back.until(({ events }) => events.length === 1);
    expect(back.events[0]?.id).toBe('run-6');
    relay.endThose(() => true);
    await here.until((client) => client.finished());
    expect(there.finished()).toBe(false);
  });
}

test('a tap is told once that the channel closes', () => {
  const { channel, heard } = tapped();
  channel.close();
  channel.close();
  expect(heard.map(({ audience }) => audience)).toEqual(['closing']);
});
