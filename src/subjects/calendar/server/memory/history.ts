import type { App } from '#platform/app.ts';
import type { Steps } from '#platform/http/readQueue.ts';
import {
  largestOf,
  averageMoves,
  type Case,
  type Horizon,
  HORIZONS,
  isOpenAround,
  type Measured,
  notMeasured,
} from '#subjects/calendar/rules/marketMoves.ts';
import { measureByBars, stockChanges } from './measure.ts';
import type { MarketReaction, MoveStore } from './moveStore.ts';
import type { Wire } from '#lib/contract/fields.ts';
import { AppError } from '#platform/http/errors.ts';
import type { historyAnswer } from '#subjects/calendar/answers/calendar.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { correctionOf, measureSurprise, type Outcome } from '#subjects/calendar/rules/outcomes.ts';
import { isPublished, seriesKey } from '#subjects/calendar/rules/events.ts';
import type { CalendarSource } from '#market/sources/calendar.ts';
import type { MoveKeeper } from './moveKeeper.ts';
import { type OutcomeStore, outcomeOf } from './recorder.ts';

/** Limit of cached reactions, which have a few hundred bytes each. */
const MAX_HELD = 500;

/** Market reactions for sources that can generate any past: measured when needed, and cached. */
export class PastMoves {
  readonly #held = new Map<number, MarketReaction>();

  constructor(private readonly app: App) {}

  *read(time: number): Steps<MarketReaction> {
    const held = this.#held.get(time);
    if (held) return held;
    const { market, values } = this.app;
    const move = yield* measureByBars(values, largestOf(market.all().values()), time);
    if (move.codes.length === 0) return move;
    if (this.#held.size >= MAX_HELD) this.#held.clear();
    this.#held.set(time, move);
    return move;
  }
}

export type HistoryAnswer = Wire<typeof historyAnswer>;
type Release = HistoryAnswer['releases'][number];
type StockMove = NonNullable<Release['stock5']>;

const SHOWN_RELEASES = 8;
/** Limit of releases over which the standard deviation is measured: ten years of a monthly figure. */
const MAX_RELEASES = 120;
/** Weeks of a simulated calendar to generate. */
const PAST_WEEKS = 26;

const OTHER_CLOCK =
  'Price moves are not measured, because the market shown has another date than the calendar.';
const REPLAY = 'Price moves are not measured during a replay.';

type Memory = {
  outcomes: OutcomeStore;
  moves: MoveStore;
  keeper: MoveKeeper;
  /** Measures moves for sources that can generate any past again; null if moves are stored. */
  pastMoves: PastMoves | null;
  /** Whether events are timed by the market's clock. */
  isOnMarketClock: boolean;
};

type PastOutcome = { outcome: Outcome } & Case & {
    stock5: StockMove | null;
    stock30: StockMove | null;
  };

export class EventHistory {
  readonly #isReplay: boolean;

  constructor(
    private readonly app: App,
    private readonly memory: Memory,
  ) {
    this.#isReplay = app.source.replay !== undefined;
  }

  /** @param symbol normalised; null for none @throws AppError 404 for an event that is not in the calendar */
  *read(eventId: string, symbol: string | null): Steps<HistoryAnswer> {
    const { calendar } = this.app;
    const event = calendar.events().get(eventId);
    if (!event) throw new AppError(404, 'That event is no longer in the calendar.');
    const { outcomes, remembered } = this.#isReplay ? { outcomes: [], remembered: 0 } : this.#outcomes(event);
    const lines: PastOutcome[] = [];
    for (const [index, outcome] of outcomes.slice(0, SHOWN_RELEASES).entries()) {
      const move = yield* this.#moveOf(outcome.time);
      lines.push(this.#withMarket(outcome, outcomes.slice(index + 1), move, symbol));
    }
    return {
      releases: lines.map((one, index) => toRelease(one, lines[index - 1]?.outcome ?? null)),
      remembered,
      unit: event.unit,
      averages: averageMoves(lines),
      symbol,
      simulated: calendar.memory.past !== null,
      note: this.#isReplay ? REPLAY : this.memory.isOnMarketClock ? null : OTHER_CLOCK,
    };
  }

  /** Past releases of a series, newest first. */
  #outcomes(event: CalendarEvent): { outcomes: Outcome[]; remembered: number } {
    const { past } = this.app.calendar.memory;
    const { outcomes: store } = this.memory;
    if (past !== null) {
      const outcomes = this.#pastOf(event, past);
      return { outcomes, remembered: outcomes.length };
    }
    const seriesId = store.seriesOf(event);
    if (seriesId === null) return { outcomes: [], remembered: 0 };
    return {
      outcomes: store.newest(seriesId, MAX_RELEASES),
      remembered: store.count(seriesId),
    };
  }

