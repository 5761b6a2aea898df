import { afterEach, describe, expect, test } from 'bun:test';
import { relayToken } from '#platform/http/keyChecks.ts';
import { createTestApp, PASSWORD, type TestApp, type TestRequest } from '#support/testApp.ts';

const SECRET = 'the secret of the relays of tests';
const OTHER_PASSWORD = 'another good password';
const RELAY = { 'x-bellbird-relay': relayToken(SECRET, 'asked') };

const apps: TestApp[] = [];
afterEach(() => {
  for (const app of apps.splice(0)) app.close();
});

function start(isPrimary = true): TestApp {
  const env = { BELLBIRD_ENGINE_URL: 'redis://127.0.0.1:1', BELLBIRD_RELAY_SECRET: SECRET };
  const app = createTestApp({ env: isPrimary ? env : {} });
  apps.push(app);
  return app;
}

const open = (app: TestApp, token: string, lastEventId: string | null = null, more: TestRequest = {}) =>
  app.request('POST', '/api/relays/alert-opening', { body: { token, lastEventId }, headers: RELAY, ...more });

const sessions = (app: TestApp, tokens: unknown, headers: Record<string, string> = RELAY) =>
  app.request('POST', '/api/relays/sessions', { body: { tokens }, headers });

const logIn = async (app: TestApp, name: string): Promise<string> => {
  const { json } = await app.request('POST', '/api/login', {
    body: { identifier: name, password: PASSWORD },
  });
  return (json as { accessToken: string }).accessToken;
};

describe('a client that is not a relay', () => {
  test.each([
    ['no header', {}],
    ['a wrong one', { 'x-bellbird-relay': relayToken('another secret of relays', 'asked') }],
    ['the secret itself', { 'x-bellbird-relay': SECRET }],
    ['what a relay passes on', { 'x-bellbird-relay': relayToken(SECRET) }],
  ])('gets 404: %s', async (_, headers) => {
    const app = start();
    const token = await app.tokenOf(await app.user('free'));
    const known = await app.request('POST', '/api/relays/nothing', { body: {} });
    expect([(await sessions(app, [token], headers)).status, known.status]).toEqual([404, 404]);
    expect((await open(app, token, null, { headers })).text).toBe(known.text);
    // The format of a body is not checked either.
    const wrong = await app.request('POST', '/api/relays/sessions', { body: { wrong: 1 }, headers });
    expect([wrong.status, wrong.text]).toEqual([404, known.text]);
  });

  test('gets 404 with any key if the server has no relays', async () => {
    const app = start(false);
    expect((await sessions(app, [])).status).toBe(404);
    expect((await open(app, 'x')).status).toBe(404);
  });
});

describe('login sessions', () => {
  test('are reported as good or ended, in the order of their tokens', async () => {
    const app = start();
    await app.user('free');
    const [one, two] = [await logIn(app, 'free'), await logIn(app, 'free')];
    await app.request('POST', '/api/logout', { as: { token: one } });
    expect((await sessions(app, [two, one, 'forged', two])).json).toEqual({
      good: [true, false, false, true],
    });
    expect((await sessions(app, [])).json).toEqual({ good: [] });
    expect(
      (
        await sessions(
          app,
          Array.from({ length: 201 }, () => two),
        )
      ).status,
    ).toBe(400);
    expect((await sessions(app, 'all')).status).toBe(400);
  });

  test('are reported when they end in any way', async () => {
    const app = start();
    const { id } = await app.user('free');
    const notifiedIds: number[] = [];
    app.parts.accounts.service.listen({ sessionsEnded: (userId) => void notifiedIds.push(userId) });
    const post = (path: string, token: string, body: object = {}) =>
      app.request('POST', path, { as: { token }, body });
    const ways: [string, (token: string) => Promise<unknown>][] = [
      ['logout', (token) => post('/api/logout', token)],
      ['end others', (token) => post('/api/settings/sessions/end-others', token)],
      [
        'password',
        async (token) => {
          const change = { currentPassword: PASSWORD, newPassword: OTHER_PASSWORD };
          await post('/api/settings/password', token, change);
          const back = { currentPassword: OTHER_PASSWORD, newPassword: PASSWORD };
          await post('/api/settings/password', token, back);
        },
      ],
      [
        'end one',
        async (token) => {
          await logIn(app, 'free');
          const { json } = await app.request('GET', '/api/settings/sessions', { as: { token } });
          const other = (json as { sessions: { id: string; current: boolean }[] }).sessions.find(
            ({ current }) => !current,
          );
          return post('/api/settings/sessions/end', token, { id: other?.id });
        },
      ],
      [
        'more than twenty',
        async () => {
          for (let count = 0; count < 21; count += 1) await logIn(app, 'free');
        },
      ],
      ['deletion', (token) => post('/api/settings/delete-account', token, { password: PASSWORD })],
    ];
    for (const [way, end] of ways) {
      const token = await logIn(app, 'free');
      notifiedIds.length = 0;
      await end(token);
      expect({ way, notifiedIds: [...new Set(notifiedIds)] }).toEqual({ way, notifiedIds: [id] });
    }
  });
});
