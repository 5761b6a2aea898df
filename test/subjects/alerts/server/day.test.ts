import { describe, expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { allOf, field, is, LAST } from '#support/conditions.ts';
import { createAlertFixture } from '#support/alertFixture.ts';
import { createFakeClock } from '#support/testApp.ts';

const FIRST_DAY = '2026-11-18';
const SECOND_DAY = '2026-11-19';

/** A fixture at 15:30 on the first day, with a way to change the time. */
function startDay() {
  const clock = createFakeClock(fromSydney(FIRST_DAY, 15, 30));
  const fixture = createAlertFixture({ clock });
  return {
    ...fixture,
    fixture,
    at(date: string, hour: number, minute = 0) {
      clock.advance(fromSydney(date, hour, minute) - clock.now() - 1000);
    },
    /** The ids of the alerts that fire at these prices of BHP. */
    tick(...updates: Omit<StockUpdate, 'code'>[]): number[] {
      fixture.tick(...updates.map((update) => ({ code: 'BHP', ...update })));
      return fixture.fired.splice(0).map(({ alertId }) => alertId);
    },
  };
}

describe('a day of an alert', () => {
  test('covers pre-open, open, halt, gap and close', () => {
    const { fixture, at, tick } = startDay();
    const level = fixture.add({ logic: allOf(is(LAST, 'crosses_above', 50)), persistent: true });
    const match = fixture.add({ logic: allOf(is(field('match_price'), '>', 50)), persistent: true });
    const gap = fixture.add({
      logic: allOf(is(field('gap_percent'), '>', 1), is(field('marketCap'), '>', 1)),
      persistent: true,
    });
    const closing = fixture.add({ logic: allOf(is(LAST, '>', 52)), persistent: true });
    expect(tick({ status: 'Open', last: 49, open: 49, close: 49, volume: 10, marketCap: 9 })).toEqual([]);

    // The pre-open: match price and gap are live, and nothing has traded.
    at(SECOND_DAY, 8);
    expect(tick({ status: 'Pre Open', match_price: 49.2, match_vol: 10 })).toEqual([]);
    expect(fixture.engine.evaluation(level.id)?.notEvaluated).toBe('BHP has no price yet today');
    expect(tick({ match_price: 50.5 })).toEqual([match.id, gap.id]);

    // An open above the level crosses it, compared with yesterday’s close.
    at(SECOND_DAY, 10);
    expect(tick({ status: 'Open', last: 50.4, open: 50.4, match_price: null, volume: 5 })).toEqual([
      level.id,
    ]);
    expect(fixture.rows.triggers().at(-1)?.seen[0]?.left).toEqual({ text: 'Last', value: 50.4, before: 49 });
    at(SECOND_DAY, 11);
    expect(tick({ last: 49.5 })).toEqual([]);

    // A halt: quotes are not evaluated, and the gap over it is a crossing.
    expect(tick({ status: 'Halted', last: 51 })).toEqual([]);
    expect(fixture.engine.evaluation(level.id)?.notEvaluated).toBe('BHP is halted');
    at(SECOND_DAY, 13);
    expect(tick({ status: 'Pre Open', match_price: 49 })).toEqual([]);
    expect(tick({ match_price: 51 })).toEqual([match.id, gap.id]);
    expect(fixture.engine.evaluation(level.id)?.notEvaluated).toBe('BHP is in its pre-open');
    expect(tick({ status: 'Open', last: 51.2, match_price: null })).toEqual([level.id]);

    // The closing auction and after it; at night nothing fires.
    at(SECOND_DAY, 16, 10);
    expect(tick({ status: 'CSPA', last: 52.5 })).toEqual([closing.id]);
    at(SECOND_DAY, 22);
    expect(tick({ status: 'Post Trading' })).toEqual([]);
    expect(fixture.rows.triggers()).toHaveLength(7);
  });

  test('ignores yesterday’s figures that a source repeats after the open', () => {
    const { fixture, at, tick } = startDay();
    const yesterday = { last: 49, open: 48, high: 50, low: 47, volume: 10, close: 48 };
    tick({ status: 'Open', ...yesterday });
    const { id } = fixture.add({ logic: allOf(is(LAST, '>', 100)) });
    tick();
    at(SECOND_DAY, 10);
    fixture.change(id, { logic: allOf(is(LAST, '>', 40)), version: 2 });
    expect(tick({ status: 'Open', ...yesterday })).toEqual([]);
    expect(fixture.engine.evaluation(id)?.notEvaluated).toBe('BHP has no price yet today');
    expect(tick({ last: 48.5, volume: 12 })).toEqual([id]);
  });

  test('accepts figures equal to yesterday’s if the quote was made today', () => {
    const { fixture, at, tick } = startDay();
    const parcel = { last: 0.003, open: 0.003, high: 0.003, low: 0.003, volume: 5000, close: 0.003 };
    tick({ status: 'Open', ...parcel, quoteTime: fromSydney(FIRST_DAY, 11, 0) });
    const { id } = fixture.add({ logic: allOf(is(LAST, '<', 0.002)) });
    tick();
    at(SECOND_DAY, 11, 1);
    fixture.change(id, { logic: allOf(is(LAST, '>', 0.002)), version: 2 });
    expect(tick({ status: 'Open', ...parcel, quoteTime: fromSydney(SECOND_DAY, 11, 0) })).toEqual([id]);
  });
});

describe('a split', () => {
  const stopText = 'BHP was split or consolidated. Check the prices in this alert.';

  test('fires nothing, stops the alerts on the stock, and notifies their owners', () => {
    const { fixture, at, tick } = startDay();
    const below = fixture.add({ logic: allOf(is(LAST, '<', 30)), persistent: true });
    fixture.add({ logic: allOf(is(field('match_price'), 'crosses_below', 30)) });
    tick({ status: 'Open', last: 50, close: 49, volume: 10, match_price: 50 });
    at(SECOND_DAY, 8);
    expect(tick({ status: 'Pre Open', close: 25, match_price: 25 })).toEqual([]);
    at(SECOND_DAY, 10);
    expect(tick({ status: 'Open', last: 25.2 })).toEqual([]);
    expect(fixture.alert(below.id)).toMatchObject({ active: false, stoppedReason: stopText });
    expect(fixture.rows.messages()).toMatchObject([
      { message: { lines: [stopText] }, triggerId: null },
      { message: { lines: [stopText] }, triggerId: null },
    ]);
    expect(fixture.stopped.map(({ active, stoppedReason }) => [active, stoppedReason])).toEqual([
      [false, stopText],
      [false, stopText],
    ]);
    expect(fixture.rows.states()).toEqual([]);
    expect(fixture.engine.counts()).toMatchObject({ alerts: 0 });
    fixture.change(below.id, { active: true, stoppedReason: null, armedAt: fixture.clock.now() });
    expect(tick({ last: 25.3 })).toEqual([below.id]);
  });

  test('keeps alerts that were saved at the new prices', () => {
    const { fixture, at, tick } = startDay();
    tick({ status: 'Open', last: 0.026, close: 0.026, volume: 10 });
    at(SECOND_DAY, 8);
    tick({ status: 'Pre Open', close: 0.39 });
    at(SECOND_DAY, 9);
    const { id } = fixture.add({ logic: allOf(is(LAST, '>', 0.38)), armedAt: fixture.clock.now() });
    at(SECOND_DAY, 10);
    expect(tick({ status: 'Open', last: 0.4, volume: 5 })).toEqual([id]);
  });

  test('is detected after a restart overnight', () => {
    const { fixture, at, tick } = startDay();
    const { id } = fixture.add({ logic: allOf(is(LAST, '<', 30)), persistent: true });
    tick({ status: 'Open', last: 50.5, close: 49, volume: 10 });
    tick({ last: 50 });
    at(FIRST_DAY, 17);
    tick({ status: 'Adjust' });
    tick();
    at(SECOND_DAY, 7, 30);
    fixture.kill();
    tick({ status: 'Pre Open', close: 25 });
    at(SECOND_DAY, 10);
    expect(tick({ status: 'Open', last: 25.2 })).toEqual([]);
    expect(fixture.alert(id)?.stoppedReason).toBe(stopText);
  });
});
