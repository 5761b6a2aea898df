import { calls as callsTable, users } from '#platform/db/schema.ts';
import { NO_ADJUSTMENTS } from '#market/splits.ts';
import { openMemoryDb } from '#platform/db/open.ts';
import { Calls } from '#subjects/calls/server/service.ts';
import { createMarket } from '#market/market.ts';
import { pastOf } from '#support/pastOf.ts';
import { createTestApp } from '#support/testApp.ts';
import { percentile, type Row } from './row.ts';
import { createLog } from '#lib/log.ts';
import { createBenchSource } from './support/source.ts';
import { appOf, standIn } from '#support/appOf.ts';

const LEADERBOARD_LIMIT_MS = 10;
const TICK_LIMIT_MS = 2;
const DAY_MS = 86_400_000;
const CHANGED_EVERY = 20;

export async function run(): Promise<Row[]> {
  return [await leaderboard(500, 10_000), await leaderboard(200, 200_000), ...tracker()];
}

async function leaderboard(submitters: number, calls: number): Promise<Row> {
  const app = createTestApp();
  app.source.apply([{ code: 'BHP', name: 'BHP GROUP', status: 'Open', last: 40, close: 40, volume: 1 }]);
  const now = app.clock.now();
  app.db.transaction(() => {
    for (let user = 1; user <= submitters; user += 1) {
      const name = `trader${user}`;
      app.db
        .insert(users)
        .values({ username: name, usernameKey: name, passwordHash: '-', createdAt: 0 })
        .run();
    }
    for (let call = 0; call < calls; call += 1) {
      app.db
        .insert(callsTable)
        .values(storedCall(call, { now, source: app.source.name, submitters, of: calls }))
        .run();
    }
  });
  app.parts.calls.start();
  const headers = { 'accept-encoding': 'gzip' };
  const taken: number[] = [];
  let bytes = 0;
  for (let request = 0; request < 1000; request += 1) {
    if (request % CHANGED_EVERY === 0) submitOne(app, request, submitters);
    app.clock.advance(100);
    const before = performance.now();
    const answer = await app.open('GET', '/api/calls/leaderboard', { headers });
    bytes = (await answer.arrayBuffer()).byteLength;
    taken.push(performance.now() - before);
  }
  app.close();
  const p95 = percentile(taken, 0.95);
  const worst = Math.max(...taken);
  return {
    what: `Leaderboard of ${calls.toLocaleString('en-AU')} calls and ${submitters} submitters, p95`,
    measured: `${p95.toFixed(2)} ms (worst ${worst.toFixed(1)} ms, ${(bytes / 1024).toFixed(0)} kB gzip)`,
    target: `≤ ${LEADERBOARD_LIMIT_MS} ms`,
    ok: p95 <= LEADERBOARD_LIMIT_MS,
  };
}

function storedCall(
  index: number,
  { now, source, submitters, of }: { now: number; source: string; submitters: number; of: number },
): typeof callsTable.$inferInsert {
  const submittedAt = now - ((index * 7919) % of) * 60_000;
  // A submitter with many calls has few open ones.
  const isClosed = index % 5 !== 0 || index >= 10_000;
  return {
    publicId: `bench-${index}`,
    userId: 1 + (index % submitters),
    symbol: `S${index % 400}`,
    source,
    callType: 'bought',
    status: isClosed ? 'closed' : 'open',
    entryPrice: 1 + (index % 97) / 10,
    targetPrice: 20,
    stopLossType: 'HARD',
    stopLoss: 0.5,
    submittedAt,
    priceAtSubmission: 1,
    filledAt: submittedAt,
    entryTradeAt: submittedAt,
    entryTradePrice: 1,
    exitTradeAt: isClosed ? submittedAt + DAY_MS / 2 : null,
    exitTradePrice: isClosed ? 1.2 : null,
    watch: isClosed ? null : openWatch(submittedAt),
    best: 2,
    worst: 0.9,
    closedAt: isClosed ? submittedAt + DAY_MS / 2 : null,
    priceAtClose: isClosed ? 1.2 : null,
    pocketedValue: isClosed ? (index % 300) - 100 : null,
    verifiedPercent: isClosed ? (index % 41) - 18 : null,
  };
}

