import { DAY_MS } from '#lib/units.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import type { App, Part, Pruned } from '#platform/app.ts';
import { createCallerKey, createCallerLimit } from '#platform/http/requestLimits.ts';
import { serve } from '#platform/http/routes.ts';
import { CALENDAR } from '#subjects/calendar/contract.ts';
import { EventHistory, PastMoves } from './history.ts';
import { MoveKeeper } from './moveKeeper.ts';
import { MoveStore } from './moveStore.ts';
import { OutcomeStore, OutcomeRecorder } from './recorder.ts';

/** How long figures are stored: ten years, which a monthly figure needs for a useful standard deviation. */
export const KEPT_MS = 3653 * DAY_MS;
const MAX_A_MINUTE = 120;

function createParts(app: App) {
  const { clock, db, source } = app;
  const { memory } = app.calendar;
  const outcomes = new OutcomeStore(db, memory.source);
  const moves = new MoveStore(db, source.name);
  const isReplay = source.replay !== undefined;
  const keeper = new MoveKeeper(app, moves);
  const isDeep = source.history?.isDeep === true;
  // A real market and a real calendar both use the wall clock.
  const isOnMarketClock = memory.clock === source.clock || (!isDeep && memory.clock === clock);
  return {
    outcomes,
    moves,
    keeper,
    recorder: new OutcomeRecorder(app, outcomes),
    /** Whether figures are stored. A simulated calendar can generate them again, and a replay must not store any. */
    records: memory.past === null && !isReplay,
    measures: isOnMarketClock && !isReplay && !isDeep,
    history: new EventHistory(app, {
      outcomes,
      moves,
      keeper,
      pastMoves: isDeep ? new PastMoves(app) : null,
      isOnMarketClock,
    }),
  };
}

const routeOf = (app: App, history: EventHistory) => {
  const countRead = createCallerLimit(app, MAX_A_MINUTE, 'Too many requests for past events.');
  const callerKey = createCallerKey(app);
  return serve(CALENDAR, {
    'GET /api/calendar/events/:eventId/history': async ({ user, request, params, query }) => {
      countRead(user, request);
      const symbol = normaliseSymbol(query.symbol ?? '') || null;
      const steps = history.read(params.eventId, symbol);
      return await app.reads.run(callerKey(user, request), 'event history', steps);
    },
  });
};

/**
 * Stores the calendar's figures for ten years, with the market reaction to each. It checks every 15 s for due moments
 * and costs nothing per price.
 */
export function createCalendarMemory(app: App) {
  const { outcomes, moves, keeper, recorder, records, measures, history } = createParts(app);
  let isRunning = false;
  const counts = () => ({ ...keeper.counts(), figures: outcomes.count() });
  return {
    name: 'calendarMemory',
    routes: () => routeOf(app, history),
    start() {
      if (measures) keeper.restore();
      isRunning = true;
    },
    stop() {
      isRunning = false;
    },
    onChanges() {
      if (!isRunning) return;
      if (records) recorder.check();
      if (measures) keeper.check();
    },
    prune(): Pruned {
      const before = app.clock.now() - KEPT_MS;
      return {
        removed: outcomes.prune(before) + moves.prune(before),
        hasMore: false,
      };
    },
    inspect: () => ({
      label: 'Calendar’s memory',
      description: 'Published figures, and the price moves after them.',
      summary: counts(),
      data: counts,
    }),
  } satisfies Part;
}
