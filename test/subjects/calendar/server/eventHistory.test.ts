import type { MoveKeeper } from '#subjects/calendar/server/memory/moveKeeper.ts';
import { appOf, standIn } from '#support/appOf.ts';
import { expect, test } from 'bun:test';
import type { PastBars } from '#market/bars/pastBars.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createMinuteKeys } from '#market/rules/localTime.ts';
import { emptyStock } from '#market/rules/stock.ts';
import { finish } from '#platform/http/readQueue.ts';
import { EventHistory, PastMoves } from '#subjects/calendar/server/memory/history.ts';
import { MoveStore } from '#subjects/calendar/server/memory/moveStore.ts';
import { OutcomeStore } from '#subjects/calendar/server/memory/recorder.ts';
import { aCalendarEvent } from '#support/aCalendarEvent.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { row } from '#support/pastBars.ts';

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;
const AT = fromSydney('2026-11-18', 11, 30);
const keyAt = createMinuteKeys();

/** BHP rises by 1 % a minute after each half hour of the day, and again a quarter of an hour later. */
const minutesOn: PastBars['minutesOn'] = (code, date) => {
  const half = keyAt(fromSydney(date, 11, 30));
  const at = (minute: number, price: number) => row(half + minute, [price, price, price, price]);
  return code === 'BHP' ? [at(-5, 100), at(1, 101), at(16, 102)] : [];
};

function historyAt(isPending: boolean) {
  const db = openMemoryDb();
  const week = (ago: number) =>
    aCalendarEvent({
      series: 's',
      actual: 2 + ago,
      dateUtc: new Date(AT - ago * WEEK).toISOString(),
    });
  const bhp = { ...emptyStock('BHP'), marketCap: 100 };
  const app = appOf({
    source: {},
    values: { minutesOn, gaps: () => [] },
    market: { all: () => new Map([['BHP', bhp]]) },
    calendar: {
      events: () => new Map([['now', week(0)]]),
      memory: {
        source: 'simulator',
        clock: { now: () => AT + MINUTE },
        past: () => [week(0), week(1)],
        revision: () => 0,
      },
    },
  });
  return new EventHistory(app, {
    outcomes: new OutcomeStore(db, 'simulator'),
    moves: new MoveStore(db, 'simulator'),
    keeper: standIn<MoveKeeper>({
      isPending: (time) => isPending && time === AT,
      *soFar() {
        yield;
        return null;
      },
    }),
    pastMoves: new PastMoves(app),
    isOnMarketClock: true,
  });
}

test('simulated reactions are measured on request, but only with all minutes', () => {
  const { releases, simulated } = finish(historyAt(false).read('now', 'BHP'));
  expect(simulated).toBe(true);
  expect(releases.map(({ actual }) => actual)).toEqual([2, 3]);
  for (const { after5, after30, stock30 } of releases) {
    expect(after5).toMatchObject({ state: 'measured', up: 1, counted: 1 });
    expect(after5?.change).toBeCloseTo(1, 9);
    expect(after30?.change).toBeCloseTo(2, 9);
    expect(stock30?.change).toBeCloseTo(2, 9);
  }
  const [running, before] = finish(historyAt(true).read('now', 'BHP')).releases;
  const pending = { state: 'pending', change: null };
  expect(running).toMatchObject({
    after5: pending,
    after30: pending,
    stock30: pending,
  });
  expect(before).toMatchObject({ after30: { state: 'measured' } });
});
