import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, expect, test } from 'bun:test';
import { DAY_MS, MINUTE_MS } from '#lib/units.ts';
import type { DestinationSeen, ServicesSeen } from '#admin/serverAlerts/rules/serviceChecks.ts';
import { createServerAlerts, certificateEnd } from '#admin/serverAlerts/server/index.ts';
import { loadConfig } from '#src/config/config.ts';
import { bad, good } from '#lib/checkResult.ts';
import { createLog } from '#lib/log.ts';
import type { Db } from '#platform/db/open.ts';
import { createOutbox } from '#platform/outbox/index.ts';
import type { Places } from '#subjects/alerts/rules/recipient.ts';
import type { MessagePlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { createHandScheduler } from '#support/handScheduler.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { createTestApp, START } from '#support/testApp.ts';
import { appOf, standIn } from '#support/appOf.ts';

const opened: { close(): void }[] = [];
afterEach(() =>
  opened
    .splice(0)
    .toReversed()
    .forEach((one) => one.close()),
);

function newDb(): Db {
  const db = openMemoryDb();
  opened.push(db.$client);
  db.$client.run(
    `INSERT INTO users (id, username, username_key, password_hash, is_admin, deleted_at, created_at) VALUES
     (1, 'host', 'host', 'x', 1, NULL, 0), (2, 'trader', 'trader', 'x', 0, NULL, 0), (3, 'other', 'other', 'x', 1, NULL, 0)`,
  );
  return db;
}

const placeOf = (platform: MessagePlatform, userId: number): string =>
  `${platform === 'telegram' ? 'chat' : platform} ${userId}`;

function setUp({ db = newDb(), start = START } = {}) {
  const hand = createHandScheduler(start);
  const log = createLog(() => {});
  const state = {
    prices: {
      label: 'ASX',
      healthy: true,
      problem: null as string | null,
      signInProblem: null,
      missing: [] as { name: string; since: number }[],
    },
    endsAt: START + 90 * DAY_MS,
    isNew: false,
    failed: null as Error | null,
    free: 5e9 as number | null,
    backupFailure: null as string | null,
    services: {} as ServicesSeen,
    places: ['telegram'] as MessagePlatform[],
    channels: [] as DestinationSeen[],
    chats: [] as Places['chats'],
  };
  const { config } = loadConfig({ BELLBIRD_PUBLIC_URL: 'https://bellbird.example' });
  const outbox = createOutbox(appOf({ db, clock: hand, log }), {
    senders: [],
    messageOf: () => null,
  }).service;
  const host = appOf({
    config,
    db,
    clock: hand,
    log,
    outbox,
    schedule: hand.schedule,
    chatsOf: (id: number) => state.places.map((platform) => ({ platform, chatId: placeOf(platform, id) })),
    channels: { destinations: () => state.channels },
    placesOf: (id: number) => ({ chats: id === 3 ? state.chats : [], devices: [] }),
    backups: {
      newest: () => standIn({ madeAt: hand.now() }),
      failure: () => standIn({ reason: state.backupFailure ?? '', isNightly: state.backupFailure !== null }),
      warning: () => null,
    },
    diskRoom: () => standIn({ free: state.free }),
    relayState: null,
    push: { clockAhead: () => [] },
    updates: {
      canCheck: () => true,
      check: () => Promise.resolve(standIn({})),
      lastOffer: () => standIn({ isNew: state.isNew, takenBack: null, version: '2.0.0' }),
    },
  });
  // Its routes are tested in the whole app, below.
  const serverAlerts = createServerAlerts(host, {
    services: () => state.services,
    sources: () => ({
      prices: state.prices,
      announcements: null,
      calendar: null,
      marketTime: START,
      now: hand.now(),
    }),
    endOf: () => (state.failed ? Promise.reject(state.failed) : Promise.resolve(state.endsAt)),
  });
  opened.push({ close: () => serverAlerts.stop() });
  const pass = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      hand.advance(MINUTE_MS);
      for (let turn = 0; turn < 6; turn += 1) await Promise.resolve();
    }
  };
  const sent = (chat = 'chat 1') =>
    db.$client
      .query<{ title: string }, [string]>(
        "SELECT json_extract(message, '$.title') AS title FROM outbox WHERE chat_id = ? ORDER BY id",
      )
      .all(chat)
      .map(({ title }) => title);
  return { db, serverAlerts, pass, state, sent };
}

const DOWN = 'Bellbird: No prices are arriving';
const UP = 'Bellbird: Prices are arriving again';

test('administrators are notified once when prices stop, also across a restart, and once when they return', async () => {
  const first = setUp();
  first.serverAlerts.start();
  await first.pass(3);
  const prices = { ...first.state.prices, healthy: false, problem: 'ASX answers 500.' };
  first.state.prices = prices;
  await first.pass(4);
  expect(first.sent()).toEqual([]);
  await first.pass(6);
  first.serverAlerts.stop();
  const { serverAlerts, pass, state, sent } = setUp({ db: first.db, start: START + 60 * MINUTE_MS });
  state.prices = prices;
  serverAlerts.start();
  await pass(20);
  expect(sent()).toEqual([DOWN]);
  expect(serverAlerts.service.list()).toMatchObject([
    { key: 'prices', detail: 'ASX answers 500.', wellSince: null },
  ]);
  state.prices = { ...state.prices, healthy: true, problem: null };
  await pass(5);
  expect(serverAlerts.service.list()).toMatchObject([
    { key: 'prices', detail: '', wellSince: expect.any(Number) },
  ]);
  await pass(60);
  expect(sent()).toEqual([DOWN, UP]);
  expect(sent('chat 3')).toEqual([DOWN, UP]);
  expect(sent('chat 2')).toEqual([]);
  expect(serverAlerts.service.list()).toEqual([]);
});

