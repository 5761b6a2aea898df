import { createActionTokens } from '../../src/platform/push/actionToken.ts';
import { DEVICES } from '../../src/subjects/devices/contract.ts';
import { SETTINGS } from '../../src/subjects/settings/contract.ts';
import { TRANSFER } from '../../src/subjects/transfer/contract.ts';
import { ALERT, lastAbove } from './alertsApp.ts';
import { done, INGEST_KEY, listing, requireUser, type Setup } from './apiStage.ts';
import { eventIn } from './calendarApp.ts';
import { BOUGHT, trade } from './callsApp.ts';
import { firstStep, turnOn } from './secondFactor.ts';
import { codeAt } from '../../src/subjects/accounts/rules/totp.ts';
import { PASSWORD, TEST_SECRET } from './testApp.ts';

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
