import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import type { App, Part, Pruned } from '#platform/app.ts';
import { createCallerKey, createCallerLimit } from '#platform/http/requestLimits.ts';
import { serve } from '#platform/http/routes.ts';
import { CALENDAR } from '#subjects/calendar/contract.ts';
import { EventHistory, PastMoves } from './history.ts';
import { MoveKeeper } from './moveKeeper.ts';
import { MoveStore } from './moveStore.ts';
import { OutcomeStore, OutcomeRecorder } from './recorder.ts';

const DAY_MS = 86_400_000;
/** Ten years: what a month's figure needs to say anything. */
export const KEPT_MS = 3653 * DAY_MS;
/** Rows that are opened one after the other, and then some. */
const MAX_A_MINUTE = 120;

/** What remembers, connected. */
function createPieces(app: App) {
  const { clock, db, source } = app;
  const { memory } = app.calendar;
  const outcomes = new OutcomeStore(db, memory.source);
  const moves = new MoveStore(db, source.name);
  const isReplay = source.replay !== undefined;
  const keeper = new MoveKeeper(app, moves);
  const isDeep = source.history?.isDeep === true;
  // A market that is not made up keeps the time of the wall, as a calendar does that is not.
  const isOnMarketClock = memory.clock === source.clock || (!isDeep && memory.clock === clock);
  return {
    outcomes,
    moves,
    keeper,
    recorder: new OutcomeRecorder(app, outcomes),
    /** Whether figures are to be kept: what is made up can be had again, and a replay leaves nothing. */
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
  const countRead = createCallerLimit(app, MAX_A_MINUTE, 'Too many looks at past events.');
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
 * Remembers the figures of the calendar for ten years, with what the market did after each. It looks for what is due every
 * quarter of a minute; nothing of it is done for each price.
 */
export function createCalendarMemory(app: App) {
  const { outcomes, moves, keeper, recorder, records, measures, history } = createPieces(app);
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
      if (records) recorder.look();
      if (measures) keeper.look();
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
      description: 'Figures that were published, and what the market did after them.',
      summary: counts(),
      data: counts,
    }),
  } satisfies Part;
}
