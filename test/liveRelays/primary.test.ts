import { afterEach, expect, test } from 'bun:test';
import { Database } from 'bun:sqlite';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readStocks, type Snapshot } from '#market/rules/stream.ts';
import { StartError } from '#lib/errors.ts';
import type { Redis, KeptSnapshot } from '#src/relays/redis/types.ts';
import { freePort, post } from '../support/executable.ts';
import { engineFixture, SECRET } from '../support/engineFixture.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { messagesAfter, stocksOf } from '../support/frameReader.ts';
import { openStreamClient, type StreamClient, type StreamEvent } from '../support/streamClient.ts';
import { tempFolders } from '../support/tempFolder.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';
import { waitUntil } from '../support/waitUntil.ts';

const folder = tempFolders();
const fixture = engineFixture();
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function startPrimary(url: string, dataDir = folder()): Promise<TestServer> {
  const server = await startTestServer(dataDir, {
    ...FED,
    BELLBIRD_ENGINE_URL: url,
    BELLBIRD_RELAY_SECRET: SECRET,
    BELLBIRD_TICK_MS: '20',
  });
  stops.push(server.stop);
  return server;
}

const portOf = ({ url }: TestServer): number => Number(new URL(url).port);

function pageOf(server: TestServer): StreamClient {
  const page = openStreamClient(portOf(server), '/api/data/stream');
  stops.push(() => page.leave());
  return page;
}

const quote = (code: string, last: number) => ({ code, name: `${code} of the tests`, close: 10, last });

/** The data of an event that is a snapshot. */
function snapshotIn(event: StreamEvent | undefined): Snapshot {
  if (event?.event !== 'snapshot') throw new Error('There is no snapshot.');
  return event.data as Snapshot;
}

const names = ({ events }: StreamClient): string[] => events.map(({ event }) => event);
const deltas = (page: StreamClient): number => names(page).filter((name) => name === 'delta_update').length;

/** The snapshot of a later epoch, as soon as it is stored. */
async function snapshotOf(redis: Redis, afterRun = 0): Promise<KeptSnapshot> {
  for (;;) {
    const snapshot = await redis.snapshot();
    if (snapshot && snapshot.position.run > afterRun) return snapshot;
    await Bun.sleep(5);
  }
}

test('a primary publishes what its pages receive, in order, and stores a snapshot that leads to it', async () => {
  const { url } = await fixture.redis();
  const server = await startPrimary(url);
  const redis = await fixture.connected(url);
  const before = await snapshotOf(redis);
  const page = pageOf(server);
  await page.until(({ events }) => events.length > 0);
  for (let step = 0; step < 8; step += 1) {
    const had = deltas(page);
    const many = Array.from({ length: 5 }, (_, nth) => quote(`S${step}${nth}`, 11 + step));
    await feed(server.url, quote('BHP', 40 + step), ...many);
    await page.until((client) => deltas(client) > had);
  }
  const last = page.events.filter(({ event }) => event === 'delta_update').at(-1);
  let frames = await messagesAfter(redis, before);
  const received = (): boolean =>
    frames.some(
      ({ relayMessage: frame }) => frame.kind === 'market' && `${frame.epoch}-${frame.seq}` === last?.id,
    );
  while (!received()) frames = await messagesAfter(redis, before);

  // The page received these very blocks, one after the other.
  const blocks = frames.flatMap(({ relayMessage: frame }) =>
    frame.kind === 'market' && frame.seq !== null ? [frame] : [],
  );
  const newest = Buffer.concat(blocks.slice(-3).map(({ block }) => block));
  expect(page.body().includes(newest)).toBe(true);
  expect(blocks.map(({ seq }) => seq)).toEqual(blocks.map((_, index) => (blocks[0]?.seq ?? 0) + index));

  const fresh = pageOf(server);
  await fresh.until(({ events }) => events.length > 0);
  const [first] = fresh.events;
  const known = Object.fromEntries(readStocks(snapshotIn(first).stocks));
  expect(Object.keys(known).length).toBe(41);
  expect(stocksOf(before, frames)).toEqual(known);
});

