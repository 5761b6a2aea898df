import type { Catalog } from '#market/indicators/rules/types.ts';
import type { Stock } from '#market/rules/stock.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { type Condition, conditionsOf, isGroup, type Logic } from '#subjects/conditions/rules/condition.ts';
import { type Operand, operandText, type ScanRef } from '#subjects/conditions/rules/operand.ts';
import { SECTOR_FIELD } from '#subjects/conditions/rules/conditionFields.ts';
import { NO_SCANS, type ScanOf, watchable } from '#subjects/conditions/rules/savedScan.ts';
import { formatDate } from '#texts/format.ts';
import { cooldownMs } from './alert.ts';
import { firesNow, type FiringState, HOLDING, RELEASED, stateHolding } from './firingState.ts';
import { OperandColumns } from './operandColumns.ts';
import { Program, type Span } from './program.ts';
import { type Backtest, type BacktestedAlert, type BacktestedPeriod, TOO_OFTEN } from './backtest.ts';
import { TRUE, UNKNOWN } from './readiness.ts';

/** Trading days to test. If there are fewer, the result says so. */
export const MINUTE_DAYS = 5;
export const DAY_DAYS = 250;
/** Additional days to read, for holidays, halts and days without a trade. */
const SPARE_DAYS = 10;

export type BacktestPeriod = 'minutes' | 'days';

/** Results by period; null if there were no bars or they never decided the conditions. */
export type Runs = Partial<Record<BacktestPeriod, RunResult | null>>;

function shortText(noun: string, period: BacktestedPeriod | null, expected: number): string | null {
  if (period === null) return `There are too few ${noun} to backtest this alert.`;
  if (period.tradingDays >= expected) return null;
  return `Tested on the ${noun} of ${period.tradingDays} trading ${period.tradingDays === 1 ? 'day' : 'days'} only, from ${formatDate(sydneyDate(period.from))}.`;
}

/** @param sentences additional notes @param holdsNow whether the conditions hold in the market now; null if unknown */
export function backtestOf(
  runs: Runs,
  sentences: readonly string[],
  holdsNow: boolean | null = null,
): Backtest {
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
    perDay: Math.round(perDay * 100) / 100,
    busiestDay,
    holdsNow: holdsNow ?? best?.holds ?? null,
    tooOften: busiestDay > TOO_OFTEN,
    notRehearsed: [...sentences, ...short.filter((text) => text !== null)],
  };
}

type RunResult = {
  period: BacktestedPeriod;
  busiestDay: number;
  holds: boolean;
};

/**
 * Backtests a persistent alert by the engine's rules (`Program`, `firingState.ts`). Conditions that hold at the first
 * moment do not fire.
 */
export class BacktestRun {
  private readonly columns = new OperandColumns();
  private readonly program = new Program(this.columns);
  private readonly span: Span;
  private readonly used: readonly number[];
  private readonly coolMs: number;
  private readonly byDay = new Map<number, number>();
  private from: number | null = null;
  private to = 0;
  private state: FiringState = HOLDING;
  private firedAt = Number.NEGATIVE_INFINITY;
  private fired = 0;
  private hasBegun = false;
  private day = 0;

  constructor({ logic, cooldownMinutes }: BacktestedAlert, scanOf: ScanOf = NO_SCANS) {
    this.coolMs = cooldownMs(cooldownMinutes);
    this.span = this.program.add(logic, scanOf);
    this.used = this.program.columnsOf(this.span);
  }

  /** Evaluates one moment; call it in order of time. @param at epoch ms @param day its day number */
  readonly evaluate = (stock: Stock, at: number, day: number): void => {
    const { program, span, state } = this;
    this.columns.read(this.used, stock, at, 'traded');
    const truth = program.truthOf(span.first, span.count);
    if (truth === UNKNOWN) return;
    if (!this.byDay.has(day)) this.byDay.set(day, 0);
    const holds = truth === TRUE;
    const limits = { isPersistent: true, isSnoozed: false, isCooling: at - this.firedAt < this.coolMs };
    if (holds && firesNow(state, limits)) this.fire(at, day);
    this.hasBegun = holds && (this.hasBegun || state !== HOLDING);
    this.day = day;
    this.state = holds ? stateHolding(state, limits) : RELEASED;
    program.note(span.first, span.count);
    this.from ??= at;
    this.to = at;
  };

  /**
   * The result. Conditions that hold at the end without having begun to hold in the run count once, at the end, like
   * those of an alert that is saved now.
   * @param holdsNow whether they hold in the market now; if null, the end of the run decides
   * @returns null if the conditions could never be evaluated
   */
  result(holdsNow: boolean | null): RunResult | null {
    const { from, to, byDay } = this;
    if (from === null) return null;
    const holds = this.state === HOLDING;
    if ((holdsNow ?? holds) && !this.hasBegun) this.fire(to, this.day);
    return {
      holds,
      period: { from, to, tradingDays: byDay.size, fired: this.fired },
      busiestDay: Math.max(0, ...byDay.values()),
    };
  }

