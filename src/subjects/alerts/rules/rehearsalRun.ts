import { NO_SCANS, type ScanOf } from '#subjects/conditions/rules/savedScan.ts';
import type { Stock } from '#market/rules/stock.ts';
import { cooldownMs } from './cooldown.ts';
import { firesNow, HOLDING, type FiringState, stateHolding, RELEASED } from './firingState.ts';
import { OperandColumns } from './operandColumns.ts';
import { Program } from './program.ts';
import type { Span } from './programRows.ts';
import { TRUE, UNKNOWN } from './truth.ts';
import {
  type Firing,
  MAX_CHART_POINTS,
  MAX_FIRINGS,
  type RehearsalPeriod,
  type RehearsedAlert,
  type RehearsedPeriod,
  type Rehearsal,
  TOO_OFTEN,
} from './rehearsal.ts';
import { formatDate } from '#texts/format.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';

/** What was asked for: with fewer trading days the source is said to be short of them. */
export const MINUTE_DAYS = 5;
export const DAY_DAYS = 250;
/** Holidays, halts and days without a trade. */
const SPARE_DAYS = 10;

/** The run of one period; null when bars could not be had or never told enough. */
export type Runs = Partial<Record<RehearsalPeriod, RunResult | null>>;

/** Half of the list for each, and what the other leaves. */
function newestOf(minutes: readonly Firing[], days: readonly Firing[]): Firing[] {
  const half = MAX_FIRINGS / 2;
  const ofMinutes = minutes.slice(-Math.max(half, MAX_FIRINGS - days.length));
  const ofDays = days.slice(-(MAX_FIRINGS - ofMinutes.length));
  return [...ofDays, ...ofMinutes].sort((one, other) => one.at - other.at);
}

function shortText(noun: string, period: RehearsedPeriod | null, expected: number): string | null {
  if (period === null) return `Too few ${noun} are known to test this alert.`;
  if (period.tradingDays >= expected) return null;
  return `Tested on the ${noun} of ${period.tradingDays} trading ${period.tradingDays === 1 ? 'day' : 'days'} only, from ${formatDate(sydneyDate(period.from))}.`;
}

/**
 * @param sentences what is to be said besides what the runs show
 * @param holdsNow whether the conditions hold in the market now; null when that is not known
 */
export function rehearsalOf(
  runs: Runs,
  sentences: readonly string[],
  holdsNow: boolean | null = null,
): Rehearsal {
  const minutes = runs.minutes?.period ?? null;
  const days = runs.days?.period ?? null;
  const best = runs.minutes ?? runs.days;
  const perDay = best ? best.period.fired / Math.max(1, best.period.tradingDays) : 0;
  const busiestDay = best?.busiestDay ?? 0;
  const short = [
    runs.minutes === undefined ? null : shortText('minute bars', minutes, MINUTE_DAYS - 1),
    runs.days === undefined ? null : shortText('daily bars', days, DAY_DAYS - SPARE_DAYS),
  ];
  return {
    minutes,
    days,
    firings: newestOf(runs.minutes?.firings ?? [], runs.days?.firings ?? []),
    perDay: Math.round(perDay * 100) / 100,
    busiestDay,
    holdsNow: holdsNow ?? best?.holds ?? null,
    tooOften: busiestDay > TOO_OFTEN,
    notRehearsed: [...sentences, ...short.filter((text) => text !== null)],
  };
}

type RunResult = {
  period: RehearsedPeriod;
  firings: Firing[];
  busiestDay: number;
  /** The conditions held at its end. */
  holds: boolean;
};

const MINUTE_MS = 60_000;

/** The last price of each bar that was looked at, for a chart. */
class Chart {
  private readonly times: number[] = [];
  private readonly closes: number[] = [];
  private bar = Number.NaN;

  constructor(private readonly kind: RehearsalPeriod) {}

  add(at: number, day: number, price: number): void {
    const next = this.kind === 'days' ? day : Math.floor(at / MINUTE_MS);
    const index = next === this.bar ? this.times.length - 1 : this.times.length;
    this.bar = next;
    this.times[index] = at;
    this.closes[index] = price;
  }