test('a primary publishes ended login sessions, including those ended on the command line', async () => {
  const { url } = await fixture.redis();
  const dataDir = folder();
  const server = await startPrimary(url, dataDir);
  const redis = await fixture.connected(url);
  const before = await snapshotOf(redis);
  const account = { username: 'admin', password: 'a good password', setupToken: server.setupToken() };
  const registered = await post(`${server.url}/api/register`, account);
  const { accessToken } = (await registered.json()) as { accessToken: string };
  const delivered = async (): Promise<number> =>
    (await messagesAfter(redis, before)).filter(({ relayMessage: frame }) => frame.kind === 'sessions')
      .length;
  await post(`${server.url}/api/logout`, {}, accessToken);
  while ((await delivered()) < 1) await Bun.sleep(5);
  const other = new Database(join(dataDir, 'bellbird.db'));
  other.run('UPDATE sessions SET revoked_at = ?', [Date.now()]);
  other.close();
  while ((await delivered()) < 2) await Bun.sleep(5);
});

test('a primary of another data folder does not start next to it, and one of the same does', async () => {
  const { url } = await fixture.redis();
  const dataDir = folder();
  const server = await startPrimary(url, dataDir);
  const port = await freePort();
  const second = startTestServer(folder(), {
    BELLBIRD_ENGINE_URL: url,
    BELLBIRD_RELAY_SECRET: SECRET,
    BELLBIRD_PORT: String(port),
  });
  let wasOpen = false;
  const knocking = setInterval(() => {
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => (wasOpen = true),
      () => undefined,
    );
  }, 2);
  stops.push(() => clearInterval(knocking));
  const problem: unknown = await second.then(
    () => null,
    (error: unknown) => error,
  );
  expect(problem).toBeInstanceOf(StartError);
  expect(String(problem)).toMatch(
    /Another primary, on .+ since .+, serves the relays of this Redis\. Stop it, or/,
  );
  expect(wasOpen).toBeFalse();
  const redis = await fixture.connected(url);
  const { position } = await snapshotOf(redis);
  await server.stop();
  await startPrimary(url, dataDir);
  expect((await snapshotOf(redis, position.run)).position.number).toBe(0);
});

test('a primary stops publishing when one with a copy of its data takes over, and its pages continue', async () => {
  const { url } = await fixture.redis();
  const dataDir = folder();
  const server = await startPrimary(url, dataDir);
  const redis = await fixture.connected(url);
  const { position } = await snapshotOf(redis);
  const copy = join(folder(), 'copy');
  await mkdir(copy, { recursive: true });
  for (const name of await readdir(dataDir)) {
    if (!name.endsWith('.lock')) await cp(join(dataDir, name), join(copy, name), { recursive: true });
  }
  await startPrimary(url, copy);
  const kept = await snapshotOf(redis, position.run);
  const page = pageOf(server);
  await page.until(({ events }) => events.length > 0);
  const isSilent = (): boolean =>
    server.lines.some(({ message }) => message === 'Stopped publishing to relays');
  for (let last = 30; !isSilent(); last += 1) {
    const had = deltas(page);
    await feed(server.url, quote('BHP', last));
    await page.until((it) => deltas(it) > had);
  }
  const had = deltas(page);
  await feed(server.url, quote('CBA', 150));
  await page.until((it) => deltas(it) > had);
  const codes = Object.keys(stocksOf(kept, await messagesAfter(redis, kept)));
  expect(codes).toEqual([]);
});

test('a primary has published everything after any number of disconnections', async () => {
  const redis = await fixture.redis();
  const server = await startPrimary(redis.url);
  const page = pageOf(server);
  await page.until(({ events }) => events.length > 0);
  const client = await fixture.connected(redis.url);
  const wait = [0, 7, 31, 2, 60];
  let run = (await snapshotOf(client)).position.run;
  for (const [round, ms] of wait.entries()) {
    const giving = feed(server.url, quote('BHP', 50 + round), quote(`R${round}`, 3));
    await Bun.sleep(ms);
    await redis.kill();
    await giving;
    await feed(server.url, quote('CBA', 150 + round));
    await redis.restart();
    await waitUntil('Redis', () => client.isUp());
    const kept = await snapshotOf(client, run);
    ({ run } = kept.position);
    await feed(server.url, quote('NAB', 30 + round));
    const isCurrent = (stocks: ReturnType<typeof stocksOf>): boolean =>
      stocks['NAB']?.last === 30 + round && stocks['CBA']?.last === 150 + round;
    let stocks = stocksOf(kept, await messagesAfter(client, kept));
    while (!isCurrent(stocks)) stocks = stocksOf(kept, await messagesAfter(client, kept));
    expect([stocks['BHP']?.last, stocks[`R${round}`]?.last]).toEqual([50 + round, 3]);
  }
  expect(page.finished()).toBe(false);
});
