import { describe, expect, test } from 'bun:test';
import type { AlertView } from '#subjects/alerts/rules/alertView.ts';
import { addAlert, alertsOf, changeAlert, saveScan, withListed } from '#support/alertsApp.ts';
import { trade } from '#support/callsApp.ts';
import { allOf, is, LAST } from '#support/conditions.ts';
import type { TestApp } from '#support/testApp.ts';

const scan = (id: number, name = 'Breakouts') => ({ type: 'scan', id, name }) as const;
const entering = (id: number) => allOf(is(scan(id), 'crosses_above', 0.5));

const firedOf = async (app: TestApp, id: number) =>
  ((await app.request('GET', `/api/alerts/${id}/triggers`, { as: 'free' })).json as { triggers: unknown[] })
    .triggers.length;

test('an alert on the saved scan of another user is refused', () =>
  withListed(async (app) => {
    const { id } = await saveScan(app, {}, 'premium');
    const answer = await app.request('POST', '/api/alerts', {
      as: 'free',
      body: { symbol: 'BHP', logic_json: entering(id) },
    });
    expect(answer).toMatchObject({
      status: 400,
      json: { field: 'logic_json.conditions[0].lhs.id' },
    });
    expect(answer.text).toContain('no longer exists');
  }));

describe('a scan used by an alert', () => {
  const only = async (app: TestApp): Promise<AlertView | undefined> => (await alertsOf(app))[0];

  test('passes a new name on to the alert, which keeps version and state', () =>
    withListed(async (app) => {
      const { id } = await saveScan(app);
      const alert = await addAlert(app, { logic_json: entering(id) });
      trade(app, 'BHP', 40);
      await saveScan(app, { id, name: 'Dips' });
      expect(await only(app)).toMatchObject({
        version: alert.version,
        logic_json: allOf(is(scan(id, 'Dips'), 'crosses_above', 0.5)),
      });
      trade(app, 'BHP', 51);
      expect(await firedOf(app, alert.id)).toBe(1);
      const { json } = await app.request('GET', `/api/alerts/${alert.id}/triggers`, { as: 'free' });
      expect(json).toMatchObject({ triggers: [{ seen: [{ left: { text: 'my scan Dips' } }] }] });
    }));

  test('shows a problem on the alert if deleted or changed to a crossing, and blocks turning it on', () =>
    withListed(async (app) => {
      const { id } = await saveScan(app);
      const alert = await addAlert(app, { logic_json: entering(id) });
      await saveScan(app, { id, logic: allOf(is(LAST, 'crosses_above', 50)) });
      expect((await only(app))?.problem).toContain('uses a crossing');
      await saveScan(app, { id });
      expect((await only(app))?.problem).toBeNull();
      const deleted = await app.request('DELETE', `/api/indicators/scans/${id}`, { as: 'free' });
      expect(deleted.status).toBe(200);
      const problem = 'Condition 1: Your scan "Breakouts" no longer exists. Choose another one.';
      expect(await only(app)).toMatchObject({ active: true, problem });
      for (const price of [40, 51]) trade(app, 'BHP', price);
      expect(await firedOf(app, alert.id)).toBe(0);
      const { json } = await app.request('GET', `/api/alerts/${alert.id}/evaluation`, { as: 'free' });
      expect(json).toMatchObject({ notEvaluated: problem.replace(/\.$/, ''), holds: null });
      await changeAlert(app, alert.id, { name: 'Kept', logic_json: entering(id) });
      expect(await only(app)).toMatchObject({ name: 'Kept', active: true, problem });
      await changeAlert(app, alert.id, { active: false });
      const on = await app.request('PATCH', `/api/alerts/${alert.id}`, {
        as: 'free',
        body: { active: true },
      });
      expect(on).toMatchObject({ status: 400, json: { error: problem } });
    }));
});
