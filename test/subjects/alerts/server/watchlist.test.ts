import { describe, expect, test } from 'bun:test';
import { MAX_WATCHED, MAX_WATCHLISTS, toTarget } from '#subjects/alerts/rules/watchlist.ts';
import { addAlert, ALERT, alertsOf, watchlistOf, withListed } from '#support/alertsApp.ts';
import { list } from '#support/callsApp.ts';
import { createTestApp, type TestApp } from '#support/testApp.ts';
import { aStock } from '#support/aStock.ts';

const post = (app: TestApp, symbol: string) =>
  app.request('POST', '/api/watchlist', { as: 'free', body: { symbol } });

describe('POST /api/watchlist', () => {
  test('accepts a listed symbol in lower case with spaces', () =>
    withListed(async (app) => {
      expect((await post(app, ' bhp ')).json).toEqual({
        id: 1,
        symbol: 'BHP',
        alertCount: 0,
        untilOpen: 0,
        listId: 1,
        note: null,
        target: null,
      });
      const refused = await post(app, 'ZZZ');
      const error = 'Select a symbol from the live list';
      expect([refused.status, refused.json]).toEqual([400, { error, field: 'symbol' }]);
      app.parts.market.service.remove(['BHP', 'CBA']);
      const early = await post(app, 'CBA');
      const none = 'Live symbol list unavailable. Try again shortly.';
      expect([early.status, early.json]).toEqual([400, { error: none, field: 'symbol' }]);
    }));

  test('refuses one symbol too many, but not a known one', () =>
    withListed(async (app) => {
      const codes = Array.from({ length: MAX_WATCHED + 1 }, (_, index) => `Q${100 + index}`);
      app.source.apply(codes.map((code) => ({ code, last: 1 })));
      for (const code of codes.slice(0, MAX_WATCHED)) {
        app.parts.watchlist.service.put((await app.user('free')).id, code);
      }
      const refused = await post(app, codes.at(-1) ?? '');
      const error = '“My list” already has 200 symbols. Remove one first, or choose another list.';
      expect([refused.status, refused.json]).toEqual([400, { error, field: 'symbol' }]);
      expect((await post(app, 'Q100')).status).toBe(200);
      // The alert would add its symbol to the list, so it is refused entirely.
      expect((await app.request('POST', '/api/alerts', { as: 'free', body: ALERT })).status).toBe(400);
      expect(await alertsOf(app)).toEqual([]);
    }));
});

describe('DELETE /api/watchlist', () => {
  test('removes a symbol with its alerts, only for its owner', () =>
    withListed(async (app) => {
      await addAlert(app);
      await addAlert(app, { symbol: 'CBA' });
      await addAlert(app, {}, 'premium');
      const [item] = await watchlistOf(app);
      expect(item).toMatchObject({ symbol: 'BHP', alertCount: 1 });
      const removed = await app.request('DELETE', `/api/watchlist/${item?.id}`, { as: 'free' });
      expect([removed.status, removed.json]).toEqual([200, { success: true }]);
      expect((await alertsOf(app)).map(({ symbol }) => symbol)).toEqual(['CBA']);
      expect(await watchlistOf(app)).toEqual([{ id: 2, symbol: 'CBA', alertCount: 1 }]);
      expect(await alertsOf(app, 'premium')).toHaveLength(1);
      for (const [id, status] of [
        [item?.id, 404],
        ['all', 400],
      ] as const) {
        expect((await app.request('DELETE', `/api/watchlist/${id}`, { as: 'free' })).status).toBe(status);
      }
    }));

  test('removes nothing if a part of it fails', async () => {
    const app = createTestApp();
    list(app);
    await addAlert(app);
    app.parts.watchlist.service.listen({
      removing: () => {
        throw new Error('It does not work.');
      },
    });
    expect((await app.request('DELETE', '/api/watchlist/1', { as: 'free' })).status).toBe(500);
    expect(await alertsOf(app)).toHaveLength(1);
    expect(await watchlistOf(app)).toHaveLength(1);
    app.close();
  });
});

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
  test('are created with the first symbol, and can share symbols', () =>
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

  test('keep an alert while any list has its symbol', () =>
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

  test('are renamed and reordered', () =>
    withListed(async (app) => {
      const ids = [await made(app, 'A'), await made(app, 'B'), await made(app, 'C')];
      await ask(app, 'PATCH', `/watchlists/${ids[2]}`, { name: 'Z', position: 0 });
      expect((await listsOf(app)).map(({ name }) => name)).toEqual(['Z', 'A', 'B']);
      await ask(app, 'PATCH', `/watchlists/${ids[2]}`, { position: 9 });
      expect((await listsOf(app)).map(({ name }) => name)).toEqual(['A', 'B', 'Z']);
    }));

  test('refuse invalid requests with a message', () =>
    withListed(async (app) => {
      const id = await made(app, 'Miners');
      const refusal = async (method: Method, url: string, body?: unknown) => {
        const { status, json } = await ask(app, method, url, body);
        return [status, json.error];
      };
      expect(await refusal('POST', '/watchlists', { name: ' ' })).toEqual([
        400,
        'Enter a name for the list.',
      ]);
      expect(await refusal('POST', '/watchlists', { name: 'miners' })).toEqual([
        400,
        'You already have a list called “miners”. Choose another name.',
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

  test('and their items are accessible only to their owner', () =>
    withListed(async (app) => {
      const id = await made(app, 'Miners');
      await ask(app, 'POST', '/watchlist', { symbol: 'BHP', list: id });
      const statuses = await Promise.all([
        ask(app, 'GET', `/watchlist?list=${id}`, undefined, 'premium'),
        ask(app, 'POST', '/watchlist', { symbol: 'BHP', list: id }, 'premium'),
        ask(app, 'PATCH', `/watchlists/${id}`, { name: 'Mine' }, 'premium'),
        ask(app, 'DELETE', `/watchlists/${id}`, undefined, 'premium'),
        ask(app, 'PATCH', '/watchlist/1', { note: 'x' }, 'premium'),
        ask(app, 'DELETE', '/watchlist/1', undefined, 'premium'),
      ]);
      expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
      expect(await watchlistOf(app)).toHaveLength(1);
    }));
});

describe('a note and a target', () => {
  test.each([
    [{ target: 0 }, 'The target must be a price above 0 and at most 1,000,000.'],
    [{ note: 'x'.repeat(201) }, 'The note on a symbol has at most 200 characters.'],
    [{ note: 'a\nb' }, 'The note on a symbol must be one line of plain text without invisible characters.'],
  ])('%j is refused', (body, error) =>
    withListed(async (app) => {
      await ask(app, 'POST', '/watchlist', { symbol: 'BHP' });
      const { status, json } = await ask(app, 'PATCH', '/watchlist/1', body);
      expect([status, json.error]).toEqual([400, error]);
    }),
  );

  test('the distance to a target is in percent of the current price', () => {
    const trading = aStock({ last: 50, match_price: 40, status: 'Open' });
    expect(toTarget(trading, 55)).toBeCloseTo(10);
    expect(toTarget({ ...trading, status: 'Pre Open' }, 36)).toBeCloseTo(-10);
    expect(toTarget(trading, null)).toBeNull();
    expect(toTarget(null, 55)).toBeNull();
    expect(toTarget({ ...trading, last: null }, 55)).toBeNull();
  });
});