  /** The newest and, where there are too many, of this many in a row one. */
  points(): Pick<RehearsedPeriod, 'times' | 'closes'> {
    const { times, closes } = this;
    const stride = Math.ceil(times.length / MAX_CHART_POINTS);
    const isShown = (_: number, index: number): boolean => (times.length - 1 - index) % stride === 0;
    return { times: times.filter(isShown), closes: closes.filter(isShown) };
  }
}

/**
 * Runs a persistent alert over past moments by the rules of the engine (`Program`, `firingState.ts`). It is taken to be in
 * the middle of its life: what holds at the first moment does not fire then.
 */
export class RehearsalRun {
  private readonly columns = new OperandColumns();
  private readonly program = new Program(this.columns);
  private readonly span: Span;
  private readonly used: readonly number[];
  private readonly coolMs: number;
  private readonly chart: Chart;
  /** How often it fired, by the day. */
  private readonly byDay = new Map<number, number>();
  private readonly firings: Firing[] = [];
  private from: number | null = null;
  private to = 0;
  private state: FiringState = HOLDING;
  private firedAt = Number.NEGATIVE_INFINITY;
  private fired = 0;
  /** What holds began to in this run. */
  private hasBegun = false;
  private last: { stock: Stock; day: number } | null = null;

  constructor(
    { logic, cooldownMinutes }: RehearsedAlert,
    private readonly kind: RehearsalPeriod,
    scanOf: ScanOf = NO_SCANS,
  ) {
    this.coolMs = cooldownMs(cooldownMinutes);
    this.span = this.program.add(logic, scanOf);
    this.used = this.program.columnsOf(this.span);
    this.chart = new Chart(kind);
  }

  /**
   * Takes the stock as it was at a moment, in the order of time.
   * @param at epoch ms; @param day its day number
   */
  readonly look = (stock: Stock, at: number, day: number): void => {
    const { program, span, state } = this;
    this.columns.read(this.used, stock, at, 'traded');
    const truth = program.truthOf(span.first, span.count);
    if (truth === UNKNOWN) return;
    if (!this.byDay.has(day)) this.byDay.set(day, 0);
    const holds = truth === TRUE;
    const limits = { isPersistent: true, isSnoozed: false, isCooling: at - this.firedAt < this.coolMs };
    if (holds && firesNow(state, limits)) this.fire(stock, at, day);
    this.hasBegun = holds && (this.hasBegun || state !== HOLDING);
    this.last = { stock, day };
    this.state = holds ? stateHolding(state, limits) : RELEASED;
    program.note(span.first, span.count);
    this.from ??= at;
    this.to = at;
    this.chart.add(at, day, stock.last ?? 0);
  };

  /**
   * Conditions that are true at the end, and did not begin to be so in what was run, count once, at the end: that is what an
   * alert does that is saved now.
   * @param holdsNow whether they hold in the market now; null where that is not known, and the end of the run decides
   * @returns null when the conditions could never be evaluated
   */
  result(holdsNow: boolean | null): RunResult | null {
    const { from, last, to, byDay } = this;
    if (from === null || last === null) return null;
    const holds = this.state === HOLDING;
    if ((holdsNow ?? holds) && !this.hasBegun) this.fire(last.stock, to, last.day);
    return {
      holds,
      period: { from, to, tradingDays: byDay.size, fired: this.fired, ...this.chart.points() },
      firings: this.firings.slice(-MAX_FIRINGS),
      busiestDay: Math.max(0, ...byDay.values()),
    };
  }

  private fire(stock: Stock, at: number, day: number): void {
    this.firedAt = at;
    this.fired += 1;
    this.byDay.set(day, (this.byDay.get(day) ?? 0) + 1);
    this.firings.push({ at, price: stock.last ?? 0, period: this.kind });
    if (this.firings.length > 2 * MAX_FIRINGS) this.firings.splice(0, MAX_FIRINGS);
  }
}
