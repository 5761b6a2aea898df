import type { Example } from '../../src/texts/routeContract.ts';
import type { FakeModel } from './fakeModel.ts';
import { turnOn, firstStep } from './secondFactor.ts';
import { writeFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { putBackups } from './backupFolder.ts';
import { PASSWORD, START, TEST_SECRET, type TestRequest } from './testApp.ts';
import { RELAY_HEADER, relayToken } from '../../src/platform/http/relayToken.ts';
import { createActionTokens } from '../../src/platform/push/actionToken.ts';
import { DEVICES } from '../../src/subjects/devices/contract.ts';
import { SETTINGS } from '../../src/subjects/settings/contract.ts';
import { TRANSFER } from '../../src/subjects/transfer/contract.ts';
import { ALERT, lastAbove } from './alertsApp.ts';
import { eventIn, type CalendarApp, createCalendarApp } from './calendarApp.ts';
import { BOUGHT, trade, list } from './callsApp.ts';
import { codeAt } from '../../src/subjects/accounts/rules/totp.ts';
import { tmpdir } from 'node:os';
import { builtInFields } from '../../src/market/indicators/rules/builtInCatalog.ts';
import type { UserRow } from '../../src/subjects/accounts/server/store.ts';
import { ok } from '../../src/lib/result.ts';
import type { ReplayState } from '../../src/market/rules/stream.ts';
import type { ReplayControls } from '../../src/sources/quotes/source.ts';
import { aRelease, createHandAnnouncements } from './handAnnouncements.ts';
import { createCheckout } from './updateStage.ts';

export const INGEST_KEY = 'a key of the tests, long enough';
/** Of the relays that the examples are sent by. */
export const RELAY_SECRET = 'a secret of relays of the tests';
export const METRICS_KEY = 'another key of the tests, long enough';
export const LOG_NAME = 'bellbird.log';

/** What the example of a route takes the place of with what is really there. */
export type Real = Pick<Example, 'params' | 'query' | 'body'> & { headers?: Record<string, string> };
/** A whole server on which every example works, in folders of its own. */
export type ExampleApp = CalendarApp & {
  folders: { logs: string; backups: string };
};
export type Stage = {
  app: ExampleApp;
  /** Who will send the example; null for a guest. */
  user: UserRow | null;
  as: 'guest' | { token: string };
  /** Posts as the user who will send the example. @returns the answer's JSON */
  post(path: string, body: unknown): Promise<Record<string, unknown>>;
};
export type Setup = (stage: Stage) => Promise<Real> | Real;

/** @throws for a guest, whose example needs no account */
export function requireUser(user: UserRow | null): UserRow {
  if (user === null) throw new Error('This example is for who is logged in.');
  return user;
}

/** Sends a request of an administrator, or of somebody else. @returns the answer's JSON @throws unless it is 200 */
export async function done(
  app: ExampleApp,
  path: string,
  body: unknown,
  as: TestRequest['as'] = 'admin',
): Promise<Record<string, unknown>> {
  const { status, json, text } = await app.request('POST', path, { as, body });
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return json as Record<string, unknown>;
}

/** Makes what a list is to show. */
export const listing =
  (make: Setup): Setup =>
  async (stage) => {
    await make(stage);
    return {};
  };

/** A replay of 19 January 2026 of which only the controls are there. */
function handReplay(): ReplayControls {
  const state: ReplayState = {
    from: Date.UTC(2026, 0, 18, 20, 0),
    until: Date.UTC(2026, 0, 19, 6, 0),
    ...{ isPaused: false, speed: 1, hasEnded: false, isCutOff: false, jumps: 0 },
  };
  return {
    state: () => state,
    pause: (isPaused) => void Object.assign(state, { isPaused }),
    setSpeed: (speed) => void Object.assign(state, { speed }),
    jump: () => void (state.jumps += 1),
  };
}

/**
 * The application of the examples: listed stocks, a model, keys, test mode, a log, and an executable in a checkout with
 * nothing newer in its origin, so that looking for an update is real and nothing comes of it.
 */
export async function createExampleApp(model: FakeModel): Promise<ExampleApp> {
  const base = mkdtempSync(join(tmpdir(), 'bellbird-examples-'));
  const dataDir = join(base, 'data');
  const folders = { logs: join(dataDir, 'logs'), backups: join(dataDir, 'backups') };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  writeFileSync(join(folders.logs, LOG_NAME), 'The server started.\n');
  const checkout = createCheckout(base);
  const noConditions = JSON.stringify({ conditions: [], unsaid: [] });
  model.script(({ messages }) => ({
    kind: 'text',
    text: messages[0]?.content.includes('"conditions"') ? noConditions : 'Nothing has gapped up today.',
  }));
  const announcements = createHandAnnouncements();
  const app = await createCalendarApp({
    env: {
      BELLBIRD_AI_URL: model.url,
      BELLBIRD_AI_MODEL: 'any',
      BELLBIRD_INGEST_KEY: INGEST_KEY,
      BELLBIRD_METRICS_KEY: METRICS_KEY,
      BELLBIRD_ENGINE_URL: 'redis://127.0.0.1:1',
      BELLBIRD_RELAY_SECRET: RELAY_SECRET,
      BELLBIRD_TELEGRAM_TOKEN: '1:token-of-the-tests',
      BELLBIRD_TEST: '1',
    },
    config: { dataDir },
    runtime: {
      metainfo: async () => ok(builtInFields()),
      about: { pid: 4711, startedAt: START, version: '1.0.0', commit: checkout.first },
      // A restart ends nothing here.
      control: { supervisor: 'parent', restart: () => {} },
      program: { executable: checkout.executable, isStandalone: true, releaseKey: null, env: process.env },
      paths: { folder: dataDir, database: join(dataDir, 'bellbird.db') },
      logs: { folder: folders.logs, file: null },
      writeBackup: (folder, name) => ({
        finished: Bun.write(join(folder, name), 'a database').then((bytes) => ({ ok: true, bytes })),
        cancel: () => {},
      }),
    },
    source: { announcements, replay: handReplay() },
  });
  app.parts.announcements.start();
  list(app);
  announcements.give([aRelease('a', { headline: 'Quarterly Report' })]);
  app.tick.run();
  return {
    ...app,
    folders,
    close() {
      app.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

const TRANSFER_EXAMPLE = TRANSFER['POST /api/settings/transfer'].example.body;

const alert: Setup = async ({ post }) => ({
  params: { id: String((await post('/api/alerts', ALERT))['id']) },
});
const call: Setup = async ({ post }) => ({
  params: { publicId: String((await post('/api/calls', BOUGHT))['publicId']) },
});
const scan: Setup = async ({ post }) => {
  const conditions = [{ lhs: 'last', op: '>', rhs: 1 }];
  const { scan: made } = await post('/api/indicators/scans', {
    name: 'Mine',
    logic: { op: 'AND', conditions },
  });
  return { params: { id: String((made as { id: number }).id) } };
};
const scanAlert: Setup = async ({ post }) => {
  const body = { scan: { type: 'scanner', key: 'intraDayMidLarge' }, name: 'Movers' };
  return { params: { id: String((await post('/api/scan-alerts', body))['id']) } };
};
const watched: Setup = async ({ post }) => ({
  params: { id: String((await post('/api/watchlist', { symbol: 'BHP' }))['id']) },
});
const aList: Setup = async (stage) => {
  await watched(stage);
  return { params: { id: String((await stage.post('/api/watchlists', { name: 'Mine' }))['id']) } };
};
/** A subscription of the examples, at an address of Google's that nothing is sent to. */
const SUBSCRIPTION = DEVICES['POST /api/devices/'].example.body;
const device: Setup = async ({ post }) => {
  const made = await post('/api/devices/', SUBSCRIPTION);
  return { params: { id: String((made['device'] as { id: number }).id) } };
};
/** Asks for a plan that the caller does not have. */
const asked: Setup = async ({ post }) => {
  await post('/api/settings/request-upgrade', { level: 'premium' });
  return {};
};

/** The caller logs in with two factors: password and code. */
const proof: Setup = async ({ app, as }) => ({
  body: { password: PASSWORD, code: (await turnOn(app, as)).nextCode() },
});

/** What must be there before the example of a route for anyone or for users is sent, by method and path. */
export const USER_SETUPS: Readonly<Record<string, Setup>> = {
  'POST /api/login': listing(async ({ app }) => {
    await app.user('free');
    return {};
  }),
  'POST /api/login/second-step': async ({ app }) => {
    const { username, ...user } = await app.addUser('two factors');
    const armed = await turnOn(app, { token: await app.tokenOf({ username, ...user }) });
    const { ticket } = await firstStep(app, username);
    return { body: { ticket, code: armed.nextCode() } };
  },
  'POST /api/settings/second-factor/confirm': async ({ app, post }) => {
    const { secret } = await post('/api/settings/second-factor/begin', { password: PASSWORD });
    return { body: { code: codeAt(String(secret), app.clock.now()) } };
  },
  'POST /api/settings/second-factor/recovery-codes': proof,
  'POST /api/settings/second-factor/off': proof,
  'POST /api/settings/sessions/end': async ({ app, as, user }) => {
    await app.tokenOf(requireUser(user));
    const { json } = await app.request('GET', '/api/settings/sessions', { as });
    const { sessions } = json as { sessions: { id: string; current: boolean }[] };
    return { body: { id: sessions.find(({ current }) => !current)?.id } };
  },
  'POST /api/settings/sessions/end-others': async ({ app, user }) => {
    await app.tokenOf(requireUser(user));
    return {};
  },
  'GET /api/settings/export': async (stage) => {
    await Promise.all([alert(stage), call(stage)]);
    return {};
  },
  'GET /api/settings/transfer': async (stage) => {
    await Promise.all([alert(stage), call(stage), scan(stage), scanAlert(stage)]);
    await stage.post(
      '/api/settings/table-columns',
      SETTINGS['POST /api/settings/table-columns'].example.body,
    );
    return {};
  },
  'POST /api/settings/transfer': async ({ post }) => {
    const { seen } = await post('/api/settings/transfer/preview', TRANSFER_EXAMPLE);
    return { query: { seen: String(seen) } };
  },
  'POST /api/settings/withdraw-upgrade': asked,
  'POST /api/settings/dismiss-declined-upgrade': async (stage) => {
    await asked(stage);
    const body = { userId: requireUser(stage.user).id, reason: 'Next month, gladly.' };
    await done(stage.app, '/api/admin/decline-upgrade', body);
    return {};
  },
  'POST /api/settings/unlink-chat': async ({ post }) => {
    const body = { chatUserId: '987654321', platform: 'telegram' };
    await post('/api/settings/link-chat', body);
    return { body };
  },
  'POST /api/link/offer': ({ app }) => ({
    body: { token: app.parts.linkedChats.service.newToken('telegram', '555555555', 'Ann') },
  }),
  'POST /api/link/claim': ({ app }) => ({
    body: { token: app.parts.linkedChats.service.newToken('telegram', '555555555', 'Ann') },
  }),
  'GET /api/devices/': listing(device),
  'PUT /api/devices/:id/subscription': device,
  'PUT /api/devices/:id/name': device,
  'POST /api/devices/:id/test': device,
  'DELETE /api/devices/:id': device,
  'POST /api/devices/moved': async ({ app }) => {
    const token = await app.tokenOf(await app.user('free'));
    await done(app, '/api/devices/', SUBSCRIPTION, { token });
    return {};
  },
  'POST /api/devices/act': async ({ app }) => {
    const user = await app.user('free');
    const as = { token: await app.tokenOf(user) };
    const { device: made } = await done(app, '/api/devices/', SUBSCRIPTION, as);
    const { id: alertId } = await done(app, '/api/alerts', ALERT, as);
    const named = { deviceId: (made as { id: number }).id, kind: 'alert' as const, alertId: Number(alertId) };
    const token = createActionTokens(TEST_SECRET).sign(named, app.clock.now());
    return { body: { token, action: 'snooze' } };
  },
  'POST /api/ingest/market': () => ({ headers: { authorization: INGEST_KEY } }),
  'GET /api/calendar/events/:eventId/history': ({ app }) => {
    const event = eventIn(60);
    app.events(event);
    return { params: { eventId: event.id } };
  },
  'PUT /api/calendar/reminders/:eventId': ({ app }) => {
    const event = eventIn(60);
    app.events(event);
    return { params: { eventId: event.id } };
  },
  'PUT /api/indicators/scans/:id': scan,
  'DELETE /api/indicators/scans/:id': scan,
  'GET /api/indicators/scans': listing(scan),
  'PATCH /api/watchlist/:id': watched,
  'DELETE /api/watchlist/:id': watched,
  'PATCH /api/watchlists/:id': aList,
  'DELETE /api/watchlists/:id': aList,
  'GET /api/alerts': listing(alert),
  'POST /api/alerts': async (stage) => {
    const { id } = (await scan(stage)).params ?? {};
    const entered = { lhs: { type: 'scan', id: Number(id) }, op: 'crosses_above', rhs: 0.5 };
    return { body: { ...ALERT, logic_json: { op: 'AND', conditions: [entered] } } };
  },
  'PATCH /api/alerts/:id': alert,
  'POST /api/alerts/:id/undo': async ({ post }) => ({
    // True already: BHP trades above it.
    params: { id: String((await post('/api/alerts', { ...ALERT, logic_json: lastAbove(1) }))['id']) },
  }),
  'DELETE /api/alerts/:id': alert,
  'GET /api/alerts/:id/evaluation': alert,
  'GET /api/alerts/:id/triggers': async (stage) => {
    const real = await alert(stage);
    trade(stage.app, 'BHP', 51);
    trade(stage.app, 'BHP', 40);
    return real;
  },
  'GET /api/alerts/triggers': async (stage) => {
    await alert(stage);
    trade(stage.app, 'BHP', 51);
    await scanAlert(stage);
    for (const value of [2000, 9000]) {
      stage.app.clock.advance(1000);
      stage.app.source.give([{ code: 'BHP', last: 41, vwap: 40, value }]);
      stage.app.tick.run();
    }
    return {};
  },
  'GET /api/scan-alerts': listing(scanAlert),
  'PATCH /api/scan-alerts/:id': scanAlert,
  'DELETE /api/scan-alerts/:id': scanAlert,
  'POST /api/scan-alerts/:id/mutes': scanAlert,
  'GET /api/scan-alerts/:id/triggers': async (stage) => {
    const made = await scanAlert(stage);
    for (const value of [2000, 9000]) {
      stage.app.clock.advance(1000);
      stage.app.source.give([{ code: 'BHP', last: 41, vwap: 40, value }]);
      stage.app.tick.run();
    }
    return made;
  },
  'GET /api/calls/leaderboard': async ({ app }) => {
    await app.request('POST', '/api/calls', { as: 'premium', body: BOUGHT });
    return {};
  },
  'GET /api/calls/:publicId': async ({ app }) => {
    const { json } = await app.request('POST', '/api/calls', { as: 'premium', body: BOUGHT });
    return { params: { publicId: (json as { publicId: string }).publicId } };
  },
  'GET /api/calls/by/:name': async ({ app }) => {
    await app.request('POST', '/api/calls', { as: 'premium', body: BOUGHT });
    return { params: { name: 'premium' } };
  },
  'GET /api/calls/mine': listing(call),
  'POST /api/calls/:publicId/close': call,
  'POST /api/calls/:publicId/keep': call,
  'POST /api/calls/:publicId/cancel': async ({ post }) => {
    const { publicId } = await post('/api/calls', { ...BOUGHT, callType: 'buy', entryPrice: 39 });
    return { params: { publicId: String(publicId) } };
  },
  'POST /api/admin/calls/:publicId/admin-status': call,
  'POST /api/admin/calls/:publicId/corrections': (stage) => {
    // Other examples leave it higher.
    trade(stage.app, 'BHP', 40);
    return call(stage);
  },
};

const ONE_DAY_MS = 86_400_000;
const FROM_RELAY = { [RELAY_HEADER]: relayToken(RELAY_SECRET, 'asked') };

/** Somebody who asks for a plan. */
async function asking({ app }: Stage): Promise<number> {
  const user = await app.addUser(`hopeful ${crypto.randomUUID().slice(0, 8)}`);
  const token = await app.tokenOf(user);
  await done(app, '/api/settings/request-upgrade', { level: 'premium' }, { token });
  return user.id;
}

const decision =
  (more: object): Setup =>
  async (stage) => ({
    body: { userId: await asking(stage), requestedSubscriptionType: 'premium', ...more },
  });

const somebody: Setup = async (stage) => ({ params: { id: String(await asking(stage)) } });

const edited: Setup = async (stage) => {
  const id = await asking(stage);
  await stage.app.request('PUT', `/api/admin/users/${id}`, {
    as: 'admin',
    body: { subscriptionType: 'basic' },
  });
  return {};
};

const CLOSURES = '/api/admin/market-closures';
const CLOSED_DAY = { date: '2027-09-22', kind: 'closed', reason: 'National Day of Mourning' };
/** The day of the examples is there, or is not. */
const closure: Setup = async ({ app }) => {
  await app.request('POST', CLOSURES, { as: 'admin', body: CLOSED_DAY });
  return { params: { date: CLOSED_DAY.date } };
};
const noClosure: Setup = async ({ app }) => {
  await app.request('DELETE', `${CLOSURES}/${CLOSED_DAY.date}`, { as: 'admin' });
  return {};
};

/** A channel that nobody else's example uses. */
async function addChannel({ user, post }: Stage): Promise<number> {
  const body = { name: 'Traders', platform: 'telegram', chatId: `-100${2_000_000 + requireUser(user).id}` };
  return ((await post('/api/admin/channels', body))['channel'] as { id: number }).id;
}
const channel: Setup = async (stage) => ({ params: { id: String(await addChannel(stage)) } });
const broadcast: Setup = async (stage) => ({
  body: { channelIds: [await addChannel(stage)], message: 'The server restarts at six.' },
});
const sent: Setup = async (stage) => {
  const { body } = await broadcast(stage);
  await stage.post('/api/admin/channels/broadcast', body);
  return { params: { id: String((body as { channelIds: number[] }).channelIds[0]) } };
};

const logFile: Setup = ({ app }) => {
  writeFileSync(join(app.folders.logs, LOG_NAME), 'The server started.\nIt listens.\n');
  return { params: { name: LOG_NAME } };
};

const backup: Setup = async ({ app }) => {
  const made = [{ kind: 'nightly', at: START - ONE_DAY_MS, text: 'a database' }] as const;
  const [name = ''] = await putBackups(app.folders.backups, made);
  return { params: { name } };
};

let recordings = 0;
/** A recording that is under way. */
async function recording({ app }: Stage): Promise<string> {
  recordings += 1;
  const running = app.parts.recordings.service.running();
  if (running) await done(app, '/api/admin/recordings/stop', {});
  const name = `Recording ${String(recordings)}`;
  await done(app, '/api/admin/recordings', { name });
  return name;
}
const recorded: Setup = async (stage) => {
  const name = await recording(stage);
  await done(stage.app, '/api/admin/recordings/stop', {});
  return { params: { name } };
};
const notRecording: Setup = async ({ app }) => {
  if (app.parts.recordings.service.running()) await done(app, '/api/admin/recordings/stop', {});
  recordings += 1;
  return { body: { name: `Recording ${String(recordings)}` } };
};

/** What must be there before the example of a route for administrators is sent, by method and path. */
export const ADMIN_SETUPS: Readonly<Record<string, Setup>> = {
  'POST /api/relays/alert-opening': async ({ app }) => {
    const token = await app.tokenOf(await app.user('free'));
    return { body: { token, lastEventId: null }, headers: FROM_RELAY };
  },
  'POST /api/relays/sessions': () => ({ headers: FROM_RELAY }),
  'GET /metrics': () => ({ headers: { authorization: `Bearer ${METRICS_KEY}` } }),
  'GET /api/admin/users/:id': somebody,
  'PUT /api/admin/users/:id': somebody,
  'POST /api/admin/users/:id/clear-second-factor': async ({ app }) => {
    const user = await app.addUser('lost phone');
    await turnOn(app, { token: await app.tokenOf(user) });
    return { params: { id: String(user.id) } };
  },
  'GET /api/admin/upgrade-requests': listing(somebody),
  'POST /api/admin/approve-upgrade': decision({}),
  'POST /api/admin/decline-upgrade': decision({ reason: 'Next month, gladly.' }),
  'GET /api/admin/audit': edited,
  'GET /api/admin/market-closures': listing(closure),
  'POST /api/admin/market-closures': noClosure,
  'DELETE /api/admin/market-closures/:date': closure,
  'GET /api/admin/channels': listing(channel),
  'PUT /api/admin/channels/:id': channel,
  'DELETE /api/admin/channels/:id': channel,
  'POST /api/admin/channels/broadcast': broadcast,
  'GET /api/admin/channels/broadcasts': listing(sent),
  'GET /api/admin/channels/:id/messages': sent,
  'GET /api/admin/external-metrics': async ({ post }) => {
    await post('/api/admin/askai', { question: 'Which stocks gapped up today?' });
    return {};
  },
  'GET /api/admin/logs': listing(logFile),
  'GET /api/admin/logs/:name/tail': logFile,
  'GET /api/admin/logs/:name/download': logFile,
  'DELETE /api/admin/logs/:name': logFile,
  'GET /api/admin/backups': listing(backup),
  'POST /api/admin/backups/:name/download': backup,
  'GET /api/admin/recordings': listing(recorded),
  'POST /api/admin/recordings': notRecording,
  'POST /api/admin/recordings/stop': async (stage) => {
    await recording(stage);
    return {};
  },
  'DELETE /api/admin/recordings/:name': recorded,
  'POST /api/admin/recordings/:name/download': recorded,
  'POST /api/admin/recordings/:name/play': recorded,
  'POST /api/admin/recordings/end-replay': async (stage) => {
    const { params } = await recorded(stage);
    await done(stage.app, `/api/admin/recordings/${String(params?.['name'])}/play`, {});
    return {};
  },
  'GET /api/recording-download': async (stage) => {
    const { params } = await recorded(stage);
    const { url } = await done(stage.app, `/api/admin/recordings/${String(params?.['name'])}/download`, {});
    return { query: { ticket: String(url).split('ticket=')[1] ?? '' } };
  },
  'GET /api/backup-download': async (stage) => {
    const { params } = await backup(stage);
    const path = `/api/admin/backups/${params?.['name']}/download`;
    const { url } = await done(stage.app, path, { password: PASSWORD });
    return { query: { ticket: String(url).split('ticket=')[1] ?? '' } };
  },
};

/** The rights of an account by level; there is none for level 0. */
const RIGHTS = [
  {},
  {},
  { subscriptionType: 'basic' },
  { subscriptionType: 'premium' },
  { isAdmin: true },
] as const;

const SETUPS: Readonly<Record<string, Setup>> = { ...USER_SETUPS, ...ADMIN_SETUPS };

/** Sends the examples of the API's description, each as a user of its own; all to one application. */
export async function createExamples(model: FakeModel) {
  const app = await createExampleApp(model);
  let users = 0;

  /** A new user of that level; a guest for 0. */
  async function callerOf(level: number): Promise<Pick<Stage, 'user' | 'as'>> {
    if (level === 0) return { user: null, as: 'guest' };
    users += 1;
    const user = await app.addUser(`caller ${users}`, RIGHTS[level] ?? {});
    return { user, as: { token: await app.tokenOf(user) } };
  }

  return {
    app,
    /**
     * @param name method and path of the route, as in 'GET /api/calls/mine'
     * @param level of the caller
     * @returns the open answer, which the caller reads
     */
    async send(name: string, level: number, example: Example): Promise<Response> {
      const { user, as } = await callerOf(level);
      const post: Stage['post'] = (path, body) => done(app, path, body, as);
      const real = await SETUPS[name]?.({ app, user, as, post });
      const [method = '', pattern = ''] = name.split(' ');
      const params: Readonly<Record<string, string>> = { ...example.params, ...real?.params };
      const path = pattern.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
      const query = new URLSearchParams({ ...example.query, ...real?.query }).toString();
      const body = real?.body ?? example.body;
      return app.open(method, query === '' ? path : `${path}?${query}`, {
        as,
        ...(body === undefined ? {} : { body }),
        ...(real?.headers ? { headers: real.headers } : {}),
      });
    },
    async close() {
      await app.parts.summaries.stop();
      await app.parts.announcements.stop();
      app.close();
    },
  };
}
