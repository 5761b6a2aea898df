import { expect, test } from 'bun:test';
import { NO_SCANS } from '../../../../src/subjects/conditions/rules/savedScan.ts';
import { emptyStock } from '../../../../src/market/rules/stock.ts';
import { Rehearsals } from '../../../../src/subjects/alerts/server/rehearsal/service.ts';
import { AppError } from '../../../../src/platform/http/errors.ts';
import { ReadQueue } from '../../../../src/platform/http/readQueue.ts';
import { allOf, field, number } from '../../../support/conditions.ts';
import { CATALOG, flatMinutes, givenBars } from '../../../support/pastBars.ts';

const LOGIC = allOf({ lhs: field('last'), op: 'crosses_above', rhs: number(10) });
const sent = { symbol: ' bhp ', logic_json: LOGIC };

/** A service whose work goes on only when the test says so. */
function setUp({ listed = ['BHP'] }: { listed?: string[] } = {}) {
  const turns: (() => void)[] = [];
  let reading = 0;
  // Every look at the watch takes a millisecond, so that slices end.
  const stopwatch = { monotonic: () => (reading += 1) };
  const reads = new ReadQueue({ stopwatch, later: (run) => void turns.push(run) });
  const service = new Rehearsals({
    past: givenBars([], flatMinutes('2026-11-16', [9, 11, 9, 11])),
    market: { all: () => new Map(listed.map((code) => [code, emptyStock(code)])) },
    catalog: () => CATALOG,
    scansOf: () => NO_SCANS,
    preview: () => ({ at: null, notEvaluated: null, conditions: [], holds: null, guard: null }),
    stopwatch,
    reads,
  });
  function work(): number {
    let slices = 0;
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      turn();
      slices += 1;
    }
    return slices;
  }
  return { service, reads, work };
}

test('a saved scan that is gone is left out, and said', async () => {
  const { service, work } = setUp();
  const lhs = { type: 'scan', id: 7, name: 'Mine' };
  const logic_json = { op: 'AND', conditions: [{ lhs, op: '>', rhs: 0.5 }, ...LOGIC.conditions] };
  const answer = service.rehearse(1, { ...sent, logic_json });
  work();
  const { notRehearsed, minutes } = await answer;
  expect(notRehearsed[0]).toStartWith('Past bars don’t include my scan that was deleted:');
  expect(minutes?.fired).toBe(2);
});

async function refusalOf(promise: Promise<unknown>): Promise<{ status: number; message: string }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AppError) return { status: error.status, message: error.message };
    throw error;
  }
  throw new Error('It was not refused.');
}

test('A rehearsal is done in slices and answered', async () => {
  const { service, work } = setUp();
  const answer = service.rehearse(1, sent);
  expect(work()).toBeGreaterThan(1);
  expect((await answer).minutes?.fired).toBe(2);
});

test('A cooldown is checked, and obeyed', async () => {
  const { service, work } = setUp();
  const answer = service.rehearse(1, { ...sent, cooldown_minutes: 30 });
  work();
  expect((await answer).minutes?.fired).toBe(1);
  expect(await refusalOf(service.rehearse(1, { ...sent, cooldown_minutes: 391 }))).toEqual({
    status: 400,
    message:
      'The time for which an alert is quiet after it fired, in minutes, is a whole number from 1 to 390.',
  });
});

test('A newer one of the same user takes the place of the one that runs, another user’s does not', async () => {
  const { service, work } = setUp();
  const first = refusalOf(service.rehearse(1, sent));
  const other = service.rehearse(2, sent);
  const second = service.rehearse(1, sent);
  expect(await first).toEqual({ status: 429, message: 'A newer backtest replaced this one.' });
  work();
  expect((await other).minutes?.fired).toBe(2);
  expect((await second).minutes?.fired).toBe(2);
});

test('What can’t be run is refused with a sentence', async () => {
  const { service } = setUp();
  const messageOf = async (change: object) =>
    (await refusalOf(service.rehearse(1, { ...sent, ...change }))).message;
  expect(await messageOf({ symbol: 'XYZ' })).toBe('Select a symbol from the live list');
  expect(await messageOf({ logic_json: null })).toContain('is a list of conditions joined by AND.');
  expect(await messageOf({ logic_json: allOf() })).toContain('condition');
  const empty = setUp({ listed: [] });
  expect((await refusalOf(empty.service.rehearse(1, sent))).message).toBe(
    'Live symbol list unavailable. Try again shortly.',
  );
});

test('Thirty a minute and user', async () => {
  const { service, work } = setUp();
  for (let index = 0; index < 30; index += 1) {
    const answer = service.rehearse(1, sent);
    work();
    await answer;
  }
  const { status, message } = await refusalOf(service.rehearse(1, sent));
  expect(status).toBe(429);
  expect(message).toStartWith('Too many backtests. Try again in ');
});

test('Stopping answers those that wait', async () => {
  const { service, reads } = setUp();
  const waiting = refusalOf(service.rehearse(1, sent));
  reads.stop();
  expect((await waiting).status).toBe(503);
});
