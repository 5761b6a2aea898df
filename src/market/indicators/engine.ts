import type { Family } from '../../domain/indicators/types.ts';
import type { Stock } from '../../domain/market/stock.ts';
import type { Log } from '../../lib/log.ts';
import type { History } from '../../sources/quotes/history.ts';
import type { Clock } from '../../lib/clock.ts';
import { type StockBars, finishDay } from '../bars/currentDay.ts';
import type { BarRow } from '../bars/rows.ts';
import { type BarStore, KEPT_DAYS, KEPT_MINUTE_DAYS } from '../bars/store.ts';
import { createEarlierRows } from '../bars/walk.ts';
import type { Market } from '../types.ts';
import { buildFrame, follow } from './build.ts';
import type { DemandItem } from '../../domain/indicators/demandItem.ts';
import { type Frame, writeFrame } from './frame.ts';
import { createValuesDraft, removalOf } from './draft.ts';
import { continuePlan, EMPTY_PLAN, makePlan, type Place, type IndicatorPlan } from './plan.ts';

export type Engine = {
  /** Computes these values from now on; those of before that are not among them are taken away. */
  setDemand(items: readonly DemandItem[], families: Readonly<Record<string, Family>>): void;
  /** Takes what the Market just applied. */
  note(codes: Iterable<string>): void;
  drop(codes: readonly string[]): void;
  /** Writes changed values into the Market: once per tick, before it is flushed. */
  write(): void;
  /** Called with the stocks when the market's date changed, before they are prepared for the new one. */
  onNewDay(listener: (stocks: Iterable<StockBars>) => void): void;
  /** Ends loading. */
  stop(): void;
  stats(): { values: number; frames: number; waiting: number };
};

export type EngineDeps = {
  market: Market;
  bars: BarStore;
  history: History;
  /** The wall clock: slices of loading are measured with it. */
  wall: Clock;
  log: Log;
  /** Runs a function after other work had its turn. */
  later?: (run: () => void) => void;
};

/** How long loading may keep the event loop, ms. */
const SLICE_MS = 6;
/** Stocks told in one tick; after a new column was chosen the others follow in the next ones. */
const MAX_STOCKS_PER_TICK = 1000;

