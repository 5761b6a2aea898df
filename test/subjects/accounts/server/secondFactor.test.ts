import { beforeEach, describe, expect, test } from 'bun:test';
import { secondFactors } from '#platform/db/schema.ts';
import { codeAt } from '#subjects/accounts/rules/totp.ts';
import { type EnabledFactor, firstStep, secondStep, turnOn } from '#support/secondFactor.ts';
import { createTestApp, PASSWORD, type TestAnswer } from '#support/testApp.ts';
import { eachApp } from '#support/eachApp.ts';

const app = eachApp();
let enabled: EnabledFactor;
let token: string;
beforeEach(async () => {
  token = await app.tokenOf(await app.user('free'));
  enabled = await turnOn(app, { token });
});

const errorOf = ({ json }: TestAnswer): string => String((json as { error?: unknown }).error);
const ask = (path: string, body: object) =>
  app.request('POST', `/api/settings/second-factor/${path}`, { as: { token }, body });
const status = async () => (await app.request('GET', '/api/settings/second-factor', { as: { token } })).json;
const isGood = async (one: string) =>
  (await app.request('GET', '/api/settings', { as: { token: one } })).status === 200;

describe('logging in with two factors', () => {
  test('a right password returns a ticket without a session; the code returns the session', async () => {
    const { answer, ticket } = await firstStep(app, 'free');
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual({
      authenticated: false,
      accessToken: null,
      accessLevel: null,
      field: 'code',
      ticket,
      error: 'Enter the code from your authenticator app.',
    });
    expect((await app.request('GET', '/api/settings', { as: { token: ticket } })).status).toBe(401);
    const done = await secondStep(app, ticket, enabled.nextCode());
    expect(done.json).toMatchObject({ authenticated: true, accessLevel: 1, error: null });
    expect(await isGood((done.json as { accessToken: string }).accessToken)).toBe(true);
  });

  test('a wrong password does not reveal whether a second factor is on', async () => {
    await app.user('basic');
    const [withFactor, without] = [
      await firstStep(app, 'free', 'not it'),
      await firstStep(app, 'basic', 'not it'),
    ];
    expect(withFactor.answer.text).toBe(without.answer.text);
  });

  test('a code works once, within one step of the clock', async () => {
    const { ticket } = await firstStep(app, 'free');
    const code = enabled.nextCode();
    expect((await secondStep(app, ticket, code)).status).toBe(200);
    const again = await secondStep(app, ticket, code);
    expect([again.status, errorOf(again)]).toEqual([401, expect.stringContaining('was already used')]);
    expect(errorOf(again)).toContain('shows 11:00:30 Sydney');
    expect((await secondStep(app, ticket, enabled.nextCode())).status).toBe(200);
  });

  test('accepts one of two simultaneous requests with the same code', async () => {
    const { ticket } = await firstStep(app, 'free');
    const code = enabled.nextCode();
    const answers = await Promise.all([secondStep(app, ticket, code), secondStep(app, ticket, code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  test('rejects a ticket that is forged, older than five minutes, or from an old password', async () => {
    const { ticket } = await firstStep(app, 'free');
    const forged = await secondStep(app, `${ticket.slice(0, -4)}AAA=`, enabled.nextCode());
    expect([forged.status, (forged.json as { field: string }).field]).toEqual([401, 'ticket']);
    app.clock.advance(5 * 60_000);
    const late = await secondStep(app, ticket, enabled.nextCode());
    expect([late.status, (late.json as { field: string }).field]).toEqual([401, 'ticket']);
    const second = await firstStep(app, 'free');
    const body = { currentPassword: PASSWORD, newPassword: 'another good one', code: enabled.nextCode() };
    expect((await app.request('POST', '/api/settings/password', { as: { token }, body })).status).toBe(200);
    expect((await secondStep(app, second.ticket, enabled.nextCode())).status).toBe(401);
  });

  test('survives a restart between the two steps', async () => {
    const { ticket } = await firstStep(app, 'free');
    const restarted = createTestApp({ db: app.db, clock: app.clock });
    expect((await secondStep(restarted, ticket, enabled.nextCode())).status).toBe(200);
    expect((await secondStep(restarted, ticket, codeAt(enabled.secret, app.clock.now()))).status).toBe(401);
  });

  test('each recovery code works once', async () => {
    const { ticket } = await firstStep(app, 'free');
    const [first = '', second = ''] = enabled.recoveryCodes;
    expect((await secondStep(app, ticket, first.toLowerCase().replaceAll('-', ' '))).status).toBe(200);
    expect((await secondStep(app, ticket, first)).status).toBe(401);
    expect((await secondStep(app, ticket, second)).status).toBe(200);
    expect(await status()).toEqual({ on: true, demanded: false, recoveryCodesLeft: 8 });
  });

  test('wrong codes block by account and address, and do not affect other addresses', async () => {
    const { ticket } = await firstStep(app, 'free');
    const known = await secondStep(app, ticket, enabled.nextCode(), '198.51.100.1');
    expect(known.status).toBe(200);
    for (let index = 0; index < 10; index += 1)
      expect((await secondStep(app, ticket, '000000')).status).toBe(401);
    const next = enabled.nextCode();
    const refused = await secondStep(app, ticket, next);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    for (let address = 10; address < 12; address += 1)
      for (let index = 0; index < 10; index += 1)
        await secondStep(app, ticket, '000000', `203.0.113.${address}`);
    expect((await secondStep(app, ticket, next, '203.0.113.99')).status).toBe(429);
    expect((await secondStep(app, ticket, next, '198.51.100.1')).status).toBe(200);
  });

  test('recovery codes survive a changed server secret', async () => {
    const other = {
      db: app.db,
      clock: app.clock,
      runtime: { jwtSecret: 'another secret, long enough too' },
    };
    const moved = createTestApp(other);
    const { ticket } = await firstStep(moved, 'free');
    const byApp = await secondStep(moved, ticket, enabled.nextCode());
    expect([byApp.status, errorOf(byApp)]).toEqual([409, expect.stringContaining('recovery code')]);
    expect((await secondStep(moved, ticket, enabled.recoveryCodes[3] ?? '')).status).toBe(200);
  });
});

describe('turning two-factor login on', () => {
  test('requires password and code, ends the other sessions, and stores no secret readably', async () => {
    const user = await app.user('premium');
    const [here, there] = [await app.tokenOf(user), await app.tokenOf(user)];
    const wrong = await app.request('POST', '/api/settings/second-factor/begin', {
      as: { token: here },
      body: { password: 'not it' },
    });
    expect([wrong.status, (wrong.json as { field: string }).field]).toEqual([400, 'password']);
    const made = await turnOn(app, { token: here });
    expect([await isGood(here), await isGood(there)]).toEqual([true, false]);
    expect(new Set(made.recoveryCodes).size).toBe(10);
    const kept = JSON.stringify(app.db.select().from(secondFactors).all());
    expect(kept).not.toContain(made.secret);
    for (const code of made.recoveryCodes) expect(kept).not.toContain(code.replaceAll('-', ''));
    const exported = await app.request('GET', '/api/settings/export', { as: { token: here } });
    expect(exported.text).toContain('"secondFactor"');
    expect(exported.text).not.toMatch(/sealedSecret|recoveryHashes/);
    expect(JSON.stringify(app.lines)).not.toContain(made.secret);
  });

  test('takes effect only after a code was entered, within half an hour', async () => {
    const user = await app.user('basic');
    const as = { token: await app.tokenOf(user) };
    const body = { password: PASSWORD };
    const begun = await app.request('POST', '/api/settings/second-factor/begin', { as, body });
    expect((await firstStep(app, 'basic')).answer.status).toBe(200);
    app.clock.advance(31 * 60_000);
    const code = codeAt((begun.json as { secret: string }).secret, app.clock.now());
    const late = await app.request('POST', '/api/settings/second-factor/confirm', { as, body: { code } });
    expect(late.status).toBe(409);
    expect((await firstStep(app, 'basic')).answer.status).toBe(200);
  });

  test('is turned off with password and code together', async () => {
    const proof = { password: PASSWORD, code: enabled.nextCode() };
    expect((await ask('off', { ...proof, password: 'not it' })).status).toBe(400);
    expect((await ask('off', { ...proof, code: '000000' })).status).toBe(400);
    expect((await ask('off', proof)).json).toEqual({ success: true });
    expect((await firstStep(app, 'free')).answer.status).toBe(200);
    expect(await status()).toEqual({ on: false, demanded: false, recoveryCodesLeft: 0 });
  });
});

describe('an irreversible change', () => {
  const change = (body: object) =>
    app.request('POST', '/api/settings/password', {
      as: { token },
      body: { currentPassword: PASSWORD, newPassword: 'a better passphrase', ...body },
    });
  const remove = (body: object) =>
    app.request('POST', '/api/settings/delete-account', {
      as: { token },
      body: { password: PASSWORD, ...body },
    });

  test.each([
    ['changing the password', change],
    ['deleting the account', remove],
  ])('%s also requires a right code', async (_, ask) => {
    for (const body of [{}, { code: '' }, { code: null }]) {
      const refused = await ask(body);
      expect([refused.status, refused.json]).toEqual([400, { error: 'Enter the code', field: 'code' }]);
    }
    const wrong = await ask({ code: '000000' });
    expect([wrong.status, (wrong.json as { field: string }).field]).toEqual([400, 'code']);
    expect((await firstStep(app, 'free')).answer.status).toBe(401);
    expect((await ask({ code: enabled.nextCode() })).status).toBe(200);
    expect((await firstStep(app, 'free')).ticket).toBe('');
  });

  test('a refusal for another reason does not use up the code', async () => {
    const admin = await app.user('admin');
    token = await app.tokenOf(admin);
    const own = await turnOn(app, { token });
    const code = own.nextCode();
    expect((await remove({ code })).status).toBe(409);
    expect((await change({ code })).status).toBe(200);
  });
});

describe('wrong codes', () => {
  /** Sends wrong codes from new addresses. @returns how many were checked */
  async function guess(count: number): Promise<number> {
    const { ticket } = await firstStep(app, 'free');
    let seen = 0;
    for (let index = 0; index < count; index += 1) {
      const { status } = await secondStep(app, ticket, '000000', `2001:db8:0:${index.toString(16)}::1`);
      if (status === 401) seen += 1;
    }
    return seen;
  }

  test('are limited to 100 per day from unknown addresses', async () => {
    let seen = 0;
    for (let hour = 0; hour < 23; hour += 1) {
      seen += await guess(31);
      app.clock.advance(3_600_000);
    }
    expect(seen).toBe(100);
    app.clock.advance(2 * 3_600_000);
    expect(await guess(31)).toBe(30);
  });

  test('are limited in Settings as at the login, from any address', async () => {
    let seen = 0;
    for (let index = 0; index < 40; index += 1) {
      const { status } = await app.request('POST', '/api/settings/second-factor/off', {
        as: { token },
        body: { password: PASSWORD, code: '000000' },
        from: `2001:db8:1:${index.toString(16)}::1`,
      });
      if (status === 400) seen += 1;
      if (index % 20 === 19) app.clock.advance(60_000);
    }
    expect(seen).toBe(30);
  });

  test('notify the owner after the fifth, once per day', async () => {
    const notified: number[] = [];
    app.parts.accounts.service.listen({ wrongCodes: (userId) => void notified.push(userId) });
    const { id } = await app.user('free');
    await guess(4);
    const { ticket } = await firstStep(app, 'free');
    await secondStep(app, ticket, enabled.nextCode());
    expect(notified).toEqual([]);
    await guess(1);
    expect(notified).toEqual([id]);
    await guess(10);
    expect(notified).toEqual([id]);
    app.clock.advance(25 * 3_600_000);
    await guess(10);
    expect(notified).toEqual([id, id]);
  });
});
