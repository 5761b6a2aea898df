import { describe, expect, test } from 'bun:test';
import type { ListedScan, ScanView } from '../../../../src/subjects/conditions/rules/savedScan.ts';
import { withListed } from '../../../support/alertsApp.ts';
import { trade } from '../../../support/callsApp.ts';
import { allOf, is, LAST } from '../../../support/conditions.ts';
import type { TestApp } from '../../../support/testApp.ts';

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
const kept = async (app: TestApp) =>
  ((await ask(app, 'GET', '/indicators/scans')).json as { scans: ScanView[] }).scans[0];
async function alertOn(app: TestApp, id: number): Promise<number> {
  const answer = await ask(app, 'POST', '/scan-alerts', { scan: { type: 'scan', id } });
  expect(answer.status).toBe(200);
  return (answer.json as { id: number }).id;
}
const alertOf = async (app: TestApp) =>
  ((await ask(app, 'GET', '/scan-alerts')).json as { scan_alerts: Record<string, unknown>[] }).scan_alerts[0];
const told = async (app: TestApp, id: number) =>
  (
    (await ask(app, 'GET', `/scan-alerts/${id}/triggers`)).json as { triggers: { symbol: string }[] }
  ).triggers.map(({ symbol }) => symbol);
function move(app: TestApp, ...prices: number[]): void {
  for (const price of prices) for (const code of ['BHP', 'CBA']) trade(app, code, price);
}

describe('a scan by its owner’s lists', () => {
  test('keeps them through a change that says nothing of them, and loses them by null', () =>
    withListed(async (app) => {
      const id = await listWith(app, 'Miners', 'BHP');
      const scan = await keep(app, { side: 'on', id, name: 'Nonsense' });
      expect(scan.lists).toEqual({ side: 'on', id, name: 'Miners' });
      expect((await keep(app, undefined, scan.id)).lists).toEqual(scan.lists);
      expect((await keep(app, null, scan.id)).lists).toBeNull();
    }));

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

  test('says which list was deleted, by the name that it had last, and finds nothing by it', () =>
    withListed(async (app) => {
      const id = await listWith(app, 'Miners', 'BHP');
      await listWith(app, 'Banks', 'CBA');
      await keep(app, { side: 'on', id });
      await ask(app, 'PATCH', `/watchlists/${id}`, { name: 'Diggers' });
      expect(await kept(app)).toMatchObject({ lists: { name: 'Diggers' }, problem: null });
      const alert = await alertOn(app, 1);
      await ask(app, 'DELETE', `/watchlists/${id}`);
      expect(await kept(app)).toMatchObject({
        lists: { name: 'Diggers' },
        problem: 'Your list “Diggers” was deleted.',
      });
      expect((await alertOf(app))?.problem).toBe(
        'Your scan "Breakouts" can\'t be followed: Your list “Diggers” was deleted.',
      );
      move(app, 40, 51);
      expect(await told(app, alert)).toEqual([]);
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

  test('follows an edit of its lists to the other side', () =>
    withListed(async (app) => {
      await listWith(app, 'Miners', 'BHP');
      const scan = await keep(app, { side: 'on', id: null });
      const alert = await alertOn(app, scan.id);
      await keep(app, { side: 'off', id: null }, scan.id);
      move(app, 40, 51);
      expect(await told(app, alert)).toEqual(['CBA']);
    }));
});
