import { beforeEach, describe, expect, test } from 'bun:test';
import { BOUGHT, list, mine, submit, trade } from '#support/callsApp.ts';
import { scenarios } from '#support/scenario.ts';
import { listenToAlerts } from '#support/alertStreamClient.ts';
import { eachApp } from '#support/eachApp.ts';

const app = eachApp();
beforeEach(() => list(app));

describe('GET /calls/leaderboard', () => {
  scenarios([
    {
      name: 'guest gets an empty board at first',
      method: 'GET',
      url: '/api/calls/leaderboard',
      status: 200,
      json: {
        calls: [],
        leaderboard: [],
        source: 'hand',
        otherLeaderboards: [],
        ledger: null,
        fetchedAt: Date.UTC(2026, 10, 18),
      },
    },
    {
      name: 'guest sees the call, but no id, no email and no moderation',
      method: 'GET',
      url: '/api/calls/leaderboard',
      setup: async (app) => {
        list(app);
        await submit(app);
      },
      status: 200,
      contains: ['"symbol":"BHP"', '"display":"free"'],
      absent: ['"id"', 'userId', 'adminStatus', 'reviewReason', 'password', 'seen', 'lastQuote'],
    },
  ]);
});

describe('POST /calls', () => {
  const refused = (name: string, change: object, field: string, error: string) => ({
    name,
    method: 'POST' as const,
    url: '/api/calls',
    as: 'free' as const,
    setup: list,
    body: { ...BOUGHT, ...change },
    status: 400,
    json: { error, field },
  });
  scenarios([
    refused('a fault of the rules', { stopLoss: 40 }, 'stopLoss', 'Stop loss must differ from entry price'),
    refused('no call type', { callType: undefined }, 'callType', 'The call type must be buy or bought'),
    refused('a text for a price', { entryPrice: '40' }, 'entryPrice', 'Entry price must be positive'),
    refused('a list for a price', { targetPrice: [50] }, 'targetPrice', 'Target price must be positive'),
    refused('a number for a rationale', { rationale: 7 }, 'rationale', expect.any(String) as never),
    { ...refused('nothing at all', {}, 'symbol', 'Symbol is required'), body: {} },
    {
      ...refused('no live list', {}, 'symbol', 'Live symbol list unavailable. Try again shortly.'),
      setup: () => {},
    },
    {
      name: 'free user submits; the server sets time and price, and drops the value if there is no stop',
      method: 'POST',
      url: '/api/calls',
      as: 'free',
      setup: list,
      body: { ...BOUGHT, stopLossType: 'NONE', submittedAt: 5, status: 'closed', pocketedValue: 1e6 },
      status: 200,
      after: async (app) => {
        expect(await mine(app)).toMatchObject([
          {
            symbol: 'BHP',
            callType: 'bought',
            status: 'open',
            stopLoss: null,
            priceAtSubmission: 40,
            pocketedValue: null,
            submittedAt: new Date(app.clock.now()).toISOString(),
          },
        ]);
      },
    },
  ]);

  test('allows at most 3 pending or open calls per symbol', async () => {
    const ids = [await submit(app), await submit(app), await submit(app)];
    const refusedFourth = await app.request('POST', '/api/calls', { as: 'free', body: BOUGHT });
    expect(refusedFourth.status).toBe(429);
    expect(refusedFourth.text).toContain('3 pending or open calls on BHP');
    expect(refusedFourth.json).toMatchObject({ field: 'symbol' });
    await submit(app, 'free', { symbol: 'CBA' });
    await submit(app, 'basic');
    await app.request('POST', `/api/calls/${ids[0]}/cancel`, { as: 'free' });
    await submit(app);
  });

  test('allows at most 20 calls per Sydney day', async () => {
    for (let count = 0; count < 20; count += 1) {
      const publicId = await submit(app);
      await app.request('POST', `/api/calls/${publicId}/cancel`, { as: 'free' });
    }
    const refusedLast = await app.request('POST', '/api/calls', { as: 'free', body: BOUGHT });
    expect({ status: refusedLast.status, json: refusedLast.json }).toEqual({
      status: 429,
      json: { error: 'You have submitted 20 calls today. Submit more tomorrow.' },
    });
    // 11:00 in Sydney: thirteen hours to midnight.
    app.clock.advance(13 * 3_600_000 - 1000);
    expect((await app.request('POST', '/api/calls', { as: 'free', body: BOUGHT })).status).toBe(429);
    app.clock.advance(1000);
    await submit(app);
  });
});

