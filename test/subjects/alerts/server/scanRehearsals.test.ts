import { expect, test } from 'bun:test';
import { NO_SCANS } from '../../../../src/subjects/conditions/rules/savedScan.ts';
import { emptyStock } from '../../../../src/market/rules/stock.ts';
import { Rehearsals } from '../../../../src/subjects/alerts/server/rehearsal/service.ts';
import { ScanRehearsals } from '../../../../src/subjects/alerts/server/scanAlerts/rehearsal.ts';
import { AppError } from '../../../../src/platform/http/errors.ts';
import { ReadQueue } from '../../../../src/platform/http/readQueue.ts';
import { CATALOG, givenBars } from '../../../support/pastBars.ts';

/** Backtests of alerts on scans, whose work goes on only when the test says so. */
function setUp() {
  const turns: (() => void)[] = [];
  let reading = 0;
  // Every look at the watch takes a millisecond, so that slices end.
  const stopwatch = { monotonic: () => (reading += 1) };
  const codes = Array.from({ length: 50 }, (_, index) => `A${String(index).padStart(2, '0')}`);
  const all = () => new Map(codes.map((code) => [code, emptyStock(code)]));
  const runs = new Rehearsals({
    past: givenBars([], []),
    market: { all },
    catalog: () => CATALOG,
    scansOf: () => NO_SCANS,
    preview: () => ({ at: null, notEvaluated: null, conditions: [], holds: null, guard: null }),
    stopwatch,
    reads: new ReadQueue({ stopwatch, later: (run) => void turns.push(run) }),
  });
  const service = new ScanRehearsals({
    clock: stopwatch,
    market: { all, date: () => '2026-11-18' },
    scansOf: () => NO_SCANS,
    watched: () => [],
    listsOf: () => [],
    rehearseScan: runs.rehearseScan,
  });
  const work = (): number => {
    let slices = 0;
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      turn();
      slices += 1;
    }
    return slices;
  };
  return { service, work };
}

async function refusalOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AppError) return `${error.status} ${error.message}`;
    throw error;
  }
  throw new Error('It was not refused.');
}

const sent = (minValue: number) => ({
  scan: { type: 'scanner', key: 'intraDaySmall', filters: { minValue } },
});

test('ten a minute are run for a user; what is known already counts as none', async () => {
  const { service, work } = setUp();
  const ask = async (value: number): Promise<void> => {
    const answer = service.rehearse(1, sent(value));
    work();
    await answer;
  };
  for (let value = 1; value <= 10; value += 1) await ask(value);
  for (let times = 0; times < 20; times += 1) await ask(3);
  expect(await refusalOf(service.rehearse(1, sent(11)))).toStartWith('429 Too many backtests.');
  const other = service.rehearse(2, sent(11));
  work();
  await other;
});

test('one that nobody waits for any more ends with its next step', async () => {
  const { service, work } = setUp();
  const whole = service.rehearse(1, sent(1));
  const slices = work();
  await whole;
  const leaving = new AbortController();
  const left = refusalOf(service.rehearse(1, sent(2), leaving.signal));
  leaving.abort();
  expect(work()).toBeLessThan(slices / 2);
  expect(await left).toBe('429 The backtest is not waited for any more.');
});