  private fire(at: number, day: number): void {
    this.firedAt = at;
    this.fired += 1;
    this.byDay.set(day, (this.byDay.get(day) ?? 0) + 1);
  }
}

/** Fields that can be computed from a day's bars so far and the previous close. */
const BAR_FIELDS: ReadonlySet<string> = new Set([
  'last',
  'close',
  'open',
  'high',
  'low',
  'volume',
  'value',
  'vwap',
  'pips',
  'change_percent',
  'gap_percent',
  'day_range',
  'minutes_since_open',
]);

/** Whether an operand needs minute bars, because a daily bar has no time of day and no average price. */
const needsMinutes = (operand: Operand): boolean =>
  operand.type === 'field'
    ? operand.key === 'minutes_since_open' || operand.key === 'vwap'
    : operand.type === 'indicator' && Number.isInteger(Number(operand.tf));

type Backtestable = {
  /**
   * The logic without conditions that bars cannot decide and groups with such a condition; it holds at least as often.
   */
  logic: Logic;
  /** Names of operands that bars cannot provide. */
  unknown: string[];
  /** Names of operands that need minute bars; if empty, daily bars can be used too. */
  ofMinutes: string[];
};

const sidesOf = (logic: Logic): Operand[] => conditionsOf(logic).flatMap(({ lhs, rhs }) => [lhs, rhs]);

type BacktestNames = {
  catalog: Pick<Catalog, 'indicators'>;
  scanOf: ScanOf;
  canCompute(operand: Extract<Operand, { type: 'indicator' }>): boolean;
  /** Keys of the known fields; absent for those that bars provide. */
  fields?: ReadonlySet<string>;
};

/** Splits conditions into those that past values decide and the others. A scan is decided if all its operands are. */
export function backtestable(
  logic: Logic,
  { catalog, scanOf, canCompute, fields = BAR_FIELDS }: BacktestNames,
): Backtestable {
  const unknown = new Set<string>();
  function sidesOfScan({ id }: ScanRef): Operand[] | null {
    const scan = watchable(scanOf(id));
    return scan && sidesOf(scan);
  }
  function isInBars(operand: Operand): boolean {
    if (operand.type === 'field') return fields.has(operand.key);
    if (operand.type === 'indicator') return canCompute(operand);
    if (operand.type === 'scan') return sidesOfScan(operand)?.every(isInBars) ?? false;
    return operand.type !== 'text' || fields.has(SECTOR_FIELD.key);
  }
  function isKnownInBars(operand: Operand): boolean {
    const inBars = isInBars(operand);
    if (!inBars && operand.type !== 'text') unknown.add(operandText(operand, catalog));
    return inBars;
  }
  // Checks both sides, so that every missing operand is named.
  const isRun = ({ lhs, rhs }: Condition): boolean => [lhs, rhs].map(isKnownInBars).every(Boolean);
  const conditions = logic.conditions.filter((member) =>
    isGroup(member) ? member.conditions.map(isRun).every(Boolean) : isRun(member),
  );
  const kept: Logic = { op: 'AND', conditions };
  const sides = sidesOf(kept).flatMap((operand) =>
    operand.type === 'scan' ? (sidesOfScan(operand) ?? []) : [operand],
  );
  const ofMinutes = new Set(sides.filter(needsMinutes).map((operand) => operandText(operand, catalog)));
  return { logic: kept, unknown: [...unknown], ofMinutes: [...ofMinutes] };
}

const MAX_NAMES = 4;

/** 'A', 'A and B', 'A, B and C'; a long list ends with a count. */
export function listText(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const shown = more > 1 ? [...names.slice(0, MAX_NAMES), `${more} more`] : names;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

export const ONLY_DAYS = 'The price source has no minute bars: only daily bars were tested.';

/**
 * The periods that can be run, the more exact first, and sentences about what is missing. @param hasMinutes whether the source has minute bars
 */
export function periodsOf(
  { logic, unknown, ofMinutes }: Backtestable,
  hasMinutes: boolean,
): { periods: BacktestPeriod[]; sentences: string[] } {
  const sentences: string[] = [];
  if (logic.conditions.length === 0) {
    return {
      periods: [],
      sentences: [`Past bars don’t include ${listText(unknown)}, so this can’t be backtested.`],
    };
  }
  if (unknown.length > 0) {
    sentences.push(
      `Past bars don’t include ${listText(unknown)}: conditions on it were left out, so this is the most the alert would fire.`,
    );
  }
  const minutes: BacktestPeriod[] = hasMinutes ? ['minutes'] : [];
  if (ofMinutes.length === 0) {
    if (!hasMinutes) sentences.push(ONLY_DAYS);
    return { periods: [...minutes, 'days'], sentences };
  }
  if (!hasMinutes) {
    sentences.push(
      `Daily bars don’t include ${listText(ofMinutes)}, and the price source has no minute bars.`,
    );
  }
  return { periods: minutes, sentences };
}
