import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  endSession,
  followOtherWindows,
  session,
  startSession,
  logOut,
} from '#subjects/accounts/web/shared/session/session.ts';
import { loadSettings, settings, settingsError, startSettings } from '#web/shared/settings.ts';
import { logIn, seedDemo } from '#subjects/accounts/web/shared/session/account.ts';
import { pageApi, MAGGIE } from '#support/fakeApi.ts';

const server = pageApi(() => ({ 'GET /api/settings': { body: MAGGIE } }));
let stop: () => void = () => {};
const settled = () => new Promise((done) => setTimeout(done, 5));
beforeEach(() => (window.location.hash = '#/calls'));
afterEach(() => stop());

/** Another window of this browser writes; its event reaches this one. */
function elsewhere(change: () => void, key: string | null = 'accessToken') {
  change();
  window.dispatchEvent(new StorageEvent('storage', { key }));
}

test('the session follows logins, level changes and logouts in other windows', () => {
  stop = followOtherWindows();
  elsewhere(() => {
    localStorage.setItem('accessToken', 'abc');
    localStorage.setItem('accessLevel', '4');
  });
  expect(session.value).toEqual({ isAuthenticated: true, accessToken: 'abc', accessLevel: 4 });
  elsewhere(() => localStorage.setItem('accessLevel', 'garbage'), 'accessLevel');
  expect(session.value.accessLevel).toBe(1);
  elsewhere(() => localStorage.clear(), null);
  expect(session.value.isAuthenticated).toBe(false);
});

test('a login that is not authenticated shows an error even if the server gives no reason', async () => {
  server.answers['POST /api/login'] = { body: { authenticated: false } };
  const refusal = { field: null, message: 'Invalid username or password' };
  expect(await logIn({ identifier: 'maggie', password: 'x' })).toEqual(refusal);
  expect(session.value.isAuthenticated).toBe(false);
});

test.each([
  [{ role: 'admin', isAdmin: true }, 4],
  [{ role: 'premium', isAdmin: false }, 3],
  [{ role: 'basic', isAdmin: false }, 2],
  [{ role: 'free', isAdmin: false }, 1],
])('seeding as %p gives level %d', async (user, level) => {
  server.answers['POST /api/test/seed'] = { body: { success: true, accessToken: 'seeded', user } };
  expect(await seedDemo('demo')).toBeNull();
  expect(session.value).toEqual({ isAuthenticated: true, accessToken: 'seeded', accessLevel: level });
});

test('logout notifies the server, forgets the session and goes to login, even offline', async () => {
  startSession({ accessToken: 'abc', accessLevel: 1 });
  server.answers['POST /api/logout'] = 'offline';
  await logOut();
  expect(server.to('/api/logout')).toMatchObject([{ method: 'POST', authorization: 'abc' }]);
  expect(session.value.isAuthenticated).toBe(false);
  expect(window.location.hash).toBe('#/login');
});

describe('settings', () => {
  test('are loaded at the login and forgotten at the logout', async () => {
    stop = startSettings();
    expect(server.calls).toHaveLength(0);
    startSession({ accessToken: 'abc', accessLevel: 1 });
    await settled();
    expect(settings.value?.username).toBe('maggie');
    endSession();
    expect(settings.value).toBeNull();
  });
  test('that cannot be read at the start end the session', async () => {
    startSession({ accessToken: 'abc', accessLevel: 1 });
    server.answers['GET /api/settings'] = { status: 500, body: { error: 'Broken' } };
    stop = startSettings();
    await settled();
    expect(session.value.isAuthenticated).toBe(false);
    expect(window.location.hash).toBe('#/login');
  });
  test('interrupted by a reload keep the session', async () => {
    startSession({ accessToken: 'abc', accessLevel: 1 });
    server.answers['GET /api/settings'] = () => {
      window.dispatchEvent(new Event('pagehide'));
      throw new TypeError('Failed to fetch');
    };
    stop = startSettings();
    await settled();
    expect(session.value.isAuthenticated).toBe(true);
  });
  test('that cannot be read later keep the session and the error', async () => {
    stop = startSettings();
    server.answers['GET /api/settings'] = { status: 500, body: { error: 'Broken' } };
    startSession({ accessToken: 'abc', accessLevel: 1 });
    await settled();
    expect(session.value.isAuthenticated).toBe(true);
    expect(settingsError.value).toBe('Broken');
    server.answers['GET /api/settings'] = { body: MAGGIE };
    expect(await loadSettings()).toBe(true);
    expect(settingsError.value).toBeNull();
  });
});
