import type { Figures } from '#lib/inspection.ts';
import type { Family } from './rules/types.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { App, Part } from '#platform/app.ts';
import type { History } from '../sources/quotes.ts';
import { type Adjustments, AdjustmentWatch, canAdjust, NO_ADJUSTMENTS } from '../splits.ts';
import { dayOf } from '../rules/localTime.ts';
import { ChartBars } from '../bars/chartBars.ts';
import { SeenTimes } from '../bars/coverage.ts';
import type { UnseenSpan } from '../bars/rules/coverage.ts';
import { DayLines } from '../bars/runningBars.ts';
import { createPastBars } from '../bars/pastBars.ts';
import { BarKeeper } from '../bars/persist.ts';
import { BarStore } from '../bars/store.ts';
import type { ObservedMarket } from '../observed.ts';
import type { Demand } from './demand.ts';
import { Engine } from './engine.ts';

type ValuesNeeds = {
  demand: Demand;
  families: () => Readonly<Record<string, Family>>;
  /** Runs a function after other work; tests run it immediately. */
  later?: ((run: () => void) => void) | undefined;
  schedule?: Scheduler | undefined;
};

/** Columns are often chosen in groups, so changes within this time count as one. */
const SETTLE_MS = 500;

/** The history of a feed without a deep one: all known bars were stored by an earlier run. */
const NO_HISTORY: History = { isDeep: false, eachDay: () => undefined, eachMinute: () => undefined };

/** Follows the values in use: once at the start, then shortly after each change. */
class DemandFollower {
  private isSettling = false;
  private unfollow = (): void => undefined;
  private cancel = (): void => undefined;

  constructor(
    private readonly demand: Demand,
    private readonly schedule: Scheduler,
    private readonly follow: () => void,
  ) {}

  start(): void {
    this.unfollow = this.demand.listen(() => this.followSoon());
    this.follow();
  }

  stop(): void {
    this.unfollow();
    this.cancel();
  }

  private followSoon(): void {
    if (this.isSettling) return;
    this.isSettling = true;
    this.cancel = this.schedule(SETTLE_MS, () => {
      this.isSettling = false;
      this.follow();
    });
  }
}

function observe(market: ObservedMarket, engine: Engine, seen: SeenTimes | null): void {
  market.observe({
    name: 'values',
    applied(codes) {
      seen?.update();
      engine.note(codes);
    },
    removed: (codes) => engine.drop(codes),
    beforeFlush() {
      seen?.update();
      engine.write();
    },
    jumped: () => engine.jump(),
  });
}

function unseenBy(seen: SeenTimes | null, { recordedFrom }: History): () => readonly UnseenSpan[] {
  if (seen) return () => seen.unseen();
  const before = { from: Number.NEGATIVE_INFINITY, until: recordedFrom ?? 0, isOutage: true };
  const spans = recordedFrom === undefined ? [] : [before];
  return () => spans;
}

const watchAdjustments = (
  app: App,
  market: ObservedMarket,
  { engine, keeper }: { engine: Engine; keeper: BarKeeper },
): AdjustmentWatch =>
  new AdjustmentWatch({ ...app, log: app.log.child('adjustments') }, market, {
    beforeAdjustment: () => keeper.beforeAdjustment(),
    adjusted({ code, date, by }) {
      engine.adjust(code, dayOf(date), by);
      keeper.adjusted(code, dayOf(date));
    },
    rejoined(code, temporary) {
      keeper.rejoin(code, temporary);
      engine.reload(code);
    },
  });

const inspectionOf = <Known extends Figures>(summary: () => Known, demand: Demand) => ({
  label: 'Bars and computed indicators',
  description: 'Bars in memory, and indicator values computed from them.',
  summary: summary(),
  data: () => ({ ...summary(), computed: demand.current() }),
});

export function createValues(app: App, needs: ValuesNeeds) {
  const { clock: stopwatch, db, market, source } = app;
  const { demand, families, later, schedule = timerScheduler } = needs;
  const log = app.log.child('values');
  const history = source.history ?? NO_HISTORY;
  const seen = history.isDeep ? null : new SeenTimes(app);
  const bars = new BarStore({
    clock: source.clock,
    history,
    minutes: source.hasMinutes,
    unseen: unseenBy(seen, history),
  });
  const engine = new Engine({ market, bars, history, stopwatch, log, ...(later && { later }) });
  const kept = { db, source: source.name, bars, seen, log };
  const late: Adjustments = {
    of: (code) => adjustments.of(code),
    latest: (...asked) => adjustments.latest(...asked),
  };
  const keeper = seen && new BarKeeper({ ...kept, seen, adjustments: late });
  if (keeper) engine.onNewDay(() => keeper.save());
  const watch = keeper && canAdjust(source) ? watchAdjustments(app, market, { engine, keeper }) : null;
  const adjustments: Adjustments = watch ?? NO_ADJUSTMENTS;

  const following = new DemandFollower(demand, schedule, () => {
    const computed = demand.current().filter((item) => !source.ownValues?.has(item));
    engine.setDemand(computed, computed.length === 0 ? {} : families());
  });
  const summary = () => ({ ...bars.stats(), ...engine.stats(), heldForCharts: chart.held() });

  const known = { bars, history, clock: source.clock, hasMinutes: source.hasMinutes, seen };
  const savedDays = (code: string) => keeper?.daysOf(code) ?? [];
  const chart = new ChartBars({ ...known, market, savedDays, adjustments });

  observe(market, engine, seen);
  if (watch) market.observe(watch);
  return {
    name: 'values',
    service: { ...createPastBars(known), adjustments, chart, dayLines: new DayLines({ ...known, market }) },
    async start() {
      watch?.restore();
      await keeper?.restore();
      keeper?.start();
      following.start();
    },
    stop() {
      following.stop();
      engine.stop();
      keeper?.stop();
      watch?.save();
    },
    prune: () => ({ removed: keeper?.prune() ?? 0, hasMore: false }),
    inspect: () => inspectionOf(summary, demand),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    values: ReturnType<typeof createValues>['service'];
  }
}
