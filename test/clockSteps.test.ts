import { describe, expect, test } from 'bun:test';
import { createEpochTimes } from '../src/lib/clock.ts';
import { createLog } from '../src/lib/log.ts';
import { createMarket } from '../src/market/market.ts';
import { createMeta } from '../src/market/meta.ts';
import { Snapshots } from '../src/market/stream/snapshots.ts';
import { SseChannel } from '../src/platform/sse/channel.ts';
import { createIngestSource } from '../src/sources/quotes/ingest/index.ts';
import { createHandScheduler } from './support/handScheduler.ts';
import { START } from './support/testApp.ts';
import { appOf, standIn } from '#support/appOf.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const log = createLog(() => undefined);

/** The wall clock, set once by an hour. */
const steps = [-HOUR, HOUR] as const;

describe.each(steps)('with the wall clock set by %d ms', (step) => {
  test('a snapshot is at most two seconds late', async () => {
    const clock = createHandScheduler(START);
    const channel = { seq: () => 1, idOf: String, after: () => [] };
    const meta = createMeta(
      appOf({
        source: createIngestSource({ wall: clock, log }),
        clock,
        market: standIn(createMarket({ clock })),
      }),
    );
    const read = () => ({ stocks: [], meta: meta(), fx: { data: {}, lastUpdated: null } });
    const snapshots = new Snapshots({ read, channel, clock });
    await snapshots.whole().after;
    clock.stepWall(step);
    expect(snapshots.whole().messages).toHaveLength(1);
    expect(snapshots.built()).toBe(1);
    clock.advance(3 * SECOND);
    expect(snapshots.whole().messages).toHaveLength(0);
    expect(snapshots.built()).toBe(2);
  });

  test('an event is kept for reconnecting clients for its full time and no longer', () => {
    const clock = createHandScheduler(START);
    const tap = { everybody: () => {}, audience: () => {}, closing: () => {} };
    const channel = new SseChannel<{ note: string }>({ clock, log, tap, cutOff: () => {} });
    channel.send('note', 'first');
    clock.stepWall(step);
    channel.send('note', 'second');
    expect(channel.after(0)).toHaveLength(2);
    clock.advance(121 * SECOND);
    channel.send('note', 'third');
    expect(channel.after(0)).toBeNull();
    expect(channel.after(2)).toHaveLength(1);
    channel.close();
  });

  test('a silent bridge is noticed after a minute, and the market marked as stale', () => {
    const clock = createHandScheduler(START);
    const source = createIngestSource({ wall: clock, log });
    const meta = createMeta(appOf({ source, clock, market: standIn(createMarket({ clock })) }), {
      staleAfterMs: 30 * SECOND,
    });
    source.received({ applied: 1, newestQuote: START });
    expect(meta().feed.healthy).toBe(true);
    clock.advance(20 * SECOND);
    clock.stepWall(step);
    expect([source.health().healthy, meta().feed.healthy]).toEqual([true, true]);
    // The moment shifts with the wall clock it is compared with.
    expect(clock.now() - (source.health().lastSuccess ?? 0)).toBe(20 * SECOND);
    clock.advance(11 * SECOND);
    expect([source.health().healthy, meta().feed.healthy]).toEqual([true, false]);
    clock.advance(30 * SECOND);
    expect(source.health().problem).toContain('The bridge has sent nothing for 61 seconds.');
  });
});

test('no duration is the difference of two wall clock readings', async () => {
  const found: string[] = [];
  for await (const path of new Bun.Glob('src/**/*.ts').scan({ cwd: `${import.meta.dir}/..` })) {
    const code = await Bun.file(`${import.meta.dir}/../${path}`).text();
    if (/\b(?:clock|wall)\.now\(\) - \w|- (?:\w+\.)?(?:clock|wall)\.now\(\)/.test(code)) found.push(path);
  }
  expect(found.sort()).toEqual([
    // A message sent a moment ago, perhaps before a restart.
    'src/admin/channels/server/broadcast.ts',
    // The calls of the last week.
    'src/admin/channels/server/daily.ts',
    // The ages of a source’s last success and of a backup; only their epoch times are known.
    'src/admin/metrics/server/metrics.ts',
    // The difference between the two clocks.
    'src/lib/clock.ts',
    // The age of a success when first seen; only its epoch time is known.
    'src/market/meta.ts',
    // The age of a source’s last success; only its epoch time is known.
    'src/market/sessions/recorder.ts',
    // Kept for 30 days, across restarts, and the age of the oldest message.
    'src/platform/outbox/index.ts',
    // The difference between this server’s clock and the push services’, and whether it was set since.
    'src/platform/push/sender.ts',
    // The lag of quotes, which have only an epoch time.
    'src/sources/quotes/ingest/index.ts',
    // The lag of a replay behind its own clock, which uses the stopwatch.
    'src/sources/quotes/replay/index.ts',
    // Demo accounts unused for a week, across restarts.
    'src/subjects/accounts/server/demoAccounts.ts',
    // Accounts created from an address within a day, across restarts.
    'src/subjects/accounts/server/limits.ts',
    // A two-factor set-up begun some minutes ago, perhaps before a restart.
    'src/subjects/accounts/server/secondFactor/service.ts',
    // Kept for 90 days, across restarts.
    'src/subjects/accounts/server/sessions.ts',
    // The triggers of the last day, including earlier runs.
    'src/subjects/alerts/server/stream.ts',
    // Reminders are kept for 14 days, across restarts.
    'src/subjects/calendar/server/index.ts',
    // Calendar history is kept for ten years, across restarts.
    'src/subjects/calendar/server/memory/index.ts',
    // Prices of a delayed feed have an earlier market time; price moves may be from earlier runs.
    'src/subjects/calendar/server/memory/moveKeeper.ts',
    // Events of a followed call that happened shortly before, perhaps before a restart.
    'src/subjects/calls/server/following.ts',
    // Prices of a delayed feed have an earlier market time.
    'src/subjects/calls/server/marketLevels.ts',
    // Sample calls use the wall clock, their prices the market’s clock.
    'src/subjects/calls/server/seed.ts',
    // Prices of a delayed feed have an earlier market time.
    'src/subjects/calls/server/tracker/followedCalls.ts',
    // Devices with an expired permission are shown for 90 days, across restarts.
    'src/subjects/devices/server/service.ts',
    // Variants of a scan count for 90 days, across restarts.
    'src/subjects/odds/server/index.ts',
  ]);
});

test('the epoch time of a moment does not change while the wall clock drifts a little', () => {
  const clock = createHandScheduler(1_000_000);
  const epochOf = createEpochTimes(clock);
  clock.advance(5000);
  const moment = clock.monotonic();
  expect(epochOf(moment)).toBe(1_005_000);
  for (const drift of [3, -5, 400, -390]) {
    clock.stepWall(drift);
    clock.advance(1000);
    expect(epochOf(moment)).toBe(1_005_000);
  }
});

test.each([-40 * 365 * 24 * HOUR, -HOUR, HOUR])('ages correctly when the wall clock is set by %d', (step) => {
  const clock = createHandScheduler(1_000_000);
  const epochOf = createEpochTimes(clock);
  const moment = clock.monotonic();
  clock.advance(60_000);
  clock.stepWall(step);
  expect(clock.now() - epochOf(moment)).toBe(60_000);
  clock.advance(60_000);
  expect(clock.now() - epochOf(moment)).toBe(120_000);
});
