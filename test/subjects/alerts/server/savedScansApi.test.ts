import { describe, expect, test } from 'bun:test';
import type { AlertView } from '../../../../src/subjects/alerts/rules/alertView.ts';
import type { Logic } from '../../../../src/subjects/conditions/rules/condition.ts';
import type { ListedScan } from '../../../../src/subjects/conditions/rules/savedScan.ts';
import { addAlert, alertsOf, changeAlert, withListed } from '../../../support/alertsApp.ts';
import { trade } from '../../../support/callsApp.ts';
import { allOf, is, LAST } from '../../../support/conditions.ts';
import type { Role, TestApp } from '../../../support/testApp.ts';

const over = (price: number): Logic => allOf(is(LAST, '>', price));
const scan = (id: number, name = 'Breakouts') => ({ type: 'scan', id, name }) as const;
const entering = (id: number) => allOf(is(scan(id), 'crosses_above', 0.5));

async function keepScan(
  app: TestApp,
  { id, ...change }: { id?: number; name?: string; logic?: Logic } = {},
  as: Role = 'free',
): Promise<ListedScan> {
  const body = { name: 'Breakouts', logic: over(50), ...change };
  const [method, url] =
    id === undefined ? ['POST', '/api/indicators/scans'] : ['PUT', `/api/indicators/scans/${id}`];
  const answer = await app.request(method ?? '', url ?? '', { as, body });
  expect(answer.status).toBe(200);
  return (answer.json as { scan: ListedScan }).scan;
}

const firedOf = async (app: TestApp, id: number) =>
  ((await app.request('GET', `/api/alerts/${id}/triggers`, { as: 'free' })).json as { triggers: unknown[] })
    .triggers.length;

describe('an alert on a saved scan', () => {
  test('is kept with the scan’s name, fires when its stock enters, and counts among what is looked into', () =>
    withListed(async (app) => {
      const { id } = await keepScan(app);
      const alert = await addAlert(app, {
        logic_json: allOf(is(scan(id, 'Nonsense'), 'crosses_above', 0.5)),
      });
      expect(alert).toMatchObject({ logic_json: entering(id), problem: null });
      for (const price of [40, 51, 40, 51]) trade(app, 'BHP', price);
      expect(await firedOf(app, alert.id)).toBe(1);
      expect(app.parts.alerts.inspect().summary).toMatchObject({ alerts: 1, scans: 1 });
    }));

  test('of somebody else is refused', () =>
    withListed(async (app) => {
      const { id } = await keepScan(app, {}, 'premium');
      const answer = await app.request('POST', '/api/alerts', {
        as: 'free',
        body: { symbol: 'BHP', logic_json: entering(id) },
      });
      expect(answer).toMatchObject({
        status: 400,
        json: { field: 'logic_json.conditions[0].lhs.id' },
      });
      expect(answer.text).toContain('does not exist any more');
    }));
});

