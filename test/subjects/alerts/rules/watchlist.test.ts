import { describe, expect, test } from 'bun:test';
import { MAX_WATCHED } from '../../../../src/subjects/alerts/rules/watchlist.ts';
import { addAlert, alertsOf, watchlistOf, withListed } from '../../../support/alertsApp.ts';
import { list } from '../../../support/callsApp.ts';
import { scenarios } from '../../../support/scenario.ts';
import { createTestApp } from '../../../support/testApp.ts';

const add = { method: 'POST', url: '/api/watchlist', setup: list } as const;

describe('POST /api/watchlist', () => {
  scenarios([
    { ...add, name: 'guest', body: { symbol: 'BHP' }, status: 401 },
    ...(['free', 'basic', 'premium', 'admin'] as const).map((as) => ({
      ...add,
      name: `${as} user adds a symbol, typed with spaces in lower case`,
      as,
      body: { symbol: ' bhp ' },
      status: 200,
      json: { id: 1, symbol: 'BHP', alertCount: 0, untilOpen: 0, listId: 1, note: null, target: null },
    })),
    {
      ...add,
      name: 'a symbol that is not listed',
      as: 'free',
      body: { symbol: 'ZZZ' },
      status: 400,
      json: { error: 'Select a symbol from the live list', field: 'symbol' },
    },
    {
      name: 'while nothing is listed',
      method: 'POST',
      url: '/api/watchlist',
      as: 'free',
      body: { symbol: 'BHP' },
      status: 400,
      json: { error: 'Live symbol list unavailable. Try again shortly.', field: 'symbol' },
    },
    ...[{}, { symbol: '' }, { symbol: 'x'.repeat(41) }, { symbol: '__proto__' }].map((body) => ({
      ...add,
      name: `what is no symbol: ${JSON.stringify(body).slice(0, 40)}`,
      as: 'free' as const,
      body,
      status: 400,
      json: { error: 'Select a symbol from the live list', field: 'symbol' },
    })),
    ...[{ symbol: 5 }, { symbol: null }, { symbol: ['BHP'] }].map((body) => ({
      ...add,
      name: `a symbol of another type: ${JSON.stringify(body)}`,
      as: 'free' as const,
      body,
      status: 400,
    })),
  ]);

  test('what is there already is answered as it is, also when it is not listed any more', () =>
    withListed(async (app) => {
      await addAlert(app);
      app.parts.market.service.remove(['BHP']);
      const again = await app.request('POST', '/api/watchlist', { as: 'free', body: { symbol: 'bhp' } });
      expect([again.status, again.json]).toEqual([
        200,
        { id: 1, symbol: 'BHP', alertCount: 1, untilOpen: 0, listId: 1, note: null, target: null },
      ]);
      expect(await watchlistOf(app)).toHaveLength(1);
    }));

  test('one symbol too many is refused with a sentence, a known one is not', () =>
    withListed(async (app) => {
      const codes = Array.from({ length: MAX_WATCHED + 1 }, (_, index) => `Q${100 + index}`);
      app.source.give(codes.map((code) => ({ code, last: 1 })));
      for (const code of codes.slice(0, MAX_WATCHED)) {
        app.parts.watchlist.service.put((await app.user('free')).id, code);
      }
      const post = (symbol: string) =>
        app.request('POST', '/api/watchlist', { as: 'free', body: { symbol } });
      const refused = await post(codes.at(-1) ?? '');
      expect([refused.status, refused.json]).toEqual([
        400,
        {
          error: '“My list” already has 200 symbols. Remove one first, or choose another list.',
          field: 'symbol',
        },
      ]);
      expect((await post('Q100')).status).toBe(200);
      // An alert would put its symbol on the list: it is refused whole.
      const alert = {
        symbol: 'BHP',
        logic_json: { op: 'AND', conditions: [{ lhs: 'last', op: '>', rhs: 1 }] },
      };
      expect((await app.request('POST', '/api/alerts', { as: 'free', body: alert })).status).toBe(400);
      expect(await alertsOf(app)).toEqual([]);
    }));
});

describe('GET and DELETE /api/watchlist', () => {
  scenarios([
    { name: 'guest', method: 'GET', url: '/api/watchlist', status: 401 },
    {
      name: 'a new user',
      method: 'GET',
      url: '/api/watchlist',
      as: 'free',
      status: 200,
      json: { items: [] },
    },
    { name: 'guest removes', method: 'DELETE', url: '/api/watchlist/1', status: 401 },
    { name: 'what is not there', method: 'DELETE', url: '/api/watchlist/1', as: 'free', status: 404 },
    { name: 'what is no id', method: 'DELETE', url: '/api/watchlist/all', as: 'free', status: 400 },
    {
      name: 'what is another user’s',
      method: 'DELETE',
      url: '/api/watchlist/1',
      as: 'premium',
      setup: async (app) => {
        list(app);
        await addAlert(app);
      },
      status: 404,
      after: async (app) => {
        if ((await watchlistOf(app)).length !== 1) throw new Error('It was removed.');
      },
    },
  ]);

  test('everybody has their own, by symbol', () =>
    withListed(async (app) => {
      for (const symbol of ['CBA', 'BHP']) {
        await app.request('POST', '/api/watchlist', { as: 'free', body: { symbol } });
      }
      await app.request('POST', '/api/watchlist', { as: 'admin', body: { symbol: 'BHP' } });
      expect((await watchlistOf(app)).map(({ symbol }) => symbol)).toEqual(['BHP', 'CBA']);
      expect((await watchlistOf(app, 'admin')).map(({ symbol }) => symbol)).toEqual(['BHP']);
      expect(await watchlistOf(app, 'premium')).toEqual([]);
    }));

  test('a symbol goes with its alerts, and only with the owner’s', () =>
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
    }));

  test('nothing of it is removed when a part of it fails', async () => {
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

test('a user may change the watchlist 120 times a minute', () =>
  withListed(async (app) => {
    const post = (as: 'free' | 'basic') =>
      app.request('POST', '/api/watchlist', { as, body: { symbol: 'BHP' } });
    for (let index = 0; index < 120; index += 1) expect((await post('free')).status).toBe(200);
    const refused = await post('free');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(refused.json).toEqual({ error: 'Too many changes to your watchlist. Try again in 1 minute.' });
    expect((await post('basic')).status).toBe(200);
    app.clock.advance(60_001);
    expect((await post('free')).status).toBe(200);
  }));
