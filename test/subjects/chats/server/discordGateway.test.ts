import { afterEach, beforeEach, expect, test } from 'bun:test';
import { loadConfig } from '#src/config/config.ts';
import { createHttpClient } from '#lib/httpClient/client.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import { createDiscord } from '#platform/discord/client.ts';
import { Gateway } from '#platform/discord/gateway.ts';
import { type FakeDiscord, startFakeDiscord } from '#support/fakeDiscord.ts';
import { createHandScheduler, type HandScheduler } from '#support/handScheduler.ts';
import { waitUntil } from '#support/waitUntil.ts';
import { appOf } from '#support/appOf.ts';

const WALL = { now: () => Date.now(), monotonic: () => performance.now() };

let fake: FakeDiscord;
let time: HandScheduler;
let lines: LogLine[];
let gateway: Gateway;

beforeEach(() => {
  fake = startFakeDiscord();
  time = createHandScheduler(0);
  lines = [];
  const { config } = loadConfig({ BELLBIRD_DISCORD_URL: fake.url, BELLBIRD_DISCORD_TOKEN: fake.token });
  const discord = createDiscord(appOf({ config, http: createHttpClient({ clock: WALL }), clock: WALL }));
  if (!discord) throw new Error('There is a token.');
  const app = appOf({ clock: time, log: createLog(lines.push.bind(lines)), schedule: time.schedule });
  gateway = new Gateway(
    app,
    discord,
    () => {},
    () => 0.5,
  );
  gateway.start();
});
afterEach(async () => {
  gateway.stop();
  await fake.stop();
});

const isUp = (): boolean => gateway.state().state === 'up';

test('a connection without a sign of life for three minutes is replaced, and resumed', async () => {
  await waitUntil('a session', isUp);
  time.advance(170_000);
  expect(gateway.state()).toMatchObject({ state: 'up', connections: 1 });
  time.advance(45_000);
  expect(gateway.state()).toMatchObject({ state: 'connecting', connections: 2 });
  expect(lines).toMatchObject([{ level: 'warn', message: 'Discord stopped answering' }]);
  await waitUntil('the session again', isUp);
  expect(fake.gateway.counts).toMatchObject({ identified: 1, resumed: 1 });
});

/** Advances the clock until the next attempt. @returns seconds */
function waitOver(): number {
  let seconds = 0;
  for (; gateway.state().state === 'waiting'; seconds += 1) time.advance(1000);
  return seconds;
}

test('retry delays grow while Discord is away, and reset once it is back', async () => {
  await waitUntil('a session', isUp);
  fake.setFault('/gateway/bot', { kind: 'status', status: 503 });
  time.advance(210_000);
  const waits: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    await waitUntil('a failure', () => gateway.state().state === 'waiting');
    waits.push(waitOver());
  }
  expect(waits.at(-1)).toBeGreaterThanOrEqual(120);
  expect(waits.at(-1)).toBeLessThanOrEqual(300);
  expect(lines.filter(({ level }) => level === 'warn').length).toBeLessThanOrEqual(3);
  await waitUntil('the last failure', () => gateway.state().state === 'waiting');
  fake.setFault('/gateway/bot', null);
  waitOver();
  await waitUntil('the session again', isUp);
  expect(gateway.state()).toMatchObject({ failures: 0, problem: null });
});
