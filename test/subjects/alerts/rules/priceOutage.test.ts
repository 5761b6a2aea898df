import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type OutageState,
  FRESH,
  observe,
  readOutageState,
  restarted,
  type Sight,
  REPORT_AFTER_MS,
  watchedAt,
  watchedBetween,
} from '#subjects/alerts/rules/priceOutage.ts';
import { fromSydney } from '#lib/sydneyTime.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MONDAY = '2026-11-16';
const at = (hour: number, minute: number, date = MONDAY): number => fromSydney(date, hour, minute);

const reading = fc.record({
  kind: fc.constant('look' as const),
  sight: fc.constantFrom<Sight['kind']>('sees', 'stopped', 'late', 'unsure'),
  elapsedMs: fc.integer({ min: 1, max: 4 * MINUTE_MS }),
  isWatched: fc.boolean(),
  clockSet: fc.integer({ min: -HOUR_MS, max: HOUR_MS }),
});
const restart = fc.record({
  kind: fc.constant('restart' as const),
  downMs: fc.integer({ min: 0, max: HOUR_MS }),
});

type Event =
  | { kind: 'look'; sight: Sight['kind']; elapsedMs: number; isWatched: boolean; clockSet: number }
  | { kind: 'restart'; downMs: number };

/** The messages in order. The state is read back from disk at each restart. */
function run(events: readonly Event[]): string[] {
  let state: OutageState = FRESH;
  let now = at(11, 0);
  const reported: string[] = [];
  for (const event of events) {
    if (event.kind === 'restart') {
      const kept = readOutageState(JSON.parse(JSON.stringify(state)));
      expect(kept).not.toBeNull();
      const down = event.downMs === 0 ? null : { since: now - event.downMs, ms: event.downMs };
      state = restarted(kept ?? FRESH, down, 7);
      continue;
    }
    now += event.elapsedMs + event.clockSet;
    const sight: Sight =
      event.sight === 'stopped' ? { kind: 'stopped', since: now - event.elapsedMs } : { kind: event.sight };
    const step = observe(state, { ...event, now, sight, newestTrigger: () => 7 });
    state = step.state;
    if (step.news) reported.push(step.news.kind);
  }
  return reported;
}

describe('price outage messages', () => {
  test('start at most once before each end, restarts included', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 20, arbitrary: reading }, restart), { maxLength: 200 }),
        (events) => {
          const reported = run(events);
          expect(reported.some((kind, index) => kind === 'blind' && reported[index - 1] === 'blind')).toBe(
            false,
          );
          // An end without a start belongs to a server that was not running.
          const restarts = events.filter(
            (event) => event.kind === 'restart' && event.downMs >= REPORT_AFTER_MS,
          );
          const lone = reported.filter(
            (kind, index) => kind === 'seesAgain' && reported[index - 1] !== 'blind',
          );
          expect(lone.length).toBeLessThanOrEqual(restarts.length);
        },
      ),
    );
  });

  test('do not start outside of market hours', () => {
    const event = { kind: 'look' as const, sight: 'stopped' as const, elapsedMs: MINUTE_MS, clockSet: 0 };
    expect(run(Array.from({ length: 60 }, () => ({ ...event, isWatched: false })))).toEqual([]);
    expect(run(Array.from({ length: 60 }, () => ({ ...event, isWatched: true })))).toEqual(['blind']);
  });
});

describe('the hours in which prices are watched', () => {
  test('last from the opening auction to the end of the closing auction', () => {
    const hours = { since: at(9, 59), until: at(16, 11) };
    expect(watchedAt(at(9, 58), null)).toBeNull();
    expect(watchedAt(at(9, 59), null)).toEqual(hours);
    expect(watchedAt(at(16, 10), null)).toEqual(hours);
    expect(watchedAt(at(16, 11), null)).toBeNull();
    expect(watchedAt(at(11, 0, '2026-11-21'), null)).toBeNull();
    expect(watchedAt(at(11, 0, '2026-12-25'), null)).toBeNull();
    // Christmas Eve closes early.
    expect(watchedAt(at(14, 30, '2026-12-24'), null)).toBeNull();
  });

  test('begin at 08:45 for a feed that delivered in this session', () => {
    expect(watchedAt(at(8, 45), at(7, 30))?.since).toBe(at(8, 45));
    expect(watchedAt(at(8, 44), at(7, 30))).toBeNull();
    expect(watchedAt(at(9, 0), at(16, 0, '2026-11-13'))).toBeNull();
  });

  test('are counted between two times', () => {
    expect(watchedBetween(at(11, 0), at(12, 30))).toEqual({ since: at(11, 0), ms: 90 * MINUTE_MS });
    expect(watchedBetween(at(17, 0), at(9, 0, '2026-11-17'))).toBeNull();
    // From the last eleven minutes of Friday to the first minute of Monday.
    expect(watchedBetween(at(16, 0, '2026-11-13'), at(10, 0))).toEqual({
      since: at(16, 0, '2026-11-13'),
      ms: 12 * MINUTE_MS,
    });
    expect(watchedBetween(at(12, 0), at(11, 0))).toBeNull();
    // Across the change to daylight saving.
    expect(watchedBetween(at(17, 0, '2026-10-02'), at(10, 59, '2026-10-05'))?.ms ?? 0).toBe(60 * MINUTE_MS);
  });
});
