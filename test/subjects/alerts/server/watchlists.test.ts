import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { addAlert, alertsOf, withListed } from '../../../support/alertsApp.ts';
import { MAX_WATCHLISTS, toTarget } from '../../../../src/subjects/alerts/rules/watchlist.ts';
import { aStock } from '../../../support/aStock.ts';
import type { TestApp } from '../../../support/testApp.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const ask = async (
  app: TestApp,
  method: Method,
  url: string,
  body?: unknown,
  as: 'free' | 'premium' = 'free',
) => {
  const { status, json } = await app.request(method, `/api${url}`, {
    as,
    ...(body === undefined ? {} : { body }),
  });
  return { status, json: json as Record<string, unknown> };
};
const made = async (app: TestApp, name: string): Promise<number> =>
  Number((await ask(app, 'POST', '/watchlists', { name })).json.id);
const listsOf = async (app: TestApp) =>
  (await ask(app, 'GET', '/watchlists')).json.lists as { id: number; name: string; symbols: string[] }[];

describe('several watchlists', () => {
  test('the first symbol makes the first list, and a symbol may stand on several', () =>
    withListed(async (app) => {
      expect(await listsOf(app)).toEqual([]);
      await ask(app, 'POST', '/watchlist', { symbol: 'BHP' });
      const miners = await made(app, ' Miners ');
      await ask(app, 'POST', '/watchlist', { symbol: 'BHP', list: miners });
      await ask(app, 'POST', '/watchlist', { symbol: 'CBA', list: miners });
      expect(await listsOf(app)).toEqual([
        { id: 1, name: 'My list', symbols: ['BHP'] },
        { id: miners, name: 'Miners', symbols: ['BHP', 'CBA'] },
      ]);
      const { json } = await ask(app, 'GET', `/watchlist?list=${miners}`);
      expect((json.items as { symbol: string }[]).map(({ symbol }) => symbol)).toEqual(['BHP', 'CBA']);
    }));

  test('alerts stay as long as their symbol stands on any list', () =>
    withListed(async (app) => {
      await addAlert(app);
      const miners = await made(app, 'Miners');
      await ask(app, 'POST', '/watchlist', { symbol: 'BHP', list: miners });
      expect((await ask(app, 'DELETE', '/watchlist/1')).status).toBe(200);
      expect(await alertsOf(app)).toHaveLength(1);
      expect((await ask(app, 'DELETE', `/watchlists/${miners}`)).status).toBe(200);
      expect(await alertsOf(app)).toEqual([]);
      expect((await listsOf(app)).map(({ name }) => name)).toEqual(['My list']);
    }));

  test('are renamed and put in another order', () =>
    withListed(async (app) => {
      const ids = [await made(app, 'A'), await made(app, 'B'), await made(app, 'C')];
      await ask(app, 'PATCH', `/watchlists/${ids[2]}`, { name: 'Z', position: 0 });
      expect((await listsOf(app)).map(({ name }) => name)).toEqual(['Z', 'A', 'B']);
      await ask(app, 'PATCH', `/watchlists/${ids[2]}`, { position: 9 });
      expect((await listsOf(app)).map(({ name }) => name)).toEqual(['A', 'B', 'Z']);
    }));

  test('what can’t be is refused with a sentence', () =>
    withListed(async (app) => {
      const id = await made(app, 'Miners');
      const refusal = async (method: Method, url: string, body?: unknown) => {
        const { status, json } = await ask(app, method, url, body);
        return [status, json.error];
      };
      expect(await refusal('POST', '/watchlists', { name: ' ' })).toEqual([400, 'Give the list a name.']);
      expect(await refusal('POST', '/watchlists', { name: 'miners' })).toEqual([
        400,
        'You already have a list called “miners”. Choose another name.',
      ]);
      expect(await refusal('POST', '/watchlists', { name: 'x'.repeat(41) })).toEqual([
        400,
        'The name of a list has at most 40 characters.',
      ]);
      expect(await refusal('DELETE', `/watchlists/${id}`)).toEqual([
        400,
        'This is your only list. Add another before you delete it.',
      ]);
      for (let count = 1; count < MAX_WATCHLISTS; count += 1) await made(app, `L${count}`);
      expect(await refusal('POST', '/watchlists', { name: 'One more' })).toEqual([
        400,
        'You already have 20 lists. Delete one before you add another.',
      ]);
    }));

  test('nobody else’s list or item can be reached', () =>
    withListed(async (app) => {
      const id = await made(app, 'Miners');
      await ask(app, 'POST', '/watchlist', { symbol: 'BHP', list: id });
      const statuses = await Promise.all([
        ask(app, 'GET', `/watchlist?list=${id}`, undefined, 'premium'),
        ask(app, 'POST', '/watchlist', { symbol: 'BHP', list: id }, 'premium'),
        ask(app, 'PATCH', `/watchlists/${id}`, { name: 'Mine' }, 'premium'),
        ask(app, 'DELETE', `/watchlists/${id}`, undefined, 'premium'),
        ask(app, 'PATCH', '/watchlist/1', { note: 'x' }, 'premium'),
      ]);
      expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    }));
});

