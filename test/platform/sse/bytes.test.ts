import { afterEach, describe, expect, test } from 'bun:test';
import { constants, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { GZIP_HEADER, pack, unpack } from '../../../src/platform/sse/message.ts';
import type { StreamClient } from '../../support/streamClient.ts';
import { startStreamServer, type StreamServer } from '../../support/streamServer.ts';

describe('packed blocks', () => {
  const messages = fc.array(fc.uint8Array({ minLength: 0, maxLength: 2000 }), { minLength: 1, maxLength: 8 });

  test('each is by itself what was packed', () => {
    fc.assert(
      fc.property(messages, (all) => {
        for (const message of all) expect(Buffer.from(unpack(pack(message)))).toEqual(Buffer.from(message));
      }),
    );
  });

  test('behind a header, from any block on, they are one gzip stream', () => {
    fc.assert(
      fc.property(messages, fc.nat(), (all, from) => {
        const joined = all.slice(from % all.length);
        const stream = Buffer.concat([GZIP_HEADER, ...joined.map(pack)]);
        expect(gunzipSync(stream, { finishFlush: constants.Z_SYNC_FLUSH })).toEqual(Buffer.concat(joined));
      }),
    );
  });
});

describe('on the wire', () => {
  let server: StreamServer;
  afterEach(() => server.stop());
  const has = (count: number) => (client: StreamClient) => client.events.length >= count;

  test('clients get byte-identical blocks, whenever they joined, and decode them', async () => {
    server = startStreamServer();
    const { tick, client } = server;
    tick('AAA', 1);
    const early = client();
    await early.until(has(1));
    tick('AAA', 2);
    tick('AAA', 3);
    await early.until(has(3));
    const late = client();
    await late.until(has(1));
    // The first blocks of a client that joined are its own: they refer to nothing.
    for (const last of [3.1, 3.2, 3.3]) tick('AAA', last);
    for (const reader of [early, late]) await reader.until((it) => it.events.at(-1)?.id === 'run-6');
    const [earlyBefore, lateBefore] = [early.body().length, late.body().length];
    tick('AAA', 4);
    tick('BBB', 5);
    await early.until(has(8));
    await late.until((it) => it.events.at(-1)?.id === 'run-8');
    const shared = early.body().subarray(earlyBefore);
    expect(shared.length).toBeGreaterThan(0);
    expect(late.body().subarray(lateBefore)).toEqual(shared);
    expect(late.events.at(-1)).toEqual(early.events.at(-1));
  });

  test('who does not take gzip reads the same events as plain text', async () => {
    server = startStreamServer();
    const { tick, client, hub } = server;
    tick('AAA', 1);
    const readers = [client(), client('/', { 'accept-encoding': 'gzip;q=0' }), client('/', {})];
    for (const reader of readers) await reader.until(has(1));
    expect(hub.inspect().summary).toMatchObject({ clients: 3, plain: 2 });
    tick('AAA', 2);
    for (const reader of readers) await reader.until(has(2));
    const [packed, refused, silent] = readers;
    expect(refused?.events).toEqual(packed?.events ?? []);
    expect(silent?.events).toEqual(packed?.events ?? []);
    expect(refused?.body().toString()).toContain('event: delta_update\ndata: {');
  });

  test('a snapshot is built once for everyone who joins at the same version', async () => {
    server = startStreamServer();
    const { tick, client, hub } = server;
    for (let index = 0; index < 300; index += 1) tick(`S${100 + index}`, 1);
    const readers = [client(), client(), client('/', {})];
    for (const reader of readers) await reader.until(has(1));
    expect(hub.inspect().summary.snapshotsBuilt).toBe(1);
    tick('S100', 2);
    const late = client();
    await late.until((it) => it.events.at(-1)?.id === 'run-301');
    expect(hub.inspect().summary.snapshotsBuilt).toBe(1);
    server.clock.time += 10_000;
    await client().until(has(1));
    expect(hub.inspect().summary.snapshotsBuilt).toBe(2);
  });
});
