import type { Logic } from '../../conditions/rules/condition.ts';
import { NO_SCANS, type ScanOf } from '../../conditions/rules/savedScan.ts';
import type { Stock } from '../../../market/rules/stock.ts';
import { COOLDOWN_MS } from './cooldown.ts';
import { firesNow, HOLDING, type Latch, latchHolding, RELEASED } from './latch.ts';
import { OperandColumns } from './operandColumns.ts';
import { Program } from './program.ts';
import { TRUE, UNKNOWN } from './truth.ts';
import {
  type Firing,
  MAX_CHART_POINTS,
  MAX_FIRINGS,
  type RehearsalPeriod,
  type RehearsedPeriod,
} from './rehearsal.ts';

/** One period as it is run, moment by moment. */
export type RehearsalRun = {
  /**
   * Takes the stock as it was at a moment, in the order of time.
   * @param at epoch ms; @param day its day number
   */
  look(stock: Stock, at: number, day: number): void;
  /**
   * Conditions that are true at the end, and did not begin to be so in what was run, count once, at the end: that is what an
   * alert does that is saved now.
   * @param holdsNow whether they hold in the market now; null where that is not known, and the end of the run decides
   * @returns null when the conditions could never be evaluated
   */
  result(holdsNow: boolean | null): RunResult | null;
};

export type RunResult = {
  period: RehearsedPeriod;
  firings: Firing[];
  busiestDay: number;
  /** The conditions held at its end. */
  holds: boolean;
};

const MINUTE_MS = 60_000;

/** The last price of each bar that was looked at, for a chart. */
function createChart(kind: RehearsalPeriod) {
  const times: number[] = [];
  const closes: number[] = [];
  let bar = Number.NaN;
  return {
    add(at: number, day: number, price: number): void {
      const next = kind === 'days' ? day : Math.floor(at / MINUTE_MS);
      const index = next === bar ? times.length - 1 : times.length;
      bar = next;
      times[index] = at;
      closes[index] = price;
    },
    /** The newest and, where there are too many, of so many in a row one. */
    points(): Pick<RehearsedPeriod, 'times' | 'closes'> {
      const stride = Math.ceil(times.length / MAX_CHART_POINTS);
      const isShown = (_: number, index: number): boolean => (times.length - 1 - index) % stride === 0;
      return { times: times.filter(isShown), closes: closes.filter(isShown) };
    },
  };
}

/** Counts what happens by the day. */
function createDayCounts() {
  const byDay = new Map<number, number>();
  return {
    see: (day: number) => void (byDay.has(day) || byDay.set(day, 0)),
    add: (day: number) => void byDay.set(day, (byDay.get(day) ?? 0) + 1),
    days: () => byDay.size,
    most: () => Math.max(0, ...byDay.values()),
  };
}

/**
 * Runs a persistent alert over past moments by the rules of the engine (`Program`, `latch.ts`). It is taken to be in the
 * middle of its life: what holds at the first moment does not fire then.
 * @param scanOf the saved scans that the conditions may read
 */
export function createRehearsalRun(
  logic: Logic,
  kind: RehearsalPeriod,
  scanOf: ScanOf = NO_SCANS,
): RehearsalRun {
  const columns = new OperandColumns();
  const program = new Program(columns);
  const span = program.add(logic, scanOf);
  const used = [...program.columnsOf(span)];
  const counts = createDayCounts();
  const firings: Firing[] = [];
  const chart = createChart(kind);
  let from: number | null = null;
  let to = 0;
  let latch: Latch = HOLDING;
  let firedAt = Number.NEGATIVE_INFINITY;
  let fired = 0;
  /** What holds began to in this run. */
  let hasBegun = false;
  let last: { stock: Stock; day: number } | null = null;

  function fire(stock: Stock, at: number, day: number): void {
    firedAt = at;
    fired += 1;
    counts.add(day);
    firings.push({ at, price: stock.last ?? 0, period: kind });
    if (firings.length > 2 * MAX_FIRINGS) firings.splice(0, MAX_FIRINGS);
  }

  return {
    look(stock, at, day) {
      columns.read(used, stock, at, 'traded');
      const truth = program.truthOf(span.first, span.count);
      if (truth === UNKNOWN) return;
      counts.see(day);
      const holds = truth === TRUE;
      const firing = { isPersistent: true, isSnoozed: false, isCooling: at - firedAt < COOLDOWN_MS };
      if (holds && firesNow(latch, firing)) fire(stock, at, day);
      hasBegun = holds && (hasBegun || latch !== HOLDING);
      last = { stock, day };
      latch = holds ? latchHolding(latch, firing) : RELEASED;
      program.note(span.first, span.count);
      from ??= at;
      to = at;
      chart.add(at, day, stock.last ?? 0);
    },
    result(holdsNow) {
      if (from === null || last === null) return null;
      const holds = latch === HOLDING;
      if ((holdsNow ?? holds) && !hasBegun) fire(last.stock, to, last.day);
      return {
        holds,
        period: { from, to, tradingDays: counts.days(), fired, ...chart.points() },
        firings: firings.slice(-MAX_FIRINGS),
        busiestDay: counts.most(),
      };
    },
  };
}