test('a failing bot is reported once through another channel, and its recovery once through all', async () => {
  const REFUSED = bad('Telegram bot', 'Telegram does not accept the token.', 'Get the token.');
  const WELL = good('Telegram bot', 'Telegram knows the bot.');
  const BROKEN = 'Bellbird: The Telegram bot does not work';
  const WORKS = 'Bellbird: The Telegram bot works again';

  const { serverAlerts, pass, state, sent } = setUp();
  Object.assign(state, { places: ['telegram', 'discord'], services: { telegram: WELL } });
  serverAlerts.start();
  await pass(5);
  state.services = { telegram: REFUSED };
  await pass(60);
  expect([sent('chat 1'), sent('discord 1'), sent('discord 3')]).toEqual([[], [BROKEN], [BROKEN]]);
  expect(serverAlerts.service.list()).toMatchObject([
    { key: 'telegram', detail: 'Telegram does not accept the token.', remedy: 'Get the token.' },
  ]);
  expect(serverAlerts.service.status()).toMatchObject({ telegram: true });
  state.services = { telegram: WELL };
  await pass(60);
  expect([sent('chat 1'), sent('discord 1')]).toEqual([[WORKS], [BROKEN, WORKS]]);
  expect(serverAlerts.service.list()).toEqual([]);
});

test('refusing channels are reported once, again for another one, and once when all accept messages', async () => {
  const BROKEN = 'Bellbird: Messages to a channel are refused';
  const reason = 'The bot was removed.';

  const { serverAlerts, pass, state, sent } = setUp();
  state.channels = ['Alerts', 'Daily'].map((name) => ({ name, reason: null }));
  serverAlerts.start();
  await pass(3);
  expect(sent()).toEqual([]);
  state.channels = [
    { name: 'Alerts', reason },
    { name: 'Daily', reason: null },
  ];
  await pass(60);
  expect(sent()).toEqual([BROKEN]);
  expect(serverAlerts.service.list()).toMatchObject([
    { key: 'channels', detail: 'Alerts: The bot was removed.' },
  ]);
  state.channels = ['Alerts', 'Daily'].map((name) => ({ name, reason }));
  await pass(60);
  expect(sent().slice(1)).toEqual(['Bellbird: Messages to another channel are refused']);
  state.channels = ['Alerts', 'Daily'].map((name) => ({ name, reason: null }));
  await pass(2);
  expect(sent().slice(2)).toEqual(['Bellbird: All channels receive messages again']);
  expect(serverAlerts.service.list()).toEqual([]);
});

test('an administrator whom no server alert reaches is named to the others', async () => {
  const { serverAlerts, pass, state, sent } = setUp();
  const chat = { platform: 'telegram' as const, isConfirmed: true, brokenReason: 'The bot was blocked.' };
  state.chats = [chat, { ...chat, platform: 'discord', brokenReason: null }];
  serverAlerts.start();
  await pass(3);
  expect(serverAlerts.service.list()).toEqual([]);
  state.chats = [chat];
  await pass(3);
  expect(sent()).toEqual(['Bellbird: Server alerts do not reach an administrator']);
  expect(serverAlerts.service.list()).toMatchObject([
    { key: 'administrators', detail: 'other: Telegram: The bot was blocked.' },
  ]);
});

test('the routes save which administrators want server alerts', async () => {
  const app = createTestApp();
  opened.push(app);
  const read = async () => (await app.request('GET', '/api/admin/notices', { as: 'admin' })).json;
  expect(await read()).toMatchObject({ notices: [], isWanted: true, isReachable: false });
  const put = (body: unknown) => app.request('PUT', '/api/admin/notices/wanted', { as: 'admin', body });
  expect((await put({ isWanted: false })).json).toEqual({ isWanted: false });
  expect(await read()).toMatchObject({ isWanted: false });
  expect((await put({ isWanted: 'perhaps' })).status).toBe(400);
  expect((await put({ isWanted: true })).json).toEqual({ isWanted: true });
  await put({ isWanted: true });
  const { entries } = app.parts.audit.service.list({});
  expect(entries).toMatchObject([
    { action: 'switch notices', target: 'admin', before: { isTold: false }, after: { isTold: true } },
    { action: 'switch notices', before: { isTold: true }, after: { isTold: false } },
  ]);
  expect(await read()).toMatchObject({ isWanted: true });
});

test('administrators who switched server alerts off receive none', async () => {
  const { db, serverAlerts, pass, state, sent } = setUp();
  db.$client.run("INSERT INTO facts (key, value) VALUES ('notices_unwanted', '[1]')");
  state.isNew = true;
  serverAlerts.start();
  await pass(5);
  expect([sent(), sent('chat 3')]).toEqual([[], ['Bellbird: Update available']]);
});

test('the expiry of a certificate is read, also of an untrusted one', async () => {
  const file = (name: string) => Bun.file(join(import.meta.dir, '../../../fixtures/tls', name));
  const [key, cert] = await Promise.all([file('key.pem').text(), file('certificate.pem').text()]);
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { key, cert },
    fetch: () => new Response(''),
  });
  opened.push({ close: () => void server.stop(true) });
  const end = await certificateEnd(`https://127.0.0.1:${server.port}`);
  expect(end).toBe(Date.parse(new X509Certificate(cert).validTo));
});
