import { appOf } from '#support/appOf.ts';
import { afterEach, beforeEach, describe, expect, jest, setDefaultTimeout, test } from 'bun:test';
import { loadConfig } from '#src/config/config.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createLog } from '#lib/log.ts';
import { createHttpClient } from '#lib/httpClient/client.ts';
import { chooseAnnouncements } from '#sources/announcements/choose.ts';
import { createSimulatedAnnouncements, type PlannedAnnouncements } from '#sources/announcements/simulator.ts';
import type { AnnouncementSource, Release } from '#market/sources/announcements.ts';
import { createSimulator } from '#sources/quotes/simulator/index.ts';
import { createRecordingSink } from '#support/announcementSink.ts';
import { aRelease } from '#support/handAnnouncements.ts';
import { createHandSource } from '#support/handSource.ts';
import { createFakeClock } from '#support/testApp.ts';

// Planning two thousand listings takes long on a busy machine.
setDefaultTimeout(60_000);

const DATE = '2026-11-20';
const log = createLog(() => undefined);
let running: AnnouncementSource | null = null;
afterEach(() => running?.stop());

const at = (hour: number, minute = 0) => fromSydney(DATE, hour, minute);

/** Longer than the source waits between two steps. */
const SOON_MS = 1000;

describe('the simulated announcements', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const open = (releases: Release[]) => {
    const clock = createFakeClock(at(8));
    let planned: PlannedAnnouncements | null = null;
    const sink = createRecordingSink();
    running = createSimulatedAnnouncements({
      name: 'simulator-1',
      clock,
      wall: clock,
      log,
      planned: () => planned,
    });
    const stocks = [{ plan: { listing: { code: 'BHP' }, releases } }];
    return { clock, sink, source: running, plan: (date: string) => void (planned = { date, stocks }) };
  };

  test('arrive at their time, once each', async () => {
    const releases = [9, 10, 11].map((hour) => aRelease(`n${hour}`, { time: at(hour) }));
    const { clock, sink, source, plan } = open(releases);
    await source.start(sink);
    clock.set(at(9, 30));
    plan(DATE);
    jest.advanceTimersByTime(SOON_MS);
    expect(sink.kept.size).toBe(1);
    clock.set(at(12));
    jest.advanceTimersByTime(SOON_MS);
    expect(sink.kept.size).toBe(3);
    expect([...sink.arrivals.values()]).toEqual([1, 1, 1]);
    expect(source.health()).toEqual({ healthy: true, problem: null, lastSuccess: at(12) });
  });
});

describe('the selected source', () => {
  const choose = (env: Record<string, string>, source = createHandSource(createFakeClock())) => {
    const clock = createFakeClock();
    const { config } = loadConfig(env);
    return chooseAnnouncements(appOf({ config, source, clock, log, http: createHttpClient({ clock }) }));
  };
  const simulator = () => createSimulator({ seed: 7, start: 'auto', speed: 1, wall: createFakeClock(), log });

  test('follows the market', () => {
    expect(choose({}, { ...createHandSource(createFakeClock()), ...simulator() })?.label()).toBe('Simulated');
    expect(choose({ BELLBIRD_FEED: 'tradingview' })?.label()).toBe('ASX');
  });
});
