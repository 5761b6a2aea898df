import { expect, test } from 'bun:test';
import { NO_ADJUSTMENTS } from '../../../../src/market/adjustments/index.ts';
import type { Db } from '../../../../src/platform/db/open.ts';
import { openMemoryDb } from '../../../support/memoryDb.ts';
import { emptyStock } from '../../../../src/market/rules/stock.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { BarKeeper } from '../../../../src/market/bars/persist.ts';
import { BarStore } from '../../../../src/market/bars/store.ts';
import { createFakeClock } from '../../../support/testApp.ts';

const seen = { restore: () => {}, save: () => {} };

/** The bars of one source in a run of the server. */
function aRun(db: Db, source: string, date: string) {
  const clock = createFakeClock(fromSydney(date, 10, 0));
  const history = { isDeep: false, eachDay: () => undefined, eachMinute: () => undefined };
  const bars = new BarStore({ clock, history, minutes: true });
  const log = createLog(() => undefined);
  const keeper = new BarKeeper({ db, source, bars, seen, adjustments: NO_ADJUSTMENTS, log });
  const show = (last: number): void => {
    bars.takeQuote({ ...emptyStock('BHP'), last, volume: last * 100 }, null);
  };
  return { bars, keeper, show };
}

test('the bars of another source are neither read nor overwritten', async () => {
  const db = openMemoryDb();
  for (const [source, last] of [
    ['elsewhere', 5],
    ['own', 6],
  ] as const) {
    const run = aRun(db, source, '2026-11-18');
    run.show(last);
    run.keeper.stop();
  }
  for (const [source, close] of [
    ['elsewhere', 5],
    ['own', 6],
    ['new', undefined],
  ] as const) {
    const { bars, keeper } = aRun(db, source, '2026-11-19');
    await keeper.restore();
    const kept = bars.get('BHP');
    expect([kept?.days.last()?.close, kept?.minutes.last()?.close]).toEqual([close, close]);
  }
  db.$client.close();
});