  #pastOf(event: CalendarEvent, past: NonNullable<CalendarSource['past']>): Outcome[] {
    return past(seriesKey(event), this.app.calendar.memory.clock.now(), PAST_WEEKS)
      .flatMap((one) => (isPublished(one) ? (outcomeOf(one) ?? []) : []))
      .sort((a, b) => b.time - a.time);
  }

  *#moveOf(time: number): Steps<MarketReaction | null> {
    const { isOnMarketClock, keeper, moves, pastMoves } = this.memory;
    if (!isOnMarketClock || !isOpenAround(time, HORIZONS[0])) return null;
    // While minutes are still missing, only those so far are used.
    if (keeper.isPending(time)) return yield* keeper.soFar(time);
    return pastMoves === null ? moves.get(time) : yield* pastMoves.read(time);
  }

  #withMarket(
    outcome: Outcome,
    earlier: readonly Outcome[],
    move: MarketReaction | null,
    symbol: string | null,
  ): PastOutcome {
    const { time } = outcome;
    const market = {
      5: move?.after5 ?? this.#whyNot(time, 5),
      30: move?.after30 ?? this.#whyNot(time, 30),
    };
    const changes = symbol === null ? null : this.#stockChanges(symbol, time, move);
    const stock5 = changes && stockMove(changes[5], market[5]);
    const stock30 = changes && stockMove(changes[30], market[30]);
    return {
      outcome,
      surprise: measureSurprise(outcome, earlier),
      market,
      stock: stock5 && stock30 && { 5: stock5.change, 30: stock30.change },
      stock5,
      stock30,
    };
  }

  #whyNot(time: number, minutes: Horizon): Measured {
    const { isOnMarketClock, keeper } = this.memory;
    if (!isOnMarketClock) return notMeasured('otherClock');
    if (!isOpenAround(time, minutes)) return notMeasured('shut');
    return notMeasured(keeper.isPending(time) ? 'pending' : 'unknown');
  }

  /** A stock's changes: stored for the largest stocks; otherwise from minute bars while those are stored. */
  #stockChanges(symbol: string, time: number, move: MarketReaction | null): Record<Horizon, number | null> {
    const nothing = { 5: null, 30: null };
    const index = move?.codes.indexOf(symbol) ?? -1;
    if (move === null) return nothing;
    if (index >= 0)
      return {
        5: move.changes5[index] ?? null,
        30: move.changes30[index] ?? null,
      };
    return stockChanges(this.app.values, symbol, time) ?? nothing;
  }
}

/** A stock's change. It counts only if the market's does, so not while the market was closed or prices were missing. */
function stockMove(change: number | null, market: Measured): StockMove {
  if (market.state !== 'measured') return { state: market.state, change: null };
  return change === null ? { state: 'unknown', change: null } : { state: 'measured', change };
}

const toMove = ({ state, reaction }: Measured): NonNullable<Release['after5']> => ({
  state,
  change: reaction?.change ?? null,
  up: reaction?.up ?? 0,
  down: reaction?.down ?? 0,
  counted: reaction?.counted ?? 0,
});

const toRelease = (
  { outcome, surprise, market, stock5, stock30 }: PastOutcome,
  next: Outcome | null,
): Release => ({
  time: new Date(outcome.time).toISOString(),
  actual: outcome.actual,
  consensus: outcome.consensus,
  previous: outcome.previous,
  corrected: correctionOf(outcome, next),
  potency: outcome.potency,
  surprise,
  after5: toMove(market[5]),
  after30: toMove(market[30]),
  stock5,
  stock30,
});