describe('a scan that an alert reads', () => {
  const only = async (app: TestApp): Promise<AlertView | undefined> => (await alertsOf(app))[0];

  test('is renamed there too; that changes neither its version nor what it remembers', () =>
    withListed(async (app) => {
      const { id } = await keepScan(app);
      const alert = await addAlert(app, { logic_json: entering(id) });
      trade(app, 'BHP', 40);
      await keepScan(app, { id, name: 'Dips' });
      expect(await only(app)).toMatchObject({
        version: alert.version,
        logic_json: allOf(is(scan(id, 'Dips'), 'crosses_above', 0.5)),
      });
      trade(app, 'BHP', 51);
      expect(await firedOf(app, alert.id)).toBe(1);
      const { json } = await app.request('GET', `/api/alerts/${alert.id}/triggers`, { as: 'free' });
      expect(json).toMatchObject({ triggers: [{ seen: [{ left: { text: 'my scan Dips' } }] }] });
    }));

  test('leaves a sentence on it when it is deleted or looks for a crossing, and can’t be switched on then', () =>
    withListed(async (app) => {
      const { id } = await keepScan(app);
      const alert = await addAlert(app, { logic_json: entering(id) });
      await keepScan(app, { id, logic: allOf(is(LAST, 'crosses_above', 50)) });
      expect((await only(app))?.problem).toContain('looks for a crossing');
      await keepScan(app, { id });
      expect((await only(app))?.problem).toBeNull();
      const deleted = await app.request('DELETE', `/api/indicators/scans/${id}`, { as: 'free' });
      expect(deleted.status).toBe(200);
      const problem = 'Condition 1: Your scan "Breakouts" does not exist any more. Choose another one.';
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

describe('lists of a saved scan', () => {
  const LOGIC = allOf(is(LAST, '>', 50));

  const ask = (app: TestApp, method: string, url: string, body?: unknown) =>
    app.request(method, `/api${url}`, { as: 'free', ...(body === undefined ? {} : { body }) });
  async function listWith(app: TestApp, name: string, ...symbols: string[]): Promise<number> {
    const { json } = await ask(app, 'POST', '/watchlists', { name });
    const { id } = json as { id: number };
    for (const symbol of symbols) await ask(app, 'POST', '/watchlist', { symbol, list: id });
    return id;
  }
  async function keep(app: TestApp, lists?: unknown, id?: number): Promise<ListedScan> {
    const body = { name: 'Breakouts', logic: LOGIC, ...(lists === undefined ? {} : { lists }) };
    const url = '/indicators/scans';
    const answer = await (id === undefined
      ? ask(app, 'POST', url, body)
      : ask(app, 'PUT', `${url}/${id}`, body));
    expect(answer.status).toBe(200);
    return (answer.json as { scan: ListedScan }).scan;
  }
  async function alertOn(app: TestApp, id: number): Promise<number> {
    const answer = await ask(app, 'POST', '/scan-alerts', { scan: { type: 'scan', id } });
    expect(answer.status).toBe(200);
    return (answer.json as { id: number }).id;
  }
  const alertOf = async (app: TestApp) =>
    ((await ask(app, 'GET', '/scan-alerts')).json as { scan_alerts: Record<string, unknown>[] })
      .scan_alerts[0];
  const told = async (app: TestApp, id: number) =>
    (
      (await ask(app, 'GET', `/scan-alerts/${id}/triggers`)).json as { triggers: { symbol: string }[] }
    ).triggers.map(({ symbol }) => symbol);
  function move(app: TestApp, ...prices: number[]): void {
    for (const price of prices) for (const code of ['BHP', 'CBA']) trade(app, code, price);
  }

  describe('a scan by its owner’s lists', () => {
    test('takes no list of somebody else', () =>
      withListed(async (app) => {
        const { json } = await app.request('POST', '/api/watchlists', {
          as: 'premium',
          body: { name: 'Theirs' },
        });
        const { id } = json as { id: number };
        const body = { name: 'Breakouts', logic: LOGIC, lists: { side: 'on', id } };
        expect(await ask(app, 'POST', '/indicators/scans', body)).toMatchObject({
          status: 400,
          json: { field: 'lists.id' },
        });
      }));
  });

  describe('an alert on a scan by lists', () => {
    test('tells only what stands on the list as it is then', () =>
      withListed(async (app) => {
        const id = await listWith(app, 'Miners', 'BHP');
        const scan = await keep(app, { side: 'on', id });
        const alert = await alertOn(app, scan.id);
        move(app, 40, 51);
        expect(await told(app, alert)).toEqual(['BHP']);
        expect((await alertOf(app))?.in_scan).toBe(1);
        await ask(app, 'POST', '/watchlist', { symbol: 'CBA', list: id });
        expect((await alertOf(app))?.in_scan).toBe(2);
        move(app, 40, 51);
        expect(await told(app, alert)).toEqual(['CBA', 'BHP']);
      }));
  });
});
