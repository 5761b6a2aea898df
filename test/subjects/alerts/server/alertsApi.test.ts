import fc from 'fast-check';
import { describe, expect, test } from 'bun:test';
import { MAX_ALERTS } from '#subjects/alerts/rules/alertRules.ts';
import {
  addAlert,
  ALERT,
  alertsOf,
  changeAlert,
  lastAbove,
  watchlistOf,
  withListed,
} from '#support/alertsApp.ts';
import { trade } from '#support/callsApp.ts';
import type { Role, TestApp } from '#support/testApp.ts';
import { alerts } from '#src/tables/alertSchema.ts';
import { NOWHERE } from '#subjects/alerts/rules/alert.ts';
import type { AlertConflict } from '#subjects/alerts/rules/alertView.ts';

const VIEW = {
  id: 1,
  symbol: 'BHP',
  name: 'Breakout',
  active: true,
  persistent: true,
  logic_json: lastAbove(50),
  destinations: NOWHERE,
  version: 1,
  note: null,
  group: null,
  sound: null,
  urgent: false,
  last_triggered_at: null,
  last_triggered_market_time: null,
  snoozed_until: null,
  expires_at: null,
  stopped_reason: null,
  event_guard: null,
  cooldown_minutes: 1,
  arms_in_ms: null,
  delivery: null,
  problem: null,
  until_open: false,
};

describe('POST /api/alerts', () => {
  test('adds its symbol to the watchlist and accepts short conditions', () =>
    withListed(async (app) => {
      expect(await addAlert(app)).toEqual(VIEW);
      expect(await watchlistOf(app)).toEqual([{ id: 1, symbol: 'BHP', alertCount: 1 }]);
      const logic_json = { op: 'AND', conditions: [{ lhs: 'last', op: '>', rhs: 50 }] };
      const least = { symbol: ' cba', logic_json };
      const { json } = await app.request('POST', '/api/alerts', { as: 'free', body: least });
      expect(json).toEqual({ ...VIEW, id: 2, symbol: 'CBA', name: null, persistent: false });
    }));

  test.each([
    ['logic_json.conditions', { logic_json: { op: 'AND', conditions: [] } }],
    ['name', { name: 'x'.repeat(81) }],
    ['destinations.telegram', { destinations: { telegram: 'yes' } }],
    ['persistent', { persistent: 1 }],
    ['symbol', { symbol: 'ZZZ' }],
  ])('refuses a wrong %s by name and stores nothing', (field, body) =>
    withListed(async (app) => {
      const refused = await app.request('POST', '/api/alerts', { as: 'free', body: { ...ALERT, ...body } });
      expect(refused).toMatchObject({ status: 400, json: { field } });
      expect([await alertsOf(app), await watchlistOf(app)]).toEqual([[], []]);
    }),
  );

  test('refuses one alert too many, until one is deleted', () =>
    withListed(async (app) => {
      for (let index = 0; index < MAX_ALERTS; index += 1) await addAlert(app);
      const refusal = await app.request('POST', '/api/alerts', { as: 'free', body: ALERT });
      expect([refusal.status, refusal.json]).toEqual([
        400,
        { error: 'You already have 50 alerts. Delete one before you add another.' },
      ]);
      expect(await watchlistOf(app)).toEqual([{ id: 1, symbol: 'BHP', alertCount: MAX_ALERTS }]);
      await addAlert(app, {}, 'basic');
      await app.request('DELETE', '/api/alerts/7', { as: 'free' });
      await addAlert(app);
    }));
});

describe('the routes of a single alert', () => {
  test.each([
    ['PATCH', '', { active: false }],
    ['DELETE', '', undefined],
    ['POST', '/undo', {}],
    ['GET', '/evaluation', undefined],
    ['GET', '/triggers', undefined],
  ])('%s %s returns 404 for another user’s alert, a deleted one and an unknown id', (method, path, body) =>
    withListed(async (app) => {
      await addAlert(app);
      const ask = (id: string, as: Role = 'free') =>
        app.request(method, `/api/alerts/${id}${path}`, { as, ...(body && { body }) });
      const none = { status: 404, json: { error: 'That alert no longer exists. Reload the list.' } };
      expect(await ask('1', 'admin')).toMatchObject(none);
      expect(await alertsOf(app)).toEqual([VIEW]);
      for (const id of ['-1', '99999999999999999999']) expect((await ask(id)).status).toBe(404);
      await app.request('DELETE', '/api/alerts/1', { as: 'free' });
      expect(await ask('1')).toMatchObject(none);
    }),
  );

  test('the list is filtered by symbol in any case and contains only the caller’s alerts', () =>
    withListed(async (app) => {
      await addAlert(app, { symbol: 'CBA', name: 'second' });
      await addAlert(app, { name: 'first' });
      await addAlert(app, { name: 'not theirs' }, 'admin');
      const names = async (query: string) => {
        const answer = await app.request('GET', `/api/alerts${query}`, { as: 'free' });
        return (answer.json as { alerts: { name: string }[] }).alerts.map(({ name }) => name);
      };
      expect(await names('')).toEqual(['first', 'second']);
      expect(await names('?symbol=cba')).toEqual(['second']);
      expect(await names('?symbol=ZZZ')).toEqual([]);
    }));

  test('allows 120 changes per minute, and unlimited reads', () =>
    withListed(async (app) => {
      await addAlert(app);
      for (let index = 0; index < 119; index += 1) await changeAlert(app, 1, { name: `${index}` });
      const refused = await app.request('PATCH', '/api/alerts/1', { as: 'free', body: { name: 'x' } });
      expect([refused.status, refused.json]).toEqual([
        429,
        { error: 'Too many changes to your alerts. Try again in 1 minute.' },
      ]);
      expect(await alertsOf(app)).toHaveLength(1);
      app.clock.advance(60_001);
      await changeAlert(app, 1, { name: 'x' });
    }));
});

