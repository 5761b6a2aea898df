import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { needExecutable, type Running, startBellbird, temporaryFolder } from '../support/executable.ts';
import { type RedisServer, startRedis } from '../support/redisServer.ts';
import { primaryEnv, type RelayProcess, startRelay } from '../support/relayProcess.ts';
import { openStreamClient, type StreamClient, type StreamEvent } from '../support/streamClient.ts';

await needExecutable();

const MARKET = '/api/data/stream';
const PLAIN = { 'accept-encoding': 'identity' };
let redis: RedisServer;
let primary: Running;
let relays: RelayProcess[];
let dataDir: string;

/** The simulated day is in trading hours, so every second has a tick. */
const startPrimary = (port?: number): Promise<Running> =>
  startBellbird({
    dataDir,
    env: { ...primaryEnv(redis.url), BELLBIRD_SIM_START: '11:00' },
    ...(port !== undefined && { port }),
  });

const newRelay = (name: string): Promise<RelayProcess> =>
  startRelay({ engineUrl: redis.url, primaryUrl: primary.url, name });

const openPage = (port: number): StreamClient => openStreamClient(port, MARKET, PLAIN);

const eventsNamed = (page: StreamClient, name: string): StreamEvent[] =>
  page.events.filter(({ event }) => event === name);
const epochOf = (page: StreamClient): string =>
  page.events.find(({ id }) => id !== null)?.id?.split('-')[0] ?? '';

/** It was ended, or refused. */
const isOver = (page: StreamClient): boolean =>
  page.ended() || page.finished() || / [45]\d\d /.test(page.head());

/** Opens a page repeatedly, as a browser does, until it receives the market. */
async function untilMarket(port: number, isWanted: (page: StreamClient) => boolean): Promise<StreamClient> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const page = openPage(port);
    await page.until(() => isOver(page) || eventsNamed(page, 'delta_update').length > 0);
    if (eventsNamed(page, 'delta_update').length > 0 && isWanted(page)) return page;
    page.leave();
    await Bun.sleep(100);
  }
  throw new Error('No page received the market.');
}

beforeAll(async () => {
  dataDir = await temporaryFolder();
  redis = await startRedis();
  primary = await startPrimary();
  relays = await Promise.all([newRelay('first'), newRelay('second')]);
});

afterAll(async () => {
  await Promise.all([...relays.map((relay) => relay.stop('SIGKILL')), primary.stop('SIGKILL')]);
  await redis.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const relay = (index: number): RelayProcess => {
  const found = relays[index];
  if (!found) throw new Error('There is no such relay.');
  return found;
};

test('pages of relays return to the market of a primary that was killed and started again', async () => {
  const page = await untilMarket(relay(1).port, () => true);
  const { port } = primary;
  await primary.stop('SIGKILL');
  primary = await startPrimary(port);
  await page.until(() => isOver(page));
  for (const one of relays) {
    const back = await untilMarket(one.port, (next) => epochOf(next) !== epochOf(page));
    expect(eventsNamed(back, 'snapshot')).toHaveLength(1);
    back.leave();
  }
  page.leave();
});
