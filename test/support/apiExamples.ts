import type { Example } from '#texts/routeContract.ts';
import type { FakeModel } from './fakeModel.ts';
import { turnOn, firstStep } from './secondFactor.ts';
import { writeFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { putBackups } from './backupFolder.ts';
import { PASSWORD, START, TEST_SECRET, type TestRequest } from './testApp.ts';
import { RELAY_HEADER, relayToken } from '#platform/http/keyChecks.ts';
import { createActionTokens } from '#platform/push/actionToken.ts';
import { DEVICES } from '#subjects/devices/contract.ts';
import { ODDS } from '#subjects/odds/contract.ts';
import { sessionFiles } from '#market/sessions/files.ts';
import { SETTINGS } from '#subjects/settings/contract.ts';
import { TRANSFER } from '#subjects/transfer/contract.ts';
import { ALERT, lastAbove } from './alertsApp.ts';
import { eventIn, createCalendarApp } from './calendarApp.ts';
import { BOUGHT, trade, list } from './callsApp.ts';
import { codeAt } from '#subjects/accounts/rules/totp.ts';
import { tmpdir } from 'node:os';
import { builtInFields } from '#market/indicators/rules/metainfo.ts';
import type { UserRow } from '#subjects/accounts/server/store.ts';
import { ok } from '#lib/result.ts';
import type { ReplayState } from '#market/rules/stream.ts';
import type { ReplayControls } from '#market/sources/quotes.ts';
import { aRelease, createHandAnnouncements } from './handAnnouncements.ts';
import { storeSessions } from './storedSessions.ts';
import { createCheckout } from './updateFixture.ts';

const INGEST_KEY = 'a key of the tests, long enough';
/** The relay secret, for examples that relays send. */
const RELAY_SECRET = 'a secret of relays of the tests';
const METRICS_KEY = 'another key of the tests, long enough';
const LOG_NAME = 'bellbird.log';

/** Values that replace those in a route’s example, to name existing things. */
type Real = Pick<Example, 'params' | 'query' | 'body'> & { headers?: Record<string, string> };
type ExampleApp = Awaited<ReturnType<typeof createExampleApp>>;
type Fixture = {
  app: ExampleApp;
  /** The example’s own user, who sends it unless a guest does. */
  user: UserRow;
  as: 'guest' | { token: string };
  /** Posts as the user who will send the example. @returns the answer’s JSON */
  post(path: string, body: unknown): Promise<Record<string, unknown>>;
};
type Setup = (fixture: Fixture) => Promise<Real | void> | Real | void;

/** Sends a request as an administrator or another user. @returns the answer’s JSON @throws unless it is 200 */
async function done(
  app: ExampleApp,
  path: string,
  body: unknown,
  as: TestRequest['as'] = 'admin',
): Promise<Record<string, unknown>> {
  const { status, json, text } = await app.request('POST', path, { as, body });
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return json as Record<string, unknown>;
}

/** A replay of 19 January 2026 with only its controls. */
function handReplay(): ReplayControls {
  const state: ReplayState = {
    from: Date.UTC(2026, 0, 18, 20, 0),
    until: Date.UTC(2026, 0, 19, 6, 0),
    isPaused: false,
    speed: 1,
    hasEnded: false,
    isCutOff: false,
    jumps: 0,
  };
  return {
    state: () => state,
    pause: (isPaused) => void Object.assign(state, { isPaused }),
    setSpeed: (speed) => void Object.assign(state, { speed }),
    jump: () => void (state.jumps += 1),
  };
}

/**
 * The application of the examples: listed stocks, a model, keys, test mode, a log, and an executable in a checkout whose origin has no newer
 * commit, so that a real update check finds nothing.
 */
async function createExampleApp(model: FakeModel) {
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
      sessionFiles: sessionFiles(join(dataDir, 'sessions')),
      about: { pid: 4711, startedAt: START, version: '1.0.0', commit: checkout.first },
      // A restart ends nothing here.
      control: { supervisor: 'parent', restart: () => {} },
      program: { executable: checkout.executable, isStandalone: true, releaseKey: null, env: process.env },
      writeBackup: (folder, name) => ({
        finished: Bun.write(join(folder, name), 'a database').then((bytes) => ({ ok: true, bytes })),
        cancel: () => {},
      }),
    },
    source: { announcements, replay: handReplay(), skip: () => true },
  });
  app.parts.announcements.start();
  list(app);
  announcements.apply([aRelease('a', { headline: 'Quarterly Report' })]);
  app.tick.run();
  return {
    ...app,
    folders,
    close(): void {
      app.parts.odds.stop();
      app.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

const TRANSFER_EXAMPLE = TRANSFER['POST /api/settings/transfer'].example.body;

/** Creates something that the example refers to by its `name`. @param inside the member of the answer that contains it */
const made =
  (path: string, body: unknown, name: string = 'id', inside?: string) =>
  async ({ post }: Fixture): Promise<Real> => {
    const answer = await post(path, body);
    const members = inside === undefined ? answer : (answer[inside] as Record<string, unknown>);
    return { params: { [name]: String(members[name]) } };
  };

const alert = made('/api/alerts', ALERT);
const call = made('/api/calls', BOUGHT, 'publicId');
const LOGIC = { op: 'AND', conditions: [{ lhs: 'last', op: '>', rhs: 1 }] };
const scan = made('/api/indicators/scans', { name: 'Mine', logic: LOGIC }, 'id', 'scan');
const MOVERS = { scan: { type: 'scanner', key: 'intraDayMidLarge' }, name: 'Movers' };
const scanAlert = made('/api/scan-alerts', MOVERS);
const watched = made('/api/watchlist', { symbol: 'BHP' });
const odds = made('/api/odds', ODDS['POST /api/odds'].example.body);
const savedOdds = made('/api/odds/saved', ODDS['POST /api/odds/saved'].example.body);
/** A session of the history with the stock of the examples. */
const storedDay: Setup = ({ app }) => {
  const { date, symbol: code } = ODDS['GET /api/odds/day'].example.query;
  const { folder, source } = app.services.sessions;
  storeSessions(folder, source, [
    { date, stocks: [{ code, close: 40, minutes: [{ minute: 600, trades: 41 }] }] },
  ]);
};
const aList: Setup = async (fixture) => {
  await watched(fixture);
  return made('/api/watchlists', { name: 'Mine' })(fixture);
};
/** A subscription of the examples, at a Google address that no message is sent to. */
const SUBSCRIPTION = DEVICES['POST /api/devices'].example.body;
const device = made('/api/devices/', SUBSCRIPTION, 'id', 'device');
/** Requests a plan that the caller does not have. */
const asked: Setup = ({ post }) =>
  post('/api/settings/request-upgrade', { level: 'premium' }).then(() => undefined);
/** The caller logs in with two factors: password and code. */
const proof: Setup = async ({ app, as }) => ({
  body: { password: PASSWORD, code: (await turnOn(app, as)).nextCode() },
});
const otherSession: Setup = async ({ app, user }) => void (await app.tokenOf(user));
const linkToken: Setup = ({ app }) => ({
  body: { token: app.parts.linkedChats.service.newToken('telegram', '555555555', 'Ann') },
});
const event: Setup = ({ app }) => {
  const made = eventIn(60);
  app.events(made);
  return { params: { eventId: made.id } };
};
/** An alert’s scan matches a stock. */
const entered: Setup = async (fixture) => {
  const real = await scanAlert(fixture);
  for (const value of [2000, 9000]) {
    fixture.app.clock.advance(1000);
    fixture.app.source.apply([{ code: 'BHP', last: 41, vwap: 40, value }]);
    fixture.app.tick.run();
  }
  return real;
};
/** A submitter whom any example's user may follow. */
const followed: Setup = async ({ app }) => {
  await done(app, '/api/calls', BOUGHT, 'basic');
  return { params: { name: 'basic' } };
};
const callOf =
  (name: 'premium' | 'basic'): Setup =>
  async ({ app }) => {
    const { publicId } = await done(app, '/api/calls', BOUGHT, name);
    return { params: { publicId: String(publicId), name } };
  };
const premiumCall = callOf('premium');

const ONE_DAY_MS = 86_400_000;
const FROM_RELAY = { [RELAY_HEADER]: relayToken(RELAY_SECRET, 'asked') };

async function asking({ app }: Fixture): Promise<number> {
  const user = await app.addUser(`hopeful ${crypto.randomUUID().slice(0, 8)}`);
  const token = await app.tokenOf(user);
  await done(app, '/api/settings/request-upgrade', { level: 'premium' }, { token });
  return user.id;
}

const decision =
  (more: object): Setup =>
  async (fixture) => ({
    body: { userId: await asking(fixture), requestedSubscriptionType: 'premium', ...more },
  });
const somebody: Setup = async (fixture) => ({ params: { id: String(await asking(fixture)) } });

const CLOSURES = '/api/admin/market-closures';
const CLOSED_DAY = { date: '2027-09-22', kind: 'closed', reason: 'National Day of Mourning' };
/** Adds or removes the day of the examples. */
const closure: Setup = async ({ app }) => {
  await app.request('POST', CLOSURES, { as: 'admin', body: CLOSED_DAY });
  return { params: { date: CLOSED_DAY.date } };
};
const noClosure: Setup = async ({ app }) =>
  void (await app.request('DELETE', `${CLOSURES}/${CLOSED_DAY.date}`, { as: 'admin' }));

/** A channel that no other example uses. */
const channel = (fixture: Fixture): Promise<Real> => {
  const body = { name: 'Traders', platform: 'telegram', chatId: `-100${2_000_000 + fixture.user.id}` };
  return made('/api/admin/channels', body, 'id', 'channel')(fixture);
};
async function broadcast(fixture: Fixture) {
  const { params } = await channel(fixture);
  return { body: { channelIds: [Number(params?.['id'])], message: 'The server restarts at six.' } };
}
const sent: Setup = async (fixture) => {
  const { body } = await broadcast(fixture);
  await fixture.post('/api/admin/channels/broadcast', body);
  return { params: { id: String(body.channelIds[0]) } };
};

const logFile: Setup = ({ app }) => {
  writeFileSync(join(app.folders.logs, LOG_NAME), 'The server started.\nIt listens.\n');
  return { params: { name: LOG_NAME } };
};

async function backup({ app }: Fixture) {
  const made = [{ kind: 'nightly', at: START - ONE_DAY_MS, text: 'a database' }] as const;
  const [name = ''] = await putBackups(app.folders.backups, made);
  return { params: { name } };
}
/** Requests the ticket of a download. */
async function ticket({ app }: Fixture, path: string, body: object): Promise<Real> {
  const { url } = await done(app, `/api/admin/${path}/download`, body);
  return { query: { ticket: String(url).split('ticket=')[1] ?? '' } };
}

const RECORDINGS = '/api/admin/recordings';
let recordings = 0;
const notRecording = async ({ app }: Fixture) => {
  if (app.parts.recordings.service.running()) await done(app, `${RECORDINGS}/stop`, {});
  recordings += 1;
  return { body: { name: `Recording ${String(recordings)}` } };
};
async function recording(fixture: Fixture) {
  const { body } = await notRecording(fixture);
  await done(fixture.app, RECORDINGS, body);
  return { params: body };
}
async function recorded(fixture: Fixture) {
  const real = await recording(fixture);
  await done(fixture.app, `${RECORDINGS}/stop`, {});
  return real;
}

/** What must exist before a route’s example is sent, by method and path. */
const SETUPS: Readonly<Record<string, Setup>> = {
  'POST /api/login': async ({ app }) => void (await app.user('free')),
  'POST /api/login/second-step': async ({ app }) => {
    const user = await app.addUser('two factors');
    const enabled = await turnOn(app, { token: await app.tokenOf(user) });
    const { ticket } = await firstStep(app, user.username);
    return { body: { ticket, code: enabled.nextCode() } };
  },
  'POST /api/settings/second-factor/confirm': async ({ app, post }) => {
    const { secret } = await post('/api/settings/second-factor/begin', { password: PASSWORD });
    return { body: { code: codeAt(String(secret), app.clock.now()) } };
  },
  'POST /api/settings/second-factor/recovery-codes': proof,
  'POST /api/settings/second-factor/off': proof,
  'POST /api/settings/sessions/end': async (fixture) => {
    await otherSession(fixture);
    const { json } = await fixture.app.request('GET', '/api/settings/sessions', { as: fixture.as });
    const { sessions } = json as { sessions: { id: string; current: boolean }[] };
    return { body: { id: sessions.find(({ current }) => !current)?.id } };
  },
  'POST /api/settings/sessions/end-others': otherSession,
  'GET /api/settings/export': async (fixture) => void (await Promise.all([alert(fixture), call(fixture)])),
  'GET /api/settings/transfer': async (fixture) => {
    await Promise.all([alert(fixture), call(fixture), scan(fixture), scanAlert(fixture)]);
    await fixture.post(
      '/api/settings/table-columns',
      SETTINGS['POST /api/settings/table-columns'].example.body,
    );
  },
  'POST /api/settings/transfer': async ({ post }) => {
    const { seen } = await post('/api/settings/transfer/preview', TRANSFER_EXAMPLE);
    return { query: { seen: String(seen) } };
  },
  'POST /api/settings/withdraw-upgrade': asked,
  'POST /api/settings/dismiss-declined-upgrade': async (fixture) => {
    await asked(fixture);
    const body = { userId: fixture.user.id, reason: 'Next month, gladly.' };
    await done(fixture.app, '/api/admin/decline-upgrade', body);
  },
  'POST /api/settings/unlink-chat': async ({ post }) => {
    const body = { chatUserId: '987654321', platform: 'telegram' };
    await post('/api/settings/link-chat', body);
    return { body };
  },
  'POST /api/link/offer': linkToken,
  'POST /api/link/claim': linkToken,
  'GET /api/devices': device,
  'PUT /api/devices/:id/subscription': device,
  'PUT /api/devices/:id/name': device,
  'POST /api/devices/:id/test': device,
  'DELETE /api/devices/:id': device,
  'POST /api/devices/moved': async ({ app }) => void (await done(app, '/api/devices/', SUBSCRIPTION, 'free')),
  'POST /api/devices/act': async ({ app }) => {
    const { device: made } = await done(app, '/api/devices/', SUBSCRIPTION, 'free');
    const { id: alertId } = await done(app, '/api/alerts', ALERT, 'free');
    const named = { deviceId: (made as { id: number }).id, kind: 'alert' as const, alertId: Number(alertId) };
    const token = createActionTokens(TEST_SECRET).sign(named, app.clock.now());
    return { body: { token, action: 'snooze' } };
  },
  'POST /api/ingest/market': () => ({ headers: { authorization: INGEST_KEY } }),
  'POST /api/ingest/overnight': () => ({ headers: { authorization: INGEST_KEY } }),
  'GET /api/calendar/events/:eventId/history': event,
  'PUT /api/calendar/reminders/:eventId': event,
  'PUT /api/indicators/scans/:id': scan,
  'DELETE /api/indicators/scans/:id': scan,
  'GET /api/indicators/scans': scan,
  'GET /api/odds/:id': odds,
  'DELETE /api/odds/:id': odds,
  'GET /api/odds/:id/entries': odds,
  'GET /api/odds/:id/csv': odds,
  'GET /api/odds/day': storedDay,
  'GET /api/odds/saved': savedOdds,
  'DELETE /api/odds/saved/:id': savedOdds,
  'GET /api/odds/saved/:id/entries': savedOdds,
  'PATCH /api/watchlist/:id': watched,
  'DELETE /api/watchlist/:id': watched,
  'PATCH /api/watchlists/:id': aList,
  'DELETE /api/watchlists/:id': aList,
  'GET /api/alerts': alert,
  'POST /api/alerts': async (fixture) => {
    const { id } = (await scan(fixture)).params ?? {};
    const entered = { lhs: { type: 'scan', id: Number(id) }, op: 'crosses_above', rhs: 0.5 };
    return { body: { ...ALERT, logic_json: { op: 'AND', conditions: [entered] } } };
  },
  'PATCH /api/alerts/:id': alert,
  // Already true: BHP trades above it.
  'POST /api/alerts/:id/undo': made('/api/alerts', { ...ALERT, logic_json: lastAbove(1) }),
  'DELETE /api/alerts/:id': alert,
  'GET /api/alerts/:id/evaluation': alert,
  'GET /api/alerts/:id/triggers': async (fixture) => {
    const real = await alert(fixture);
    trade(fixture.app, 'BHP', 51);
    trade(fixture.app, 'BHP', 40);
    return real;
  },
  'GET /api/alerts/triggers': async (fixture) => {
    await alert(fixture);
    trade(fixture.app, 'BHP', 51);
    await entered(fixture);
  },
  'GET /api/scan-alerts': scanAlert,
  'PATCH /api/scan-alerts/:id': scanAlert,
  'DELETE /api/scan-alerts/:id': scanAlert,
  'POST /api/scan-alerts/:id/mutes': scanAlert,
  'GET /api/scan-alerts/:id/triggers': entered,
  'GET /api/calls/leaderboard': premiumCall,
  'GET /api/calls/:publicId': premiumCall,
  'GET /api/calls/by/:name': premiumCall,
  'PUT /api/calls/follows/:name': followed,
  'GET /api/calls/mine': call,
  'POST /api/calls/:publicId/close': call,
  'POST /api/calls/:publicId/keep': call,
  'POST /api/calls/:publicId/cancel': made(
    '/api/calls',
    { ...BOUGHT, callType: 'buy', entryPrice: 39 },
    'publicId',
  ),
  'POST /api/admin/calls/:publicId/admin-status': callOf('basic'),
  'POST /api/admin/calls/:publicId/corrections': (fixture) => {
    // Other examples leave it higher.
    trade(fixture.app, 'BHP', 40);
    return callOf('basic')(fixture);
  },
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
  'GET /api/admin/upgrade-requests': somebody,
  'POST /api/admin/approve-upgrade': decision({}),
  'POST /api/admin/decline-upgrade': decision({ reason: 'Next month, gladly.' }),
  'GET /api/admin/audit': async (fixture) => {
    const body = { subscriptionType: 'basic' };
    await fixture.app.request('PUT', `/api/admin/users/${await asking(fixture)}`, { as: 'admin', body });
  },
  'GET /api/admin/market-closures': closure,
  'POST /api/admin/market-closures': noClosure,
  'DELETE /api/admin/market-closures/:date': closure,
  'GET /api/admin/channels': channel,
  'PUT /api/admin/channels/:id': channel,
  'DELETE /api/admin/channels/:id': channel,
  'POST /api/admin/channels/broadcast': broadcast,
  'GET /api/admin/channels/broadcasts': sent,
  'GET /api/admin/channels/:id/messages': sent,
  'GET /api/admin/external-metrics': async ({ post }) =>
    void (await post('/api/admin/askai', { question: 'Which stocks gapped up today?' })),
  'GET /api/admin/logs': logFile,
  'GET /api/admin/logs/:name/tail': logFile,
  'GET /api/admin/logs/:name/download': logFile,
  'DELETE /api/admin/logs/:name': logFile,
  'GET /api/admin/backups': backup,
  'POST /api/admin/backups/:name/download': backup,
  'GET /api/admin/recordings': recorded,
  'POST /api/admin/recordings': notRecording,
  'POST /api/admin/recordings/stop': async (fixture) => void (await recording(fixture)),
  'DELETE /api/admin/recordings/:name': recorded,
  'POST /api/admin/recordings/:name/download': recorded,
  'POST /api/admin/recordings/:name/play': recorded,
  'POST /api/admin/recordings/end-replay': async (fixture) => {
    const { params } = await recorded(fixture);
    await done(fixture.app, `${RECORDINGS}/${params.name}/play`, {});
  },
  'GET /api/recording-download': async (fixture) =>
    ticket(fixture, `recordings/${(await recorded(fixture)).params.name}`, {}),
  'GET /api/backup-download': async (fixture) =>
    ticket(fixture, `backups/${(await backup(fixture)).params.name}`, { password: PASSWORD }),
};

/** The rights of an account by level; none for level 0. */
const RIGHTS = [
  {},
  {},
  { subscriptionType: 'basic' },
  { subscriptionType: 'premium' },
  { isAdmin: true },
] as const;

/** Sends the examples of the API description, each as its own user; all to one application. */
export async function createExamples(model: FakeModel) {
  const app = await createExampleApp(model);
  let users = 0;

  /** A new user of that level; none for level 0. */
  async function callerOf(level: number): Promise<Pick<Fixture, 'user' | 'as'>> {
    users += 1;
    const user = await app.addUser(`caller ${users}`, RIGHTS[level] ?? {});
    return { user, as: level === 0 ? 'guest' : { token: await app.tokenOf(user) } };
  }

  return {
    app,
    /** @param name method and path of the route, as in 'GET /api/calls/mine' @param level of the caller @returns the unread answer */
    async send(name: string, level: number, example: Example): Promise<Response> {
      const { user, as } = await callerOf(level);
      const post: Fixture['post'] = (path, body) => done(app, path, body, as);
      const real = (await SETUPS[name]?.({ app, user, as, post })) ?? {};
      const [method = '', pattern = ''] = name.split(' ');
      const params: Readonly<Record<string, string>> = { ...example.params, ...real.params };
      const path = pattern.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
      const query = new URLSearchParams({ ...example.query, ...real.query }).toString();
      const body = real.body ?? example.body;
      return app.open(method, query === '' ? path : `${path}?${query}`, {
        as,
        ...(body === undefined ? {} : { body }),
        ...(real.headers && { headers: real.headers }),
      });
    },
    async close() {
      await app.parts.summaries.stop();
      await app.parts.announcements.stop();
      app.close();
    },
  };
}
