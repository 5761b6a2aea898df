import { describe, expect, test } from 'bun:test';
import { board, BOUGHT, list, mine, submit, trade } from '../../../support/callsApp.ts';
import { scenarios } from '../../../support/scenario.ts';
import { createTestApp } from '../../../support/testApp.ts';

describe('GET /calls/leaderboard', () => {
  scenarios([
    {
      name: 'guest, nothing submitted yet',
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
      name: 'a token that is not good is refused',
      method: 'GET',
      url: '/api/calls/leaderboard',
      as: { token: 'forged' },
      status: 401,
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

  test('counts by submitter, and follows what happens', async () => {
    const app = createTestApp();
    list(app);
    const first = await submit(app);
    await submit(app, 'free', { callType: 'buy', entryPrice: 35 });
    await submit(app, 'basic', { symbol: 'CBA' });
    trade(app, 'BHP', 40);
    trade(app, 'BHP', 42);
    await app.request('POST', `/api/calls/${first}/close`, { as: 'free', body: { pocketedValue: 150.5 } });
    trade(app, 'BHP', 42);
    const { calls, leaderboard } = await board(app);
    expect(leaderboard.find((entry) => entry.submitter.display === 'free')?.metrics).toMatchObject({
      total: 2,
      pending: 1,
      open: 0,
      closed: 1,
      cancelled: 0,
      pocketedValue: 150.5,
      averagePocketed: 150.5,
      verified: 1,
      wins: 1,
      winRate: 100,
      rank: null,
    });
    expect(calls.map((call) => [call.symbol, call.status, call.submittedBy.display]).sort()).toEqual([
      ['BHP', 'closed', 'free'],
      ['BHP', 'pending', 'free'],
      ['CBA', 'open', 'basic'],
    ]);
    const closed = calls.find((call) => call.status === 'closed');
    expect(closed?.verified).toEqual({
      percent: 5,
      bestPercent: 5,
      worstPercent: 0,
      daysOpen: 0,
      entryPrice: 40,
      exitPrice: 42,
    });
    app.close();
  });

  test('is compressed for who takes it, and the same either way', async () => {
    const app = createTestApp();
    list(app);
    await submit(app);
    const packed = await app.open('GET', '/api/calls/leaderboard', {
      headers: { 'accept-encoding': 'br, gzip' },
    });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('content-type')).toContain('application/json');
    const plain = await app.open('GET', '/api/calls/leaderboard', {
      headers: { 'accept-encoding': 'gzip;q=0, br' },
    });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const bytes = new Uint8Array(await packed.arrayBuffer());
    expect(JSON.parse(new TextDecoder().decode(Bun.gunzipSync(bytes)))).toEqual(await board(app));
    app.close();
  });

  test('is not read again while nothing changes, though its time moves on', async () => {
    const app = createTestApp();
    list(app);
    await submit(app);
    const before = await board(app);
    app.db.$client.run("UPDATE calls SET symbol = 'XXX'");
    app.clock.advance(5000);
    const after = await board(app);
    expect(after.calls).toEqual(before.calls);
    expect(after.fetchedAt).toBe(before.fetchedAt + 5000);
    await submit(app);
    expect((await board(app)).calls.map((call) => call.symbol).sort()).toEqual(['BHP', 'XXX']);
    app.close();
  });
});

describe('GET /calls/mine', () => {
  scenarios([
    { name: 'guest', method: 'GET', url: '/api/calls/mine', status: 401 },
    {
      name: 'free user with calls of somebody else',
      method: 'GET',
      url: '/api/calls/mine',
      as: 'free',
      setup: async (app) => {
        list(app);
        await submit(app, 'basic');
      },
      status: 200,
      json: { calls: [] },
    },
  ]);
  test('tells where the stop stands and what was reached', async () => {
    const app = createTestApp();
    list(app);
    const publicId = await submit(app, 'free', { stopLossType: 'TRAILING_PCT', stopLoss: 5 });
    trade(app, 'BHP', 45);
    const reachedAt = new Date(app.clock.now()).toISOString();
    expect(await mine(app)).toMatchObject([
      {
        publicId,
        status: 'open',
        priceAtSubmission: 40,
        highestSinceFill: 45,
        stopLevel: 42.75,
        targetReached: { at: reachedAt, price: 45 },
        stopReached: null,
      },
    ]);
    app.close();
  });
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
    {
      name: 'guest with a bad body hears only that',
      method: 'POST',
      url: '/api/calls',
      body: {},
      status: 401,
    },
    refused('no symbol', { symbol: ' ' }, 'symbol', 'Symbol is required'),
    refused('unknown symbol', { symbol: 'ZZZ' }, 'symbol', 'Select a symbol from the live list'),
    refused('no entry', { entryPrice: null }, 'entryPrice', 'Entry price must be positive'),
    refused('negative target', { targetPrice: -4 }, 'targetPrice', 'Target price must be positive'),
    refused(
      'target at entry',
      { targetPrice: 40 },
      'targetPrice',
      'Target price must be higher than the entry price',
    ),
    refused('no stop value', { stopLoss: null }, 'stopLoss', 'Stop loss value must be positive'),
    refused('stop at entry', { stopLoss: 40 }, 'stopLoss', 'Stop loss must differ from entry price'),
    refused(
      'more than all',
      { stopLossType: 'TRAILING_PCT', stopLoss: 101 },
      'stopLoss',
      'Trailing stop percentage must be 100 or less',
    ),
    refused(
      'another stop type',
      { stopLossType: 'SOFT' },
      'stopLossType',
      'The stop loss type is one of NONE, HARD, TRAILING_ABS, TRAILING_PCT',
    ),
    refused('another call type', { callType: 'sell' }, 'callType', 'The type of a call is buy or bought'),
    refused('no call type', { callType: undefined }, 'callType', 'The type of a call is buy or bought'),
    refused('a text for a price', { entryPrice: '40' }, 'entryPrice', 'Entry price must be positive'),
    refused('a list for a price', { targetPrice: [50] }, 'targetPrice', 'Target price must be positive'),
    { ...refused('nothing at all', {}, 'symbol', 'Symbol is required'), body: {} },
    refused('absurd price', { targetPrice: 2e6 }, 'targetPrice', 'Target price must be $1,000,000 or less'),
    {
      ...refused('no live list', {}, 'symbol', 'Live symbol list unavailable. Try again shortly.'),
      setup: () => {},
    },
    {
      name: 'free user submits; the server stamps time and price, and drops the value of no stop',
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

  test('at most 3 pending or open calls on a symbol', async () => {
    const app = createTestApp();
    list(app);
    const ids = [await submit(app), await submit(app), await submit(app)];
    const refusedFourth = await app.request('POST', '/api/calls', { as: 'free', body: BOUGHT });
    expect(refusedFourth.status).toBe(429);
    expect(refusedFourth.text).toContain('3 pending or open calls on BHP');
    expect(refusedFourth.json).toMatchObject({ field: 'symbol' });
    await submit(app, 'free', { symbol: 'CBA' });
    await submit(app, 'basic');
    await app.request('POST', `/api/calls/${ids[0]}/cancel`, { as: 'free' });
    await submit(app);
    app.close();
  });

  test('at most 20 calls a Sydney day', async () => {
    const app = createTestApp();
    list(app);
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
    app.close();
  });
});

describe('POST /calls/{publicId}/close and /cancel', () => {
  scenarios([
    {
      name: 'guest closes',
      method: 'POST',
      url: '/api/calls/x/close',
      body: { pocketedValue: 1 },
      status: 401,
    },
    { name: 'guest cancels', method: 'POST', url: '/api/calls/x/cancel', status: 401 },
    {
      name: 'free user closes what is not there',
      method: 'POST',
      url: '/api/calls/x/close',
      as: 'free',
      body: { pocketedValue: 1 },
      status: 404,
    },
    {
      name: 'an id that is none',
      method: 'POST',
      url: `/api/calls/${'x'.repeat(500)}/cancel`,
      as: 'free',
      status: 404,
    },
  ]);

  const acts = [
    ['close', { pocketedValue: 5 }],
    ['cancel', {}],
  ] as const;
  for (const [act, body] of acts) {
    test(`another user, an administrator too, gets 404 on ${act}`, async () => {
      const app = createTestApp();
      list(app);
      const publicId = await submit(app);
      for (const as of ['basic', 'admin'] as const) {
        expect((await app.request('POST', `/api/calls/${publicId}/${act}`, { as, body })).status).toBe(404);
      }
      expect((await mine(app))[0]?.status).toBe('open');
      app.close();
    });

    for (const [first, firstBody] of acts) {
      test(`${act} after ${first} is 409 with a sentence and changes nothing`, async () => {
        const app = createTestApp();
        list(app);
        const publicId = await submit(app);
        await app.request('POST', `/api/calls/${publicId}/${first}`, { as: 'free', body: firstBody });
        const before = await mine(app);
        const again = await app.request('POST', `/api/calls/${publicId}/${act}`, { as: 'free', body });
        expect(again.status).toBe(409);
        expect(again.json).toEqual({ error: expect.stringMatching(/^This call was .+\.$/) });
        expect(await mine(app)).toEqual(before);
        app.close();
      });
    }
  }

  for (const value of [undefined, null, '12', Number.NaN, true]) {
    test(`closing with ${String(value)} (${typeof value}) is refused`, async () => {
      const app = createTestApp();
      list(app);
      const publicId = await submit(app);
      const body = { pocketedValue: value };
      const answer = await app.request('POST', `/api/calls/${publicId}/close`, { as: 'free', body });
      expect({ status: answer.status, json: answer.json }).toEqual({
        status: 400,
        json: { error: 'Enter a valid pocketed value before closing', field: 'pocketedValue' },
      });
      app.close();
    });
  }

  test('a plausible value is normal, an impossible one waits for review and counts for nothing until then', async () => {
    const app = createTestApp();
    list(app);
    const fine = await submit(app);
    const doubtful = await submit(app);
    await app.request('POST', `/api/calls/${doubtful}/close`, { as: 'free', body: { pocketedValue: 900 } });
    trade(app, 'BHP', 41);
    await app.request('POST', `/api/calls/${fine}/close`, { as: 'free', body: { pocketedValue: 100 } });
    const { calls, leaderboard } = await board(app, 'admin');
    expect(calls.find((call) => call.publicId === fine)?.adminStatus).toBe('normal');
    expect(calls.find((call) => call.publicId === doubtful)).toMatchObject({
      adminStatus: 'review',
      reviewReason: 'A gain was pocketed, but the price never traded above the entry.',
    });
    expect(leaderboard[0]?.metrics).toMatchObject({ total: 1, closed: 1, pocketedValue: 100 });
    app.close();
  });

  test('cancelling a filled call keeps its loss on the record, however soon', async () => {
    const app = createTestApp();
    list(app);
    const early = await submit(app);
    await app.request('POST', `/api/calls/${early}/cancel`, { as: 'free' });
    const late = await submit(app);
    trade(app, 'BHP', 40);
    trade(app, 'BHP', 36);
    await app.request('POST', `/api/calls/${late}/cancel`, { as: 'free' });
    trade(app, 'BHP', 36);
    const { calls, leaderboard } = await board(app);
    expect(calls.find((call) => call.publicId === early)?.verified).toBeNull();
    expect(calls.find((call) => call.publicId === late)?.verified?.percent).toBe(-10);
    expect(leaderboard[0]?.metrics).toMatchObject({ cancelled: 2, verified: 1, wins: 0, winRate: 0 });
    app.close();
  });
});
