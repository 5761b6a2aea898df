import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { createMarket } from '../../../../src/market/market.ts';
import { startRecording } from '../../../../src/market/recording/live.ts';
import { openRecording } from '../../../../src/market/recording/open.ts';
import { Exchange } from '../../../../src/sources/quotes/simulator/exchange.ts';
import { createListings } from '../../../../src/sources/quotes/simulator/listings.ts';
import { createReplayedApp, type ReplayedApp } from '../../../support/replayedApp.ts';
import type { TestApp } from '../../../support/testApp.ts';

// The machine may be busy with other things.
setDefaultTimeout(120_000);

const DATE = '2026-01-19';
const at = (hour: number, minute: number, second = 0): number =>
  fromSydney(DATE, hour, minute) + second * 1000;
const FROM = at(9, 50);
const UNTIL = at(10, 14);
const EARLY = at(9, 57, 30);
const LATE = at(10, 11, 30);
const STEP_MS = 30_000;
const CODES = new Set(['BHP', 'CBA', 'CSL', 'WES', 'NAB', 'ANZ', 'RIO', 'TLS']);

const folder = mkdtempSync(join(tmpdir(), 'bellbird-test-'));
const path = join(folder, 'morning.bellbird');

/** A stretch of a simulated morning around the opening auction. */
beforeAll(async () => {
  let now = FROM;
  const listings = createListings().filter(({ code }) => CODES.has(code));
  const exchange = new Exchange({ seed: 1, listings });
  const market = createMarket({ clock: { now: () => now }, days: 'independent' });
  while (!exchange.ready(now)) market.apply(exchange.load(now, 500));
  market.flush();
  const source = { name: 'simulator', label: () => 'Simulated', days: 'independent' as const };
  const recording = await startRecording(path, {
    source: { ...source, delayMinutes: () => 0, clock: { now: () => now, speed: 1 } },
    market,
    stopwatch: { monotonic: () => now - FROM },
    releases: () => [],
    events: () => new Map(),
  });
  for (now += 2000; now <= UNTIL; now += 2000) {
    market.apply(exchange.advanceTo(now));
    recording.onChanges(market.flush());
  }
  expect(await recording.end()).toBeNull();
});

const running: TestApp[] = [];
afterAll(async () => {
  for (const app of running) {
    await app.parts.feed.stop();
    app.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<ReplayedApp> {
  const app = createReplayedApp(openRecording(path), { env: { BELLBIRD_TEST: '1' } });
  running.push(app);
  await app.parts.feed.start();
  app.tick.run();
  return app;
}

const lateMs = (app: TestApp): number =>
  Number((app.source.details?.() as Record<string, unknown> | undefined)?.['lateMs']);

function playTo(app: ReplayedApp, time: number): void {
  while (app.source.clock.now() < time) {
    app.play(Math.min(STEP_MS, time - app.source.clock.now()));
    expect(lateMs(app)).toBe(0);
    app.tick.run();
  }
}

async function jump(app: TestApp, time: number): Promise<void> {
  expect((await app.request('POST', '/api/replay/jump', { as: 'admin', body: { time } })).status).toBe(200);
}

const answer = async (app: TestApp, path: string): Promise<unknown> => {
  const { status, json } = await app.request('GET', `/api/data/${path}`, { as: 'admin' });
  expect(status).toBe(200);
  return json;
};

/** What the stream's snapshot tells of stocks, whichever number the market's change sets have. */
const stocksOf = (app: TestApp): unknown =>
  [...app.parts.market.service.all().values()]
    .map(({ indicators: _own, htf: _higher, ...stock }) => stock)
    .sort((a, b) => (a.code < b.code ? -1 : 1));

async function told(app: TestApp) {
  return {
    auction: await answer(app, 'auction?symbol=BHP'),
    events: await answer(app, 'day-events?symbol=BHP'),
    bars: await answer(app, 'bars?symbol=BHP&tf=1'),
    stocks: stocksOf(app),
  };
}

type Told = Awaited<ReturnType<typeof told>>;
const auctionTimes = ({ auction }: Told): number[] =>
  (auction as { columns: { time: number[] } }).columns.time;

describe('a market that jumped', () => {
  test('answers as it does when it was played there, forward and back', async () => {
    const played = await start();
    playTo(played, EARLY);
    const early = await told(played);
    playTo(played, LATE);
    const late = await told(played);
    // The answers say something, and not the same.
    expect(auctionTimes(early).length).toBeGreaterThan(2);
    expect(auctionTimes(late).length).toBeGreaterThan(auctionTimes(early).length);
    expect((late.events as { statuses: unknown[] }).statuses.length).toBeGreaterThan(1);
    expect((late.events as { auctions: unknown[] }).auctions).toMatchObject([{ kind: 'open' }]);

    const jumped = await start();
    await jump(jumped, LATE);
    expect(await told(jumped)).toEqual(late);
    await jump(jumped, EARLY);
    expect(await told(jumped)).toEqual(early);
    playTo(jumped, LATE);
    expect(await told(jumped)).toEqual(late);
  });

  test('has no minute on its tape that has not come yet, and tells it anew', async () => {
    const app = await start();
    playTo(app, LATE);
    const minutes = async (): Promise<unknown> => answer(app, 'tape/days');
    const before = await minutes();
    await jump(app, EARLY);
    const early = JSON.stringify(await minutes());
    expect(early).not.toBe(JSON.stringify(before));
    const ahead = await app.request('GET', '/api/data/tape?table=preMarket&time=10:05', { as: 'admin' });
    expect(ahead.json).not.toMatchObject({ time: '10:05' });
    playTo(app, LATE);
    expect(await minutes()).toEqual(before);
  });

  test('the marks of surpluses that changed sides are those of the moment', async () => {
    const app = await start();
    const marks = (): string[] =>
      [...app.parts.market.service.all().values()].flatMap(({ code, surplusFlip }) =>
        surplusFlip === undefined ? [] : [`${code} ${surplusFlip}`],
      );
    const seen = new Map<number, string[]>();
    for (let time = FROM + STEP_MS; time <= at(9, 58, 30); time += STEP_MS) {
      playTo(app, time);
      seen.set(time, marks());
    }
    await app.request('GET', '/api/data/auction?symbol=BHP', { as: 'admin' });
    for (const time of [...seen.keys()].reverse()) {
      await jump(app, time);
      expect([time, marks()]).toEqual([time, seen.get(time) ?? []]);
    }
  });
});