function openWatch(time: number): Record<string, unknown> {
  const quote = { date: '2026-11-17', open: 1, high: 2, low: 0.9, last: 1.1, volume: 1, close: 1 };
  return { quote, time, takenAt: time, trade: { price: 1.1, date: quote.date, close: 1 }, doubt: null };
}

function submitOne(app: ReturnType<typeof createTestApp>, turn: number, submitters: number): void {
  const place = 1 + ((turn / CHANGED_EVERY) % submitters);
  const user = { id: place, username: `trader${place}` };
  app.parts.calls.service.submit(user, {
    symbol: 'BHP',
    callType: 'bought',
    entryPrice: 40,
    targetPrice: 41,
    stopLossType: 'NONE',
    stopLoss: null,
  });
}

/** Measures 2,000 open calls on 600 stocks that trade in every tick; some fill or reach their target. */
function tracker(): Row[] {
  const time = { now: Date.UTC(2026, 10, 18, 0) };
  const clock = { now: () => time.now, monotonic: () => time.now, speed: 1 };
  const source = createBenchSource(clock, clock);
  const db = openMemoryDb();
  const market = createMarket({ clock });
  const calls = new Calls(
    appOf({
      db,
      clock,
      source,
      log: createLog(() => {}),
      market: standIn(market),
      randomToken: () => '',
      alerts: { notifier: standIn({ callsChanged: () => {} }) },
      audit: { record: () => {} },
      values: { ...pastOf(), adjustments: NO_ADJUSTMENTS },
    }),
  );
  const codes = Array.from({ length: 600 }, (_, index) => `S${index}`);
  let volume = 1000;
  const prices = codes.map((_, index) => 1 + index / 100);
  const trade = (): void => {
    volume += 100;
    market.apply(
      codes.map((code, index) => {
        const last =
          Math.round((prices[index] ?? 1) * (1 + Math.sin(volume * 0.013 + index) * 0.02) * 1000) / 1000;
        return { code, status: 'Open' as const, last, volume };
      }),
    );
  };
  trade();
  market.flush();
  db.insert(users).values({ username: 'a', usernameKey: 'a', passwordHash: '-', createdAt: 0 }).run();
  for (let call = 0; call < 2000; call += 1) {
    const price = prices[call % 600] ?? 1;
    const stored = storedCall(call * 5, { now: time.now, source: source.name, submitters: 1, of: 10_000 });
    const levels = {
      entryPrice: price,
      targetPrice: price * (1.01 + (call % 30) / 500),
      stopLoss: price * 0.9,
    };
    db.insert(callsTable)
      .values({
        ...stored,
        ...levels,
        publicId: `t-${call}`,
        userId: 1,
        symbol: codes[call % 600] ?? '',
        status: call % 3 === 0 ? 'pending' : 'open',
        callType: call % 3 === 0 ? 'buy' : 'bought',
        filledAt: call % 3 === 0 ? null : time.now,
        watch: null,
        highest: call % 3 === 0 ? null : price,
        stopLossType: call % 2 === 0 ? 'HARD' : 'TRAILING_PCT',
      })
      .run();
  }
  calls.resume();
  const taken: number[] = [];
  for (let tick = 0; tick < 620; tick += 1) {
    time.now += 1000;
    trade();
    const changes = market.flush();
    const before = performance.now();
    calls.update(codes);
    calls.track(changes);
    if (tick >= 20) taken.push(performance.now() - before);
  }
  db.$client.close();
  const mean = taken.reduce((sum, value) => sum + value, 0) / taken.length;
  const p95 = percentile(taken, 0.95);
  const figures = `${mean.toFixed(2)} ms mean, ${percentile(taken, 0.5).toFixed(2)} median, worst`;
  return [
    {
      what: 'Tick of the call tracker, 2,000 calls, 600 stocks changed, p95',
      measured: `${p95.toFixed(2)} ms (${figures} ${Math.max(...taken).toFixed(1)} ms)`,
      target: `≤ ${TICK_LIMIT_MS} ms`,
      ok: p95 <= TICK_LIMIT_MS,
    },
  ];
}
