import { expect, test } from 'bun:test';
import { aScan } from '#support/scanAlertFixture.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { dayOf } from '#market/rules/localTime.ts';
import { emptyStock } from '#market/rules/stock.ts';
import { backtestScan } from '#subjects/alerts/server/backtest/scanRun.ts';
import { datesBefore } from '#market/bars/walk.ts';
import { createPastBars } from '#market/bars/pastBars.ts';
import { BarStore } from '#market/bars/store.ts';
import { lastAbove } from '#support/alertsApp.ts';
import { givenHistory } from '#support/givenHistory.ts';
import { CATALOG, done } from '#support/pastBars.ts';

const TODAY = '2026-11-18';
/** Oldest first; more days than a backtest covers. */
const DATES = datesBefore(dayOf(TODAY), 30);

/** A market with these daily closes per stock. */
function run(days: Record<string, Record<string, number>>, logic: Logic = lastAbove(50)) {
  const clock = { now: () => fromSydney(TODAY, 12, 0) };
  const history = givenHistory({
    isDeep: true,
    daily: (code, until, count) =>
      Object.entries(days[code] ?? {})
        .filter(([date]) => date <= until)
        .slice(-count)
        .map(([date, close]) => ({ date, open: close, high: close, low: close, close, volume: 100 })),
    minutes: () => [],
  });
  const bars = new BarStore({ clock, history, minutes: true });
  const past = createPastBars({ bars, history, clock, hasMinutes: true, seen: null });
  const deps = { past, catalog: CATALOG, scanOf: () => aScan(logic), stockOf: emptyStock };
  const limits = { cooldownMinutes: 30, dayMaximum: 3 };
  const codes = Object.keys(days);
  return done(
    backtestScan(deps, { ...limits, event: 'enters', scan: { type: 'scan', id: 1, name: 'Test' }, codes }),
  );
}

const all = (close: number) => Object.fromEntries(DATES.map((date) => [date, close]));

test('does not count an entry before the tested days, however little a stock traded since', () => {
  const [first = '', second = ''] = DATES;
  const rare = { [first]: 40, [second]: 51, [DATES.at(-1) ?? '']: 40 };
  expect(run({ BHP: all(40), CBA: rare })).toMatchObject({ days: 20, fired: 0 });
  expect(run({ BHP: { ...all(40), [DATES.at(-1) ?? '']: 51 }, CBA: rare })).toMatchObject({
    fired: 1,
    stocks: 1,
    busiestDay: 1,
    newest: [{ symbol: 'BHP', date: DATES.at(-1) }],
  });
});

test('suggests the least strict sufficient limit for an alert that fires too often', () => {
  // Each of thirty stocks enters every day; five of them rise by 4 %, the others by 1 %.
  const rising = (by: number) =>
    Object.fromEntries(DATES.map((date, index) => [date, index % 2 === 0 ? 50 : 50 * by]));
  const codes = Array.from({ length: 60 }, (_, index) => `A${String(index).padStart(2, '0')}`);
  const found = run(Object.fromEntries(codes.map((code, index) => [code, rising(index < 5 ? 1.04 : 1.01)])));
  expect(found.fired / found.days).toBeGreaterThan(20);
  expect(found.stricter).toEqual({ kind: 'minChange', limit: 2, perDay: 2.5 });
  expect(run({ BHP: rising(1.04) }).stricter).toBeNull();
});