/** Computes the values in use for all stocks, from bars, in step with the Market. */
export function createEngine({ market, bars, history, wall, log, later = setImmediate }: EngineDeps): Engine {
  const framesOf = new Map<string, Frame[]>();
  const changed = new Set<string>();
  const waiting = new Set<string>();
  const newDay = new Set<(stocks: Iterable<StockBars>) => void>();
  const past = { history, keyAt: bars.keyAt };
  const draft = createValuesDraft();
  let plan: IndicatorPlan = EMPTY_PLAN;
  let working = false;
  let stopped = false;

  /** Everything that a stock needs before its values are told, in steps short enough to stop between them. */
  function* prepare(code: string): Generator<undefined, void> {
    const current = plan;
    const stock = market.get(code);
    if (!stock) return;
    const stockBars = bars.open(code);
    bars.loadDays(stockBars);
    bars.note(stock, market.quoteTime(code));
    yield;
    if (current.usesMinutes) yield* bars.loadMinutes(stockBars);
    const before = framesOf.get(code) ?? [];
    const earlierRows = createEarlierRows(
      current.frames.map((frame) => frame.key),
      past,
    );
    const built: { frame: Frame; earlier: readonly BarRow[]; seen: StockBars['lastQuote'] }[] = [];
    for (const planned of current.frames) {
      const same = before.find((frame) => frame.plan === planned);
      const earlier = same ? [] : yield* earlierRows(stockBars, planned.key);
      const frame = same ?? buildFrame(planned, stockBars, earlier, history.isDeep);
      built.push({ frame, earlier, seen: stockBars.lastQuote });
      yield;
    }
    if (bars.get(code) !== stockBars) {
      // Dropped meanwhile: what was loaded into it since gives its memory back.
      stockBars.days.clear();
      stockBars.minutes.clear();
    }
    if (plan !== current || bars.get(code) !== stockBars) {
      waiting.add(code);
      return;
    }
    const frames = built.map(({ frame, earlier, seen }) => {
      // Only the stockBars saw what was traded since the frame was built.
      const isBehind = seen !== stockBars.lastQuote && !before.includes(frame);
      return isBehind ? buildFrame(frame.plan, stockBars, earlier, history.isDeep) : frame;
    });
    framesOf.set(code, frames);
    changed.add(code);
  }

  /** Puts a stock's new values into the Market. A fault costs that stock its values until the next day, not the others. */
  const tellStock = (stock: Stock): void => {
    draft.begin(stock);
    try {
      for (const frame of framesOf.get(stock.code) ?? []) writeFrame(frame, draft);
    } catch (error) {
      log.error('Indicators of a stock could not be computed; the others go on', { code: stock.code, error });
      framesOf.set(stock.code, []);
    }
    const values = draft.get();
    if (values) market.setValues(stock.code, values, values.patch);
  };

  const work = (steps: Generator<undefined, void> | null): void => {
    let current = steps;
    const started = wall.now();
    try {
      while (!stopped && wall.now() - started < SLICE_MS) {
        if (current?.next().done === false) continue;
        const [code] = waiting;
        if (code === undefined) {
          working = false;
          return;
        }
        waiting.delete(code);
        current = prepare(code);
      }
    } catch (error) {
      log.error('Indicators of a stock could not be prepared; the others go on', { error });
      current = null;
    }
    if (stopped) return;
    later(() => work(current));
  };

  const start = (): void => {
    if (working || stopped || waiting.size === 0) return;
    working = true;
    later(() => work(null));
  };

  const enqueueAll = (): void => {
    // What trades most is looked at first.
    const stocks = [...market.all().values()].sort((one, other) => (other.value ?? 0) - (one.value ?? 0));
    for (const { code } of stocks) waiting.add(code);
    start();
  };

  const beginDay = (): void => {
    for (const listener of newDay) listener(bars.all());
    framesOf.clear();
    changed.clear();
    for (const stockBars of [...bars.all()]) {
      if (history.isDeep) bars.drop(stockBars.code);
      else {
        finishDay(stockBars, bars.today());
        stockBars.days.dropBefore(stockBars.days.at(stockBars.days.length() - KEPT_DAYS)?.key ?? 0);
        stockBars.minutes.dropBefore((bars.today() - KEPT_MINUTE_DAYS * 1.6) * 1440);
      }
    }
    if (plan.frames.length > 0) enqueueAll();
  };

  return {
    setDemand(items, families) {
      const before = plan;
      plan = continuePlan(before, makePlan(items, families));
      bars.keepMinutes(plan.usesMinutes);
      const removal = removalOf(before, plan);
      if (removal.length > 0) removeFromAll(market, removal);
      if (plan.frames.length === 0) {
        framesOf.clear();
        waiting.clear();
        return;
      }
      enqueueAll();
    },
    note(codes) {
      if (bars.roll()) beginDay();
      for (const code of codes) {
        const stock = market.get(code);
        if (!stock) continue;
        if (history.isDeep && plan.frames.length === 0) continue;
        const noted = bars.note(stock, market.quoteTime(code));
        const frames = framesOf.get(code);
        if (!frames) {
          if (plan.frames.length > 0) waiting.add(code);
          continue;
        }
        const stockBars = noted && bars.get(code);
        if (!noted || !stockBars) continue;
        for (const frame of frames) follow(frame, stockBars, noted);
        changed.add(code);
      }
      start();
    },
    drop(codes) {
      for (const code of codes) {
        framesOf.delete(code);
        changed.delete(code);
        waiting.delete(code);
        bars.drop(code);
      }
    },
    write() {
      let told = 0;
      for (const code of changed) {
        if (told === MAX_STOCKS_PER_TICK) break;
        changed.delete(code);
        const stock = market.get(code);
        if (stock) tellStock(stock);
        told += 1;
      }
    },
    onNewDay: (listener) => void newDay.add(listener),
    stop() {
      stopped = true;
    },
    stats: () => ({
      values: plan.frames.reduce((sum, frame) => sum + frame.outputs.length, 0),
      frames: framesOf.size * plan.frames.length,
      waiting: waiting.size,
    }),
  };
}

function removeFromAll(market: Market, places: readonly Place[]): void {
  const draft = createValuesDraft();
  for (const stock of [...market.all().values()]) {
    if (!stock.indicators && !stock.htf) continue;
    draft.begin(stock);
    for (const place of places) draft.set(place, null);
    const values = draft.get();
    if (values) market.setValues(stock.code, values);
  }
}
