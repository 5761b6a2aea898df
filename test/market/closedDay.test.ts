import { afterEach, describe, expect, test } from 'bun:test';
import { sourceConcerns } from '../../src/admin/notices/rules/sourceConcerns.ts';
import { silentLog } from '../support/memoryRecording.ts';
import { createMarket } from '../../src/market/market.ts';
import { createMeta } from '../../src/market/meta.ts';
import { openingAt, openingText } from '../../src/market/rules/opening.ts';
import { lastSessionNotice, sessionAt } from '../../src/market/rules/session.ts';
import { holdSpecialDays, type SpecialDay } from '../../src/market/rules/specialDays.ts';
import { fromSydney } from '../../src/market/rules/sydneyTime.ts';
import { createSimulatorClock } from '../../src/sources/quotes/simulator/clock.ts';
import { Exchange } from '../../src/sources/quotes/simulator/exchange.ts';
import { createSimulator } from '../../src/sources/quotes/simulator/index.ts';
import { createHandSource } from '../support/handSource.ts';
import { createFakeClock } from '../support/testApp.ts';

/** A Thursday. */
const DAY = '2026-11-19';
const CLOSED: SpecialDay = { date: DAY, kind: 'closed', closesAt: null, reason: 'Storm' };
const EARLY: SpecialDay = { date: DAY, kind: 'early', closesAt: '14:10', reason: 'Fault' };
const at = (hour: number, minute = 0, date = DAY): number => fromSydney(date, hour, minute);
const HOLDER = {};
const hold = (...days: SpecialDay[]) => holdSpecialDays(HOLDER, days);
afterEach(() => hold());

/** A market on a clock that is set by hand, which a stock was quoted in on the day before. */
function marketOf() {
  const clock = {
    time: at(15, 0, '2026-11-18'),
    now() {
      return this.time;
    },
  };
  const market = createMarket({ clock });
  market.apply([{ code: 'BHP', close: 44, last: 45, open: 44, high: 45, low: 44, volume: 10 }]);
  const show = (time: number) => {
    clock.time = time;
    market.flush();
    const { last, close, status } = market.get('BHP') ?? {};
    return { date: market.date(), last, close, status };
  };
  return { market, show };
}

describe('a closed day', () => {
  test('shows the session before it, whose last price is the previous close of the day after it', () => {
    hold(CLOSED);
    const { show } = marketOf();
    const before = { date: '2026-11-18', last: 45, close: 44, status: 'Post Trading' as const };
    expect([at(7), at(11), at(23)].map(show)).toEqual([before, before, before]);
    expect(show(at(7, 0, '2026-11-20'))).toEqual({
      ...{ date: '2026-11-20', last: null, close: 45, status: 'Pre Open' },
    });
    expect(lastSessionNotice(sessionAt(at(11)).date, at(11))).toBe('Last session: Wednesday 18 November');
    const opening = openingAt(at(11), () => null);
    expect(openingText(opening, at(11))).toBe('The pre-open begins on Friday 20 November at 07:00');
  });

  test('that is opened again begins its session then', () => {
    hold(CLOSED);
    const { show } = marketOf();
    expect(show(at(9, 30)).date).toBe('2026-11-18');
    hold();
    expect(show(at(9, 31))).toEqual({ date: DAY, last: null, close: 45, status: 'Pre Open' });
  });

  test('is no day on which silence is a fault', () => {
    const silent = {
      healthy: true,
      problem: null,
      lastSuccess: at(16, 30, '2026-11-18'),
      measuredLagMs: null,
    };
    const clock = createFakeClock(at(11));
    const source = { ...createHandSource(clock), clock: { now: clock.now, speed: 1 }, health: () => silent };
    const { market } = marketOf();
    const metaOf = createMeta({ source, clock }, { market, staleAfterMs: 1000 });
    const prices = { label: 'Bridge', healthy: false, problem: 'Nothing came.', signInProblem: null };
    const stateOf = () =>
      sourceConcerns({
        ...{ prices, announcements: null, calendar: null, marketTime: at(11), now: at(11) },
      }).find(({ key }) => key === 'prices')?.state;
    expect([metaOf().feed.healthy, stateOf()]).toEqual([false, 'wrong']);
    hold(CLOSED);
    expect(metaOf().feed.healthy).toBe(true);
    expect(stateOf()).not.toBe('wrong');
    expect(metaOf().closures).toEqual([CLOSED]);
  });

  test('is none of the simulated exchange: outside hours it trades its own coming day', () => {
    hold(CLOSED);
    const wall = { now: () => at(11) };
    const clock = createSimulatorClock({ start: 'auto', speed: 1, wall });
    expect([clock.now(), clock.outsideHours()]).toEqual([at(9, 50, '2026-11-20'), true]);
    const started = createSimulatorClock({ start: '10:30', speed: 1, wall });
    expect(started.now()).toBe(at(10, 30, '2026-11-20'));
  });
});

describe('an early close', () => {
  test('of today, added while the market trades, is followed from the next tick on', () => {
    const { show } = marketOf();
    expect(show(at(14, 0)).status).toBe('Open');
    hold(EARLY);
    expect([show(at(14, 9)).status, show(at(14, 10)).status, show(at(14, 32)).status]).toEqual([
      'Open',
      'CSPA',
      'Adjust',
    ]);
  });

  test.each(['10:15', '10:16', '11:02', '12:30'])(
    'at %s leaves every simulated listing a day with its own prices, on many days',
    (closesAt) => {
      const dates = ['2026-11-16', '2026-11-17', '2026-11-18', DAY, '2026-11-20'];
      hold(...dates.map((date) => ({ ...EARLY, date, closesAt })));
      const end = (date: string) => at(Number(closesAt.slice(0, 2)), Number(closesAt.slice(3)), date);
      const exchange = new Exchange({ seed: 3 });
      let bars = 0;
      let late = 0;
      for (const { code } of exchange.listings) {
        for (const date of dates) {
          // The closing auction is ten minutes after the end of trading.
          const last = end(date) + 10 * 60_000;
          exchange.eachMinute(code, date, ({ time }) => {
            bars += 1;
            if (time > last) late += 1;
          });
        }
      }
      expect(late).toBe(0);
      expect(bars).toBeGreaterThan(10_000);
    },
    60_000,
  );

  test('lets the simulated exchange plan its day again, to the same prices before it', () => {
    const clock = createFakeClock(at(12));
    const simulator = createSimulator({
      ...{ seed: 7, start: 'auto', speed: 1 },
      wall: clock,
      log: silentLog,
    });
    const before = simulator.exchange;
    expect(simulator.exchange).toBe(before);
    const minutesOf = (date: string) => {
      const minutes: number[] = [];
      simulator.history?.eachMinute('BHP', date, ({ time }) => minutes.push(time));
      return minutes;
    };
    const yesterday = minutesOf('2026-11-18');
    expect(minutesOf(DAY).at(-1)).toBe(at(16, 10));
    hold(EARLY);
    expect(simulator.exchange).not.toBe(before);
    expect(minutesOf(DAY).at(-1)).toBe(at(14, 20));
    expect(minutesOf('2026-11-18')).toEqual(yesterday);
    hold(CLOSED);
    expect(() => minutesOf(DAY)).toThrow();
    expect(minutesOf('2026-11-18')).toEqual(yesterday);
    expect(minutesOf('2026-11-20').length).toBeGreaterThan(0);
  });
});
