import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { firstStep, turnOn } from '../../../support/secondFactor.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

let app: TestApp;
beforeEach(() => {
  app = createTestApp();
});
afterEach(() => app.close());

type View = { id: number; hasSecondFactor: boolean };

describe('two-factor login of others', () => {
  test('is shown, and cleared by an administrator, with an entry of the audit', async () => {
    const user = await app.user('free');
    await turnOn(app, { token: await app.tokenOf(user) });
    const list = await app.request('GET', '/api/admin/users', { as: 'admin' });
    const shown = (list.json as { users: View[] }).users.map((one) => [one.id, one.hasSecondFactor]);
    expect(shown).toContainEqual([user.id, true]);
    expect(shown.filter(([, has]) => has)).toHaveLength(1);
    const path = `/api/admin/users/${user.id}/clear-second-factor`;
    const cleared = await app.request('POST', path, { as: 'admin' });
    expect((cleared.json as { user: View }).user.hasSecondFactor).toBe(false);
    expect((await firstStep(app, 'free')).answer.status).toBe(200);
    expect((await app.request('POST', path, { as: 'admin' })).status).toBe(409);
    const audit = await app.request('GET', '/api/admin/audit', { as: 'admin' });
    expect(audit.text).toContain('clear second factor');
  });

  test('an own one is turned off in Settings alone', async () => {
    const admin = await app.user('admin');
    const token = await app.tokenOf(admin);
    await turnOn(app, { token });
    const path = `/api/admin/users/${admin.id}/clear-second-factor`;
    expect((await app.request('POST', path, { as: { token } })).status).toBe(400);
  });
});

describe('BELLBIRD_ADMIN_TOTP', () => {
  test('keeps administrators from administering until it is on, and from nothing else', async () => {
    app.close();
    app = createTestApp({ env: { BELLBIRD_ADMIN_TOTP: '1' } });
    const token = await app.tokenOf(await app.user('admin'));
    const as = { token };
    const refused = await app.request('GET', '/api/admin/users', { as });
    expect(refused.status).toBe(403);
    expect((refused.json as { error: string }).error).toContain('demands two-factor login');
    expect((refused.json as { field: string }).field).toBe('secondFactor');
    expect((await app.request('GET', '/api/settings', { as })).status).toBe(200);
    const stand = await app.request('GET', '/api/settings/second-factor', { as });
    expect(stand.json).toEqual({ on: false, demanded: true, recoveryCodesLeft: 0 });
    await turnOn(app, as);
    expect((await app.request('GET', '/api/admin/users', { as })).status).toBe(200);
    const free = await app.request('GET', '/api/admin/users', { as: 'free' });
    expect((free.json as { error: string }).error).toBe('This is for administrators only.');
    expect((free.json as { field?: string }).field).toBeUndefined();
  });
});
