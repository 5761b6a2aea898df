import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { ObservedMarket } from '#market/observed.ts';
import type { Recording } from '#market/recording/dayBook.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { Player, ReplayClock } from '#sources/quotes/replay/player.ts';
import { KnownNews } from '#market/recording/knownNews.ts';
import { recordSimulated, silentLog } from '#support/memoryRecording.ts';
import { createFakeClock } from '#support/testApp.ts';

// The machine may be busy with other things.
setDefaultTimeout(60_000);

const FRIDAY = '2026-11-20';
const at = (hour: number, minute: number): number => fromSydney(FRIDAY, hour, minute);
const CODES = new Set(['BHP', 'CBA', 'CSL', 'NAB', 'RIO', 'TLS', 'WBC', 'WES', 'WOW', 'FMG', 'AGY', 'PLS']);

/** Spans the opening, with its auction and the statuses that follow. */
const opening = recordSimulated({ from: at(9, 50), until: at(10, 12), stepMs: 1000, codes: CODES });

function fixture(recording: Recording) {
  const stopwatch = createFakeClock();
  const { from, until } = recording;
  const clock = new ReplayClock({ stopwatch, from, until, speed: 1 });
  const market = new ObservedMarket({ clock, days: recording.head.source.days }, silentLog);
  const knownNews = new KnownNews();
  const player = new Player({
    recording,
    clock,
    knownNews,
    log: silentLog,
    notify: () => {},
    notifyAll: () => {},
  });
  player.jump(market, from);
  return {
    clock,
    market,
    player,
    /** Plays the market for `ms`, in steps of `stepMs`, with a tick after each. */
    play(ms: number, stepMs: number): void {
      for (let left = ms; left > 0; left -= stepMs) {
        stopwatch.advance(Math.min(stepMs, left));
        player.play(market, () => false);
        market.flush();
      }
    },
    state: () => {
      market.flush();
      return Object.fromEntries(market.all());
    },
  };
}

describe('playing a recording', () => {
  test('shows the recorded state at each moment, for any step length', () => {
    const fine = fixture(opening);
    const coarse = fixture(opening);
    fine.play(15 * 60_000, 1000);
    coarse.play(15 * 60_000, 47_000);
    expect(coarse.clock.now()).toBe(fine.clock.now());
    expect(coarse.state()).toEqual(fine.state());
    expect(fine.market.get('BHP')?.preOpen?.snapshot.match_price).toBeGreaterThan(0);
  });

  test('has the same state after a jump as after playing to that moment, forward and back', () => {
    const moment = fc.integer({ min: 0, max: 22 * 60 });
    fc.assert(
      fc.property(moment, moment, fc.integer({ min: 1, max: 120 }), (first, second, more) => {
        const jumped = fixture(opening);
        jumped.player.jump(jumped.market, opening.from + first * 1000);
        jumped.market.flush();
        jumped.player.jump(jumped.market, opening.from + second * 1000);
        jumped.play(more * 1000, 1000);
        const played = fixture(opening);
        played.play((second + more) * 1000, 60_000);
        expect(jumped.state()).toEqual(played.state());
      }),
      { numRuns: 25 },
    );
  });

  test('an unreadable moment leaves the market and the clock where they were', () => {
    const broken: Recording = {
      ...opening,
      baseAt: (time) => {
        if (time > at(10, 5)) throw new Error('damaged');
        return opening.baseAt(time);
      },
    };
    const { market, player, clock, play, state } = fixture(broken);
    play(60_000, 1000);
    const before = state();
    expect(() => player.jump(market, at(10, 8))).toThrow('damaged');
    expect(state()).toEqual(before);
    expect(clock.now()).toBe(at(9, 51));
    play(5 * 60_000, 1000);
    const other = fixture(opening);
    other.play(6 * 60_000, 1000);
    expect(state()).toEqual(other.state());
  });
});

describe('the clock of a replay', () => {
  const FROM = Date.UTC(2026, 0, 18, 20, 0, 0);
  const UNTIL = FROM + 3_600_000;

  function fixture(speed = 1) {
    const stopwatch = createFakeClock();
    return { stopwatch, clock: new ReplayClock({ stopwatch, from: FROM, until: UNTIL, speed }) };
  }

  test('begins with the recording and runs at its speed, independent of the wall clock', () => {
    const { clock, stopwatch } = fixture(60);
    expect(clock.now()).toBe(FROM);
    stopwatch.advance(1000);
    stopwatch.set(0);
    expect(clock.now()).toBe(FROM + 60_000);
    expect(clock.speed).toBe(60);
  });

  test('stops at the end of the recording, and runs again after a jump back', () => {
    const { clock, stopwatch } = fixture(60);
    stopwatch.advance(120_000);
    expect([clock.now(), clock.speed, clock.hasEnded()]).toEqual([UNTIL, 0, true]);
    clock.set(FROM + 5);
    expect([clock.now(), clock.speed, clock.hasEnded()]).toEqual([FROM + 5, 60, false]);
  });
});
