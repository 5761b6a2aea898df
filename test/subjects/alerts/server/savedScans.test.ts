import { describe, expect, test } from 'bun:test';
import { seenText } from '#subjects/alerts/rules/seenText.ts';
import type { Logic, Operator } from '#subjects/conditions/rules/condition.ts';
import type { SavedScan } from '#subjects/conditions/rules/savedScan.ts';
import { type AlertFixture, createAlertFixture } from '#support/alertFixture.ts';
import { allOf, anyOf, is, LAST, RSI } from '#support/conditions.ts';

const SCAN = { type: 'scan', id: 7, name: 'Breakouts' } as const;
const asks = (op: Operator) => allOf(is(SCAN, op, 0.5));
const ENTERS = asks('crosses_above');
const IS_IN = asks('>');
const OVER_TEN = allOf(is(LAST, '>', 10));

const bhp = (last: number, more = {}) => ({
  code: 'BHP',
  status: 'Open' as const,
  open: 9,
  close: 9,
  volume: 1000,
  last,
  high: 20,
  low: 5,
  ...more,
});

/** An engine, and the saved scans of its users, which a test may change. */
function createScanFixture(logic: Logic = OVER_TEN) {
  const saved = new Map<number, SavedScan & { userId: number }>();
  const keep = (next: Logic, name: string = SCAN.name): void =>
    void saved.set(7, { id: 7, userId: 1, name, logic: next, lists: null, problem: null });
  keep(logic);
  const fixture = createAlertFixture({
    scansOf: (userId) => (id) => {
      const scan = saved.get(id);
      return scan?.userId === userId ? scan : null;
    },
  });
  /** Notifies the engine of a changed scan, like the service. */
  const notify = (): void => {
    const alert = fixture.alert(1);
    if (alert) fixture.engine.putWithScan(alert, SCAN.id);
  };
  return {
    fixture,
    edit(next: Logic): void {
      keep(next);
      notify();
    },
    drop(): void {
      saved.delete(7);
      notify();
    },
  };
}

/** The number of firings after each price. */
const firedAfter = (fixture: AlertFixture, prices: readonly number[]): number[] =>
  prices.map((last) => {
    fixture.tick(bhp(last));
    fixture.clock.advance(61_000);
    return fixture.fired.length;
  });

describe('an alert on a saved scan', () => {
  test('fires when the stock enters, not if it was already in', () => {
    const { fixture } = createScanFixture();
    fixture.add({ logic: ENTERS, persistent: true });
    expect(firedAfter(fixture, [11, 12, 9, 11, 12, 9, 11])).toEqual([0, 0, 0, 1, 1, 1, 2]);
    expect(fixture.fired[0]?.seen.map(seenText)).toEqual(['entered Breakouts']);
  });

  test('fires if the stock enters before the next tick, because its owner saw it outside', () => {
    const { fixture } = createScanFixture();
    fixture.tick(bhp(9));
    const { id } = fixture.add({ logic: ENTERS });
    expect(fixture.engine.evaluation(id)).toMatchObject({ holds: false });
    fixture.tick(bhp(11));
    expect(fixture.fired.map(({ seen }) => seen.map(seenText))).toEqual([['entered Breakouts']]);
  });

  test('treats a stock with missing values as neither in nor out', () => {
    const { fixture } = createScanFixture(allOf(is(LAST, '>', 10), is(RSI, '>', 50)));
    fixture.add({ logic: ENTERS, persistent: true });
    const rsi = (last: number, now: number | null) =>
      fixture.tick(bhp(last, { indicators: { '60': { rsi_14: { now } } } }));
    rsi(11, null);
    rsi(11, 60);
    rsi(11, null);
    rsi(11, 60);
    expect(fixture.fired).toHaveLength(0);
    // Out for any value of the missing figure, because the price decides.
    rsi(9, null);
    rsi(11, 60);
    expect(fixture.fired).toHaveLength(1);
    expect(fixture.engine.evaluation(1)).toMatchObject({ conditions: [{ left: { value: 1 } }] });
    rsi(11, null);
    expect(fixture.engine.evaluation(1)?.notEvaluated).toBe('my scan Breakouts is not known yet');
  });
});

describe('an edit of the scan', () => {
  test('does not fire an alert, but later entries do', () => {
    for (const logic of [ENTERS, IS_IN]) {
      const { fixture, edit } = createScanFixture();
      fixture.add({ logic, persistent: true });
      fixture.tick(bhp(9));
      edit(allOf(is(LAST, '>', 8)));
      expect(firedAfter(fixture, [9, 9, 7, 9])).toEqual([0, 0, 0, 1]);
    }
  });

  test('to a crossing, or its deletion, makes the result unknown and keeps the alert', () => {
    const { fixture, edit, drop } = createScanFixture();
    fixture.add({ logic: allOf(anyOf(is(SCAN, '<', 0.5), is(LAST, '>', 15))), persistent: true });
    fixture.tick(bhp(11));
    edit(allOf(is(LAST, 'crosses_above', 10)));
    expect(firedAfter(fixture, [9, 11, 9])).toEqual([0, 0, 0]);
    drop();
    expect(firedAfter(fixture, [9, 11, 9])).toEqual([0, 0, 0]);
    expect(fixture.engine.counts()).toMatchObject({ alerts: 1, scans: 1 });
    expect(firedAfter(fixture, [16])).toEqual([1]);
  });
});

test('a restart fires nothing for a stock already in the scan, and keeps all state', () => {
  for (const logic of [ENTERS, IS_IN]) {
    const { fixture } = createScanFixture();
    fixture.add({ logic, persistent: true });
    firedAfter(fixture, [9, 11]);
    fixture.tick();
    fixture.tick();
    fixture.kill();
    expect(firedAfter(fixture, [11, 9, 11])).toEqual([1, 1, 2]);
  }
});