describe('PATCH /api/alerts/:id', () => {
  test('changes the fields sent and keeps the others', () =>
    withListed(async (app) => {
      const added = await addAlert(app, { destinations: { telegram: true } });
      expect(await changeAlert(app, 1, { active: false })).toEqual({ ...added, active: false, version: 2 });
      const changed = { ...added, active: false, name: 'Next', version: 3 };
      expect(await changeAlert(app, 1, { name: 'Next' })).toEqual(changed);
      // A page without a Telegram switch, because no chat is linked, keeps the setting.
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
      // A request with the same values is not a change: the version stays.
      const same = { ...whole, symbol: 'bhp ', active: false };
      for (const body of [same, { active: false }, { snoozed_until: null }, {}])
        expect((await changeAlert(app, 1, body)).version).toBe(5);
    }));

  test('a refused change has no effect', () =>
    withListed(async (app) => {
      const added = await addAlert(app);
      for (const body of [
        { name: 'Next', logic_json: { op: 'AND', conditions: [] } },
        { name: 'Next', symbol: 'ZZZ' },
        { name: 'Next', version: 'newest' },
        { snoozed_until: '2030-01-01T00:00:00Z' },
        { name: 'Next', active: null },
      ]) {
        const answer = await app.request('PATCH', '/api/alerts/1', { as: 'free', body });
        expect({ body, status: answer.status }).toEqual({ body, status: 400 });
      }
      expect(await alertsOf(app)).toEqual([added]);
    }));

  test('turning on clears the stop and the snooze, and validates against the current catalog', () =>
    withListed(async (app) => {
      await addAlert(app);
      const snoozedUntil = app.clock.now() + 3_600_000;
      app.db.update(alerts).set({ active: false, stoppedReason: 'It fired too often.', snoozedUntil }).run();
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
});

test('a save over a newer version returns 409 with the current alert', () =>
  withListed(async (app) => {
    await addAlert(app);
    const first = await changeAlert(app, 1, { name: 'First window', version: 1 });
    const body = { name: 'Second window', version: 1 };
    const answer = await app.request('PATCH', '/api/alerts/1', { as: 'free', body });
    expect(answer.status).toBe(409);
    expect(answer.json as AlertConflict).toEqual({
      error: 'This alert was changed in another window or a chat.',
      alert: first,
    });
    expect(await alertsOf(app)).toEqual([first]);
    // After the choice the client sends the version from the conflict.
    expect(await changeAlert(app, 1, { ...body, version: first.version })).toMatchObject({
      name: 'Second window',
      version: 3,
    });
  }));

const jsonOr = (usual: unknown) => fc.oneof(fc.constant(usual), fc.jsonValue({ maxDepth: 4 }));
const body = fc.record(
  {
    symbol: jsonOr('BHP'),
    name: jsonOr('Breakout'),
    active: jsonOr(true),
    persistent: jsonOr(true),
    logic_json: fc.oneof(
      jsonOr(ALERT.logic_json),
      fc.record({
        op: fc.constant('AND'),
        conditions: fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 3 }),
      }),
    ),
    destinations: jsonOr({ telegram: true }),
    snoozed_until: jsonOr(null),
    version: jsonOr(1),
  },
  { requiredKeys: [] },
);

/** Every answer succeeds or explains a refusal; none is a server error. */
async function answered(app: TestApp, method: string, path: string, sent: unknown): Promise<void> {
  const { status, json } = await app.request(method, `/api${path}`, { as: 'free', body: sent });
  expect([200, 400, 404, 409]).toContain(status);
  if (status !== 200) expect(json).toMatchObject({ error: expect.stringMatching(/^[A-Z`].{9,}/) });
  // Stays below the rate limit.
  app.clock.advance(1000);
}

test('any input is normalised or refused with a message', () =>
  withListed(async (app) => {
    await addAlert(app);
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        await answered(app, 'POST', '/alerts', sent);
        await answered(app, 'PATCH', '/alerts/1', sent);
        await answered(app, 'POST', '/watchlist', sent);
        for (const alert of (await alertsOf(app)).slice(1)) {
          await answered(app, 'DELETE', `/alerts/${alert.id}`, undefined);
        }
      }),
      { numRuns: 60 },
    );
    expect(app.lines.filter(({ level }) => level === 'error')).toEqual([]);
    // The engine still works after all accepted inputs.
    await app.request('PATCH', '/api/alerts/1', {
      as: 'free',
      body: { active: true, symbol: 'BHP', logic_json: lastAbove(50), snoozed_until: null },
    });
    trade(app, 'BHP', 51);
    app.tick.run();
    expect((await alertsOf(app))[0]?.last_triggered_at).not.toBeNull();
  }));