describe('POST /calls/{publicId}/close and /cancel', () => {
  test.each([
    ['close', { pocketedValue: 5 }],
    ['cancel', {}],
  ])('%s is allowed only for the owner, and once', async (act, body) => {
    const publicId = await submit(app);
    const ask = (path: string, as: 'free' | 'basic' | 'admin', sent: object = body) =>
      app.request('POST', `/api/calls/${publicId}/${path}`, { as, body: sent });
    for (const as of ['basic', 'admin'] as const) expect((await ask(act, as)).status).toBe(404);
    expect((await mine(app))[0]?.status).toBe('open');
    await ask(act, 'free');
    const before = await mine(app);
    for (const again of [await ask('close', 'free', { pocketedValue: 7 }), await ask('cancel', 'free', {})]) {
      expect(again.status).toBe(409);
      expect(again.json).toEqual({ error: expect.stringMatching(/^This call was .+\.$/) });
    }
    expect(await mine(app)).toEqual(before);
  });

  test('closing without a number is refused', async () => {
    const publicId = await submit(app);
    for (const pocketedValue of [undefined, null, '12', true]) {
      const options = { as: 'free' as const, body: { pocketedValue } };
      expect(await app.request('POST', `/api/calls/${publicId}/close`, options)).toMatchObject({
        status: 400,
        json: { error: 'Enter a valid pocketed value before closing', field: 'pocketedValue' },
      });
    }
  });
});

test('all windows of the owner are notified of changes of a call, and no others', async () => {
  const [own, other] = await Promise.all([
    listenToAlerts(app, await app.tokenOf(await app.user('free'))),
    listenToAlerts(app, await app.tokenOf(await app.user('basic'))),
  ]);
  const changed = () => own.account.filter(({ event }) => event === 'calls_changed').length;
  const publicId = await submit(app, 'free', { callType: 'buy', entryPrice: 35 });
  await own.until(() => changed() === 1);
  trade(app, 'BHP', 34);
  await own.until(() => changed() === 2);
  await app.request('POST', `/api/calls/${publicId}/close`, { as: 'free', body: { pocketedValue: 1 } });
  await own.until(() => changed() === 3);
  expect(other.account.map(({ event }) => event)).not.toContain('calls_changed');
});

test('a repeated key submits no second call, but another key or user does', async () => {
  const send = async (key: string, as: 'free' | 'basic' = 'free') => {
    const options = { as, body: BOUGHT, headers: { 'idempotency-key': key } };
    return ((await app.request('POST', '/api/calls', options)).json as { publicId: string }).publicId;
  };
  const first = await send('a-key-of-the-page');
  expect(await send('a-key-of-the-page')).toBe(first);
  expect(await mine(app)).toHaveLength(1);
  expect(await send('a-key-of-the-page', 'basic')).not.toBe(first);
  expect(await send('another-key')).not.toBe(first);
  // Too short to be unique, so it is ignored.
  expect(await send('a')).not.toBe(await send('a', 'basic'));
  expect(await mine(app)).toHaveLength(3);
  app.clock.advance(10 * 60_000);
  const later = await app.request('POST', '/api/calls', {
    as: 'free',
    body: { ...BOUGHT, symbol: 'CBA' },
    headers: { 'idempotency-key': 'a-key-of-the-page' },
  });
  expect((later.json as { publicId: string }).publicId).not.toBe(first);
});
