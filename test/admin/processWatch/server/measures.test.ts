import { describe, expect, test } from 'bun:test';
import { createLoopLag } from '../../../../src/admin/processWatch/server/service.ts';
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
});
