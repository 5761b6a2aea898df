import { describe, expect, test } from 'bun:test';
import { loginSessions } from '#platform/db/schema.ts';
import { listenToAlerts } from '#support/alertStreamClient.ts';
import { scenarios } from '#support/scenario.ts';
import { PASSWORD } from '#support/testApp.ts';
import { eachApp } from '#support/eachApp.ts';

const FIREFOX = 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';
const NEW = 'another good password';

const app = eachApp();

type SessionView = { id: string; device: string | null; lastSeenAt: string | null; current: boolean };

/** Logs the free user in. @returns the token */
async function logIn(password = PASSWORD, userAgent = FIREFOX): Promise<string | undefined> {
  await app.user('free');
  const body = { identifier: 'free', password };
  const answer = await app.request('POST', '/api/login', { body, headers: { 'user-agent': userAgent } });
  return (answer.json as { accessToken: string | null }).accessToken ?? undefined;
}
const isGood = async (token = ''): Promise<boolean> =>
  (await app.request('GET', '/api/settings', { as: { token } })).status === 200;
const change = (token = '', body: object = {}) =>
  app.request('POST', '/api/settings/password', {
    as: { token },
    body: { currentPassword: PASSWORD, newPassword: NEW, ...body },
  });
const sessions = async (token = ''): Promise<SessionView[]> =>
  (
    (await app.request('GET', '/api/settings/sessions', { as: { token } })).json as {
      sessions: SessionView[];
    }
  ).sessions;

describe('POST /settings/password', () => {
  const base = { method: 'POST', url: '/api/settings/password', as: 'free' } as const;
  const good = { currentPassword: PASSWORD, newPassword: NEW };
  scenarios([
    { ...base, name: 'free user', body: good, status: 200, json: { success: true } },
    {
      ...base,
      name: 'free user with a wrong current password stays logged in',
      body: { ...good, currentPassword: 'not it' },
      status: 400,
      json: { error: 'That is not your password.', field: 'currentPassword' },
    },
  ]);

  test('ends the other sessions, notifies their windows, and keeps this one', async () => {
    const [here, there] = [await logIn(), await logIn()];
    const window = await listenToAlerts(app, there ?? '');
    expect((await change(here)).status).toBe(200);
    expect([await isGood(here), await isGood(there)]).toEqual([true, false]);
    await window.until(({ account }) => account.some(({ event }) => event === 'sessions_ended'));
    expect([await logIn(), typeof (await logIn(NEW))]).toEqual([undefined, 'string']);
  });

  test('blocks after ten wrong passwords in any request, and a right one resets the count', async () => {
    const token = await logIn();
    const wrong = { currentPassword: 'not it' };
    for (let index = 0; index < 9; index += 1) expect((await change(token, wrong)).status).toBe(400);
    expect((await change(token)).status).toBe(200);
    app.clock.advance(60_000);
    for (let index = 0; index < 10; index += 1) expect((await change(token, wrong)).status).toBe(400);
    const late = await change(token, { currentPassword: NEW, newPassword: PASSWORD });
    expect(late.status).toBe(429);
    expect(late.headers.get('retry-after')).toBe('300');
    const password = NEW;
    const body = { password };
    const deletion = await app.request('POST', '/api/settings/delete-account', {
      as: { token: token ?? '' },
      body,
    });
    expect(deletion.status).toBe(429);
    app.clock.advance(5 * 60_000);
    expect((await change(token, { currentPassword: NEW, newPassword: PASSWORD })).status).toBe(200);
  });
});

describe('login sessions', () => {
  test('are listed with their device, current first, without anything that makes up a token', async () => {
    const here = await logIn();
    app.clock.advance(1000);
    await logIn(PASSWORD, 'curl/8.5.0');
    const listed = await sessions(here);
    // The last session was opened without a browser.
    expect(listed.map(({ device, current }) => [device, current])).toEqual([
      ['Firefox on Android', true],
      ['curl', false],
      [null, false],
    ]);
    const ids = app.db.select({ id: loginSessions.id }).from(loginSessions).all();
    const text = JSON.stringify(listed);
    for (const { id } of ids) expect(text).not.toContain(id);
  });

  test('only the owner can end a session', async () => {
    const [here, there] = [await logIn(), await logIn()];
    const other = (await sessions(here)).find(({ current }) => !current);
    const end = (id: string | undefined, as: object) =>
      app.request('POST', '/api/settings/sessions/end', { as: as as { token: string }, body: { id } });
    const stranger = { token: await app.tokenOf(await app.user('basic')) };
    expect((await end(other?.id, stranger)).status).toBe(404);
    expect(await isGood(there)).toBeTrue();
    const mine = (await sessions(here)).find(({ current }) => current);
    expect((await end(mine?.id, { token: here })).status).toBe(400);
    expect((await end(other?.id, { token: here })).status).toBe(200);
    expect([await isGood(here), await isGood(there)]).toEqual([true, false]);
    expect((await end(other?.id, { token: here })).status).toBe(404);
  });

  test('ends all other sessions in one request', async () => {
    const [here, ...others] = [await logIn(), await logIn(), await logIn()];
    await app.request('POST', '/api/settings/sessions/end-others', { as: { token: here ?? '' } });
    expect(await isGood(here)).toBeTrue();
    for (const token of others) expect(await isGood(token)).toBeFalse();
    expect(await sessions(here)).toHaveLength(1);
  });

  test('show when they were last used, and many requests cost one write', async () => {
    const token = await logIn();
    const begun = app.clock.now();
    const stored = () => app.db.select({ at: loginSessions.lastSeenAt }).from(loginSessions).all();
    app.clock.advance(20 * 60_000);
    const [seen] = await sessions(token);
    expect(seen?.lastSeenAt).toBe(new Date(app.clock.now()).toISOString());
    expect(stored().every(({ at }) => at === begun)).toBeTrue();
    app.parts.accounts.stop();
    expect(stored().some(({ at }) => at === app.clock.now())).toBeTrue();
  });
});