describe('a note and a target', () => {
  test('are kept beside the symbol, each by itself', () =>
    withListed(async (app) => {
      await ask(app, 'POST', '/watchlist', { symbol: 'BHP' });
      await ask(app, 'PATCH', '/watchlist/1', { note: ' Results on Tuesday ' });
      const { json } = await ask(app, 'PATCH', '/watchlist/1', { target: 52.5 });
      expect(json).toMatchObject({ symbol: 'BHP', note: 'Results on Tuesday', target: 52.5 });
      expect((await ask(app, 'PATCH', '/watchlist/1', { note: '', target: null })).json).toMatchObject({
        note: null,
        target: null,
      });
    }));

  test.each([
    [{ target: 0 }, 'A target is a price above 0, at most 1,000,000.'],
    [{ target: -1 }, 'A target is a price above 0, at most 1,000,000.'],
    [{ note: 'x'.repeat(201) }, 'The note on a symbol has at most 200 characters.'],
    [{ note: 'a\nb' }, 'The note on a symbol is one line of plain text, without invisible characters.'],
  ])('%j is refused', (body, error) =>
    withListed(async (app) => {
      await ask(app, 'POST', '/watchlist', { symbol: 'BHP' });
      const { status, json } = await ask(app, 'PATCH', '/watchlist/1', body);
      expect([status, json.error]).toEqual([400, error]);
    }),
  );

  test('the way to a target is in percent of the price that counts now', () => {
    const trading = aStock({ last: 50, match_price: 40, status: 'Open' });
    expect(toTarget(trading, 55)).toBeCloseTo(10);
    expect(toTarget({ ...trading, status: 'Pre Open' }, 36)).toBeCloseTo(-10);
    expect(toTarget(trading, null)).toBeNull();
    expect(toTarget(null, 55)).toBeNull();
    expect(toTarget({ ...trading, last: null }, 55)).toBeNull();
  });
});

test('what was watched before there were lists goes into one of each user', () => {
  const db = new Database(':memory:');
  db.run('CREATE TABLE users (id integer PRIMARY KEY)');
  db.run('INSERT INTO users VALUES (1), (2), (3)');
  db.run(
    'CREATE TABLE watchlist_items (id integer PRIMARY KEY AUTOINCREMENT NOT NULL, user_id integer NOT NULL, symbol text NOT NULL, created_at integer NOT NULL)',
  );
  db.run('CREATE UNIQUE INDEX watchlist_items_symbol ON watchlist_items (user_id, symbol)');
  db.run("INSERT INTO watchlist_items VALUES (4, 1, 'BHP', 10), (5, 2, 'BHP', 20), (9, 1, 'CBA', 5)");
  const sql = readFileSync(new URL('../../../../migrations/0026_watchlists.sql', import.meta.url), 'utf8');
  for (const statement of sql.split('--> statement-breakpoint')) db.run(statement);
  expect(
    db
      .query(
        'SELECT i.id, i.user_id, i.symbol, l.name, l.position, l.created_at FROM watchlist_items i JOIN watchlists l ON l.id = i.list_id AND l.user_id = i.user_id ORDER BY i.id',
      )
      .values(),
  ).toEqual([
    [4, 1, 'BHP', 'My list', 0, 5],
    [5, 2, 'BHP', 'My list', 0, 20],
    [9, 1, 'CBA', 'My list', 0, 5],
  ]);
  db.close();
});

test('an item says how many of its alerts are on until the open', () =>
  withListed(async (app) => {
    const lhs = { type: 'field', key: 'match_price' };
    const logic_json = { op: 'AND', conditions: [{ lhs, op: '>', rhs: { type: 'number', value: 50 } }] };
    const made = await ask(app, 'POST', '/alerts', { symbol: 'BHP', logic_json });
    expect(made.json).toMatchObject({ until_open: true });
    await addAlert(app);
    const itemsOf = async () => (await ask(app, 'GET', '/watchlist')).json.items;
    expect(await itemsOf()).toMatchObject([{ symbol: 'BHP', alertCount: 2, untilOpen: 1 }]);
    await ask(app, 'PATCH', `/alerts/${Number(made.json.id)}`, { active: false });
    expect(await itemsOf()).toMatchObject([{ alertCount: 2, untilOpen: 0 }]);
  }));
