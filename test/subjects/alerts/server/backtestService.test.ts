import { describe, expect, test } from 'bun:test';
import { NO_SCANS } from '#subjects/conditions/rules/savedScan.ts';
import { emptyStock } from '#market/rules/stock.ts';
import { Backtests } from '#subjects/alerts/server/backtest/service.ts';
import type { AppError } from '#platform/http/errors.ts';
import { ReadQueue } from '#platform/http/readQueue.ts';
import { allOf, field, number } from '#support/conditions.ts';
import { CATALOG, flatMinutes, givenBars } from '#support/pastBars.ts';
import type { App } from '#platform/app.ts';
import { standIn } from '#support/appOf.ts';

const LOGIC = allOf({ lhs: field('last'), op: 'crosses_above', rhs: number(10) });
const sent = { symbol: ' bhp ', logic_json: LOGIC };

/** A service whose work runs only when the test calls for it. */
function setUp() {
  const turns: (() => void)[] = [];
  let reading = 0;
  // Each clock reading takes a millisecond, so that slices end.
  const stopwatch = { monotonic: () => (reading += 1) };
  const codes = ['BHP', ...Array.from({ length: 50 }, (_, index) => `A${10 + index}`)];
  const all = () => new Map(codes.map((code) => [code, emptyStock(code)]));
  const needs = {
    values: givenBars([], flatMinutes('2026-11-16', [9, 11, 9, 11])),
    market: { all, date: () => '2026-11-18' },
    indicators: { catalog: { current: () => CATALOG }, scansOf: () => NO_SCANS },
    watchlist: { symbols: () => [], listsOf: () => [] },
    reads: new ReadQueue(stopwatch, (run) => void turns.push(run)),
    clock: stopwatch,
  } as unknown as App;
  const service = new Backtests(
    needs,
    standIn({
      preview: () => ({ at: null, notEvaluated: null, conditions: [], holds: null, guard: null }),
    }),
  );
  function work(): number {
    let slices = 0;
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      turn();
      slices += 1;
    }
    return slices;
  }
  return { service, work };
}

const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: AppError) => `${error.status} ${error.message}`,
  );

test('the cooldown is checked and obeyed', async () => {
  const { service, work } = setUp();
  const answer = service.runBacktest(1, { ...sent, cooldown_minutes: 30 });
  work();
  expect((await answer).minutes?.fired).toBe(1);
  expect(await refusalOf(service.runBacktest(1, { ...sent, cooldown_minutes: 391 }))).toStartWith(
    '400 The cooldown of an alert',
  );
});

describe('backtests of alerts on scans', () => {
  const sent = (minValue: number) => ({
    scan: { type: 'scanner', key: 'intraDaySmall', filters: { minValue } },
  });

  test('are limited to ten per minute and user; cached results do not count', async () => {
    const { service, work } = setUp();
    const ask = async (value: number): Promise<void> => {
      const answer = service.backtestScan(1, sent(value));
      work();
      await answer;
    };
    for (let value = 1; value <= 10; value += 1) await ask(value);
    for (let times = 0; times < 20; times += 1) await ask(3);
    expect(await refusalOf(service.backtestScan(1, sent(11)))).toStartWith('429 Too many backtests.');
    const other = service.backtestScan(2, sent(11));
    work();
    await other;
  });

  test('stop at the next step when the client is gone', async () => {
    const { service, work } = setUp();
    const whole = service.backtestScan(1, sent(1));
    const slices = work();
    await whole;
    const leaving = new AbortController();
    const left = refusalOf(service.backtestScan(1, sent(2), leaving.signal));
    leaving.abort();
    expect(work()).toBeLessThan(slices / 2);
    expect(await left).toBe('429 The backtest was cancelled.');
  });
});
