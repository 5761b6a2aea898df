import { describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { alerts } from '../../../../src/platform/db/alertSchema.ts';
import type { AlertConflict } from '../../../../src/subjects/alerts/rules/alertView.ts';
import {
  addAlert,
  ALERT,
  alertsOf,
  changeAlert,
  lastAbove,
  watchlistOf,
  withListed,
} from '../../../support/alertsApp.ts';
import { createTestApp } from '../../../support/testApp.ts';

describe('PATCH /api/alerts/:id', () => {
  test('changes what is sent and leaves the rest', () =>
    withListed(async (app) => {
      const added = await addAlert(app, { destinations: { telegram: true } });
      expect(await changeAlert(app, 1, { active: false })).toEqual({ ...added, active: false, version: 2 });
      const changed = { ...added, active: false, name: 'Next', version: 3 };
      expect(await changeAlert(app, 1, { name: 'Next' })).toEqual(changed);
      // A page that has no switch for Telegram, as no chat is linked, switches nothing off.
      const both = { ...changed, destinations: { telegram: true, discord: true, devices: [] }, version: 4 };
      expect(await changeAlert(app, 1, { destinations: { discord: true } })).toEqual(both);
      const whole = { ...ALERT, name: null, persistent: false, logic_json: lastAbove(60), destinations: {} };
      expect(await changeAlert(app, 1, whole)).toEqual({
        ...both,
        name: null,
        persistent: false,
        logic_json: lastAbove(60),
        version: 5,
      });
    }));

  test('what says nothing new is no change: the version stays', () =>
    withListed(async (app) => {
      await addAlert(app);
      const same = { ...ALERT, symbol: 'bhp ', active: true, destinations: {} };
      expect((await changeAlert(app, 1, same)).version).toBe(1);
      expect((await changeAlert(app, 1, { active: true })).version).toBe(1);
      expect((await changeAlert(app, 1, { snoozed_until: null })).version).toBe(1);
      expect((await changeAlert(app, 1, {})).version).toBe(1);
    }));

  test('a refused change changes nothing', () =>
    withListed(async (app) => {
      const added = await addAlert(app);
      for (const body of [
        { name: 'Next', logic_json: { op: 'AND', conditions: [] } },
        { name: 'Next', symbol: 'ZZZ' },
        { name: 'Next', symbol: '' },
        { name: 'x'.repeat(100) },
        { name: 'Next', version: 'newest' },
        { snoozed_until: '2030-01-01T00:00:00Z' },
        { name: 'Next', active: null },
      ]) {
        const answer = await app.request('PATCH', '/api/alerts/1', { as: 'free', body });
        expect({ body, status: answer.status }).toEqual({ body, status: 400 });
      }
      expect(await alertsOf(app)).toEqual([added]);
    }));

  test('moving an alert puts its new symbol on the watchlist, and keeps the old one there', () =>
    withListed(async (app) => {
      await addAlert(app);
      expect((await changeAlert(app, 1, { symbol: 'cba' })).symbol).toBe('CBA');
      expect(await watchlistOf(app)).toEqual([
        { id: 1, symbol: 'BHP', alertCount: 0 },
        { id: 2, symbol: 'CBA', alertCount: 1 },
      ]);
    }));

  test('an alert on a symbol that is not listed any more can still be changed and deleted', () =>
    withListed(async (app) => {
      await addAlert(app);
      app.parts.market.service.remove(['BHP']);
      expect((await changeAlert(app, 1, { ...ALERT, name: 'Gone' })).name).toBe('Gone');
      expect((await app.request('DELETE', '/api/alerts/1', { as: 'free' })).json).toEqual({ success: true });
      expect(await alertsOf(app)).toEqual([]);
    }));

  test('switching on ends the stop and the snooze, and checks the conditions against the catalog of now', () =>
    withListed(async (app) => {
      await addAlert(app);
      const later = app.clock.now() + 3_600_000;
      const stopped = { active: false, stoppedReason: 'It fired too often.', snoozedUntil: later };
      app.db.update(alerts).set(stopped).run();
      expect(await alertsOf(app)).toMatchObject([
        {
          active: false,
          stopped_reason: 'It fired too often.',
          snoozed_until: new Date(later).toISOString(),
        },
      ]);
      expect(await changeAlert(app, 1, { name: 'Still off' })).toMatchObject({
        stopped_reason: 'It fired too often.',
      });
      expect(await changeAlert(app, 1, { active: true })).toMatchObject({
        active: true,
        stopped_reason: null,
        snoozed_until: null,
      });
      const gone = {
        type: 'indicator' as const,
        family: 'gone',
        params: {},
        tf: 'D',
        key: 'gone',
        valueKey: 'now',
      };
      const logic = { op: 'AND' as const, conditions: [{ lhs: gone, op: '>' as const, rhs: gone }] };
      app.db.update(alerts).set({ active: false, logic }).run();
      const answer = await app.request('PATCH', '/api/alerts/1', { as: 'free', body: { active: true } });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('gone');
      expect((await changeAlert(app, 1, { name: 'Renamed' })).active).toBe(false);
    }));

  test('a snooze is ended without being a change of the alert, and is over by itself', () =>
    withListed(async (app) => {
      await addAlert(app);
      const { id: userId } = await app.user('free');
      app.parts.alerts.service.snooze(userId, 1, app.clock.now() + 60_000);
      expect((await alertsOf(app))[0]).toMatchObject({ active: true, version: 1 });
      expect((await alertsOf(app))[0]?.snoozed_until).not.toBeNull();
      expect(await changeAlert(app, 1, { snoozed_until: null })).toMatchObject({
        snoozed_until: null,
        version: 1,
      });
      app.parts.alerts.service.snooze(userId, 1, app.clock.now() + 60_000);
      app.clock.advance(60_000);
      expect((await alertsOf(app))[0]?.snoozed_until).toBeNull();
    }));
});

describe('two windows', () => {
  test('the one that saves over a newer version is answered 409 with the alert as it stands', () =>
    withListed(async (app) => {
      await addAlert(app);
      const first = await changeAlert(app, 1, { name: 'First window', version: 1 });
      const body = { name: 'Second window', version: 1 };
      const answer = await app.request('PATCH', '/api/alerts/1', { as: 'free', body });
      expect(answer.status).toBe(409);
      expect(answer.json as AlertConflict).toEqual({
        error: 'This alert was changed meanwhile, in another window or by a chat.',
        alert: first,
      });
      expect(await alertsOf(app)).toEqual([first]);
      // Anyone who chose takes the version from the conflict.
      expect(await changeAlert(app, 1, { ...body, version: first.version })).toMatchObject({
        name: 'Second window',
        version: 3,
      });
    }));

  test('also with a version from the future; without a version the last one wins', () =>
    withListed(async (app) => {
      await addAlert(app);
      const ahead = await app.request('PATCH', '/api/alerts/1', { as: 'free', body: { version: 7 } });
      expect(ahead.status).toBe(409);
      await changeAlert(app, 1, { name: 'First window' });
      expect((await changeAlert(app, 1, { name: 'Second window' })).name).toBe('Second window');
    }));
});

test('everything is there after a restart', async () => {
  const before = createTestApp();
  before.source.give([{ code: 'BHP', last: 40 }]);
  await addAlert(before);
  await addAlert(before, { active: false, destinations: { discord: true } });
  const [alertsThen, watchedThen] = [await alertsOf(before), await watchlistOf(before)];
  const token = await before.tokenOf(await before.user('free'));
  const after = createTestApp({ db: before.db, clock: before.clock });
  const read = async (path: string) => (await after.request('GET', path, { as: { token } })).json;
  expect(await read('/api/alerts')).toEqual({ alerts: alertsThen });
  expect(await read('/api/watchlist')).toMatchObject({ items: watchedThen });
  after.close();
  before.close();
});

test('a user’s alerts and symbols go with the account', () =>
  withListed(async (app) => {
    await addAlert(app);
    const { id } = await app.user('free');
    app.db.$client.run('delete from users where id = ?', [id]);
    expect(app.db.select().from(alerts).where(eq(alerts.userId, id)).all()).toEqual([]);
  }));
