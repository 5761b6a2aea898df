import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { firstStep, turnOn } from '../../../support/secondFactor.ts';
import { listenToAlerts } from '../../../support/alertStreamClient.ts';
import type { StreamEvent } from '../../../support/streamClient.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../../support/testApp.ts';

let app: TestApp;
beforeEach(() => {
  app = createTestApp();
});
afterEach(() => app.close());

type Standing = { accessLevel: number; lacksSecondFactor: boolean };
const lackingIn = ({ data }: StreamEvent): boolean => (data as Standing).lacksSecondFactor;

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
    expect((await app.request('POST', path, { as: 'premium' })).status).toBe(403);
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

  test('is told to every open window as it comes and goes', async () => {
    app.close();
    app = createTestApp({ env: { BELLBIRD_ADMIN_TOTP: '1' } });
    const [token, other] = [
      await app.tokenOf(await app.user('admin')),
      await app.addUser('second', { isAdmin: true }),
    ];
    const lacking = async (as: string) =>
      ((await app.request('GET', '/api/settings', { as: { token: as } })).json as Standing).lacksSecondFactor;
    expect([await lacking(token), await lacking(await app.tokenOf(await app.user('free')))]).toEqual([
      true,
      false,
    ]);
    const window = await listenToAlerts(app, token);
    const told = () => window.account.filter(({ event }) => event === 'account_changed').map(lackingIn);
    await window.until(() => told().length === 1);
    const { nextCode } = await turnOn(app, { token });
    await window.until(() => told().length === 2);
    const body = { password: PASSWORD, code: nextCode() };
    await app.request('POST', '/api/settings/second-factor/off', { as: { token }, body });
    await window.until(() => told().length === 3);
    await turnOn(app, { token });
    const otherToken = await app.tokenOf(other);
    await turnOn(app, { token: otherToken });
    const path = `/api/admin/users/${(await app.user('admin')).id}/clear-second-factor`;
    expect((await app.request('POST', path, { as: { token: otherToken } })).status).toBe(200);
    await window.until(() => told().length === 5);
    expect(told()).toEqual([true, false, true, false, true]);
    expect(await lacking(token)).toBe(true);
    await window.leave();
  });
});
