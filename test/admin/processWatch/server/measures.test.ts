import { describe, expect, test } from 'bun:test';
import { createLoopLag } from '../../../../src/admin/processWatch/server/service.ts';
import { createRequestTotals } from '../../../../src/platform/http/requestCounts.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { createTick } from '../../../../src/market/tick.ts';
import { createHandScheduler } from '../../../support/handScheduler.ts';
import { START } from '../../../support/testApp.ts';

const MINUTE = 60_000;

describe('the lag of the event loop', () => {
  /** A clock whose timers come late by what `held` says at that moment. */
  function setUp() {
    const clock = createHandScheduler(START);
    let held = 0;
    const lag = createLoopLag(clock, (ms, run) => clock.schedule(ms + held, run));
    return { clock, lag, hold: (ms: number) => (held = ms) };
  }

  test('is how late a timer comes; the worst is forgotten after two minutes', () => {
    const { clock, lag, hold } = setUp();
    lag.start();
    clock.advance(2000);
    expect(lag.figures()).toEqual({ lastMs: 0, worstMs: 0 });
    hold(120);
    clock.advance(1000);
    hold(0);
    clock.advance(2000);
    expect(lag.figures()).toEqual({ lastMs: 0, worstMs: 120 });
    clock.advance(MINUTE);
    expect(lag.figures().worstMs).toBe(120);
    clock.advance(2 * MINUTE);
    expect(lag.figures().worstMs).toBe(0);
  });

  test('is measured once, however often it is started, and no more after the stop', () => {
    const { clock, lag } = setUp();
    lag.start();
    lag.start();
    expect(clock.planned()).toHaveLength(1);
    lag.stop();
    lag.stop();
    expect(clock.planned()).toEqual([]);
  });

  test('does not follow the wall clock', () => {
    const { clock, lag } = setUp();
    lag.start();
    clock.stepWall(-MINUTE * 600);
    clock.advance(1000);
    clock.stepWall(MINUTE * 6000);
    clock.advance(1000);
    expect(lag.figures()).toEqual({ lastMs: 0, worstMs: 0 });
  });
});

describe('ticks', () => {
  test('are counted and timed, with how late they come', () => {
    const clock = createHandScheduler(START);
    let takesMs = 0;
    let hasChanges = false;
    const market = {
      flush: () => {
        clock.advance(takesMs);
        return hasChanges ? { upsert: {}, delete: [] } : null;
      },
    };
    const { service: tick } = createTick(
      { log: createLog(() => {}), clock, config: { tickMs: 1000 } },
      { market: market as unknown as Parameters<typeof createTick>[1]['market'] },
    );
    tick.run();
    clock.advance(1000);
    takesMs = 40;
    hasChanges = true;
    tick.run();
    clock.advance(1000);
    takesMs = 10;
    tick.run();
    expect(tick.pace()).toEqual({
      ...{ ticks: 3, withChanges: 2, lastMs: 10, slowestMs: 40, totalMs: 50, lagMs: 40 },
    });
    takesMs = 0;
    for (let count = 0; count < 100; count += 1) {
      clock.advance(1000);
      tick.run();
    }
    expect(tick.pace()).toMatchObject({ ticks: 103, slowestMs: 0, lagMs: 0 });
  });
});

describe('requests', () => {
  test('are counted by class of status and by route, the most frequent first', () => {
    const totals = createRequestTotals();
    for (const status of [200, 204, 301, 404, 500, 507]) totals.add({ status, route: `/${status}` });
    totals.add({ status: 404, route: '/404' });
    for (const status of [0, 600, Number.NaN]) totals.add({ status, route: '/odd' });
    expect(totals.byClass()).toEqual({ '2xx': 2, '3xx': 1, '4xx': 2, '5xx': 2, other: 3 });
    expect(Object.entries(totals.byRoute())[0]).toEqual(['/odd', 3]);
  });
});
