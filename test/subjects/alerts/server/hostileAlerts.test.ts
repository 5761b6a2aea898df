import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { addAlert, ALERT, alertsOf, lastAbove, watchlistOf, withListed } from '../../../support/alertsApp.ts';
import { trade } from '../../../support/callsApp.ts';
import type { TestApp } from '../../../support/testApp.ts';

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

/** An answer is what was asked for, or a sentence that says why not; nothing is a fault of the server. */
async function answered(app: TestApp, method: string, path: string, sent: unknown): Promise<void> {
  const { status, json } = await app.request(method, `/api${path}`, { as: 'free', body: sent });
  expect([200, 400, 404, 409]).toContain(status);
  if (status !== 200) expect(json).toMatchObject({ error: expect.stringMatching(/^[A-Z].{9,}/) });
  // No minute of typing is counted against the next one.
  app.clock.advance(1000);
}

test('whatever is sent as an alert is taken in one form or refused with a sentence', () =>
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
    // The engine goes on with whatever was taken.
    await app.request('PATCH', '/api/alerts/1', {
      as: 'free',
      body: { active: true, symbol: 'BHP', logic_json: lastAbove(50), snoozed_until: null },
    });
    trade(app, 'BHP', 51);
    app.tick.run();
    expect((await alertsOf(app))[0]?.last_triggered_at).not.toBeNull();
  }));

test('a body of almost 64 KB of conditions is refused by their number, and nothing is stored', () =>
  withListed(async (app) => {
    const condition = { lhs: 'last', op: '>', rhs: 1 };
    const group = (count: number) => ({
      op: 'OR',
      conditions: Array.from({ length: count }, () => condition),
    });
    for (const conditions of [
      Array.from({ length: 1800 }, () => condition),
      [group(1700)],
      Array.from({ length: 400 }, () => group(1)),
      [{ ...group(0), conditions: [group(1000)] }],
    ]) {
      const sent = { ...ALERT, logic_json: { op: 'AND', conditions } };
      const { status, json } = await app.request('POST', '/api/alerts', { as: 'free', body: sent });
      expect(status).toBe(400);
      expect((json as { error: string }).error.length).toBeLessThan(120);
    }
    expect([await alertsOf(app), await watchlistOf(app)]).toEqual([[], []]);
  }));

test('a refusal repeats no more than a little of what was sent, and interprets nothing', () =>
  withListed(async (app) => {
    const long = '<img src=x onerror=alert(1)>'.repeat(500);
    for (const change of [
      { logic_json: { op: 'AND', conditions: [{ lhs: long, op: '>', rhs: 1 }] } },
      { logic_json: { op: 'AND', conditions: [{ lhs: 'last', op: long, rhs: 1 }] } },
      { logic_json: { op: 'AND', conditions: [{ lhs: 'last', op: '>', rhs: { type: long } }] } },
      { name: long },
      { symbol: long },
    ]) {
      const { status, text, headers } = await app.request('POST', '/api/alerts', {
        as: 'free',
        body: { ...ALERT, ...change },
      });
      expect(status).toBe(400);
      expect(text.length).toBeLessThan(250);
      expect(headers.get('content-type')).toContain('application/json');
    }
    const name = '*b* _i_ [l](http://x) <b>&amp;</b> ` @everyone';
    expect((await addAlert(app, { name })).name).toBe(name);
  }));
