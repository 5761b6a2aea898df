import { RecordedStock } from '#market/sessions/recordedStock.ts';
import { makePlan } from '#market/indicators/plan.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { type Adjustment, factorSince } from '#market/rules/splitAdjustment.ts';
import type { SessionReader, StockSession } from '#market/sessions/rules/sessionDay.ts';
import { OperandColumns } from '#subjects/alerts/rules/operandColumns.ts';
import { Program, type Span } from '#subjects/alerts/rules/program.ts';
import { isReady, readinessOf, UNKNOWN } from '#subjects/alerts/rules/readiness.ts';
import {
  IN,
  type Membership,
  membershipAfter,
  NEW,
  OUT,
  type ScanTraits,
  traitsOf,
} from '#subjects/alerts/rules/scanAlerts/membership.ts';
import { type Logic, operandsOf } from '#subjects/conditions/rules/condition.ts';
import { CONDITION_FIELDS } from '#subjects/conditions/rules/conditionFields.ts';
import { demandOfOperand } from '#subjects/conditions/rules/operand.ts';
import { type ScanOf, scanRefs, watchable } from '#subjects/conditions/rules/savedScan.ts';
import type { OddsScan } from '../../rules/asked.ts';
import type { LeftOut, OddsEntries, OddsResult } from '../../rules/result.ts';
import type { OddsSettings } from '../../rules/settings.ts';
import { resultOf } from '../../rules/statistics.ts';
import { canMatch, compileChecks, RowFinder } from './checks.ts';
import { CrossingSides } from './crossings.ts';
import { EntryStore } from './entryStore.ts';
import { type DailyBars, IndicatorDays } from './indicatorDays.ts';
import { MinuteChecks } from './minuteChecks.ts';
import { recordKeys } from './recordKeys.ts';
import { readableScan } from './scan.ts';
import { type RecordKey, SessionSeries } from '#market/sessions/series.ts';
import { SessionDay } from './session.ts';
import { type Since, Trades } from './trades.ts';

export type OddsNeeds = {
  scan: OddsScan;
  settings: OddsSettings;
  scanOf: ScanOf;
  catalog: Pick<Catalog, 'indicators'>;
  /** All sessions to read, oldest first, YYYY-MM-DD. */
  dates: readonly string[];
  adjustments(code: string): readonly Adjustment[];
  /** As the stream’s `flags.ignoreStatus`. */
  ignoreStatus: boolean;
  /** The stocks on the scan’s watchlists; null for all stocks. */
  listed?: ReadonlySet<string> | null;
  /** Names of stocks, for the filter by text. */
  names?(code: string): string;
  /** For indicators on days and longer; without them only recorded sessions count. */
  dailyBars?: DailyBars;
  since?: Since;
};

/** The compiled conditions of a scan; scan alerts compile them the same way. */
type Compiled = {
  program: Program;
  columns: OperandColumns;
  span: Span;
  used: readonly number[];
  traits: ScanTraits;
  finder: RowFinder;
  checks: ReturnType<typeof compileChecks>;
  minutes: MinuteChecks;
  crossings: CrossingSides | null;
  indicators: IndicatorDays | null;
  record: RecordedStock;
};

const NONE = -1;

const LACKS_DAYS =
  'Daily bars do not reach far enough back, so values of daily and longer bars are unknown in the first sessions.';

function compile(logic: Logic, needs: OddsNeeds, values: SessionSeries): Compiled {
  const { scanOf, ignoreStatus, catalog, adjustments } = needs;
  const columns = new OperandColumns(() => ignoreStatus);
  const program = new Program(columns);
  const span = program.add(logic, scanOf);
  const logics = [logic, ...scanRefs(logic).flatMap(({ id }) => watchable(scanOf(id)) ?? [])];
  const plan = makePlan(logics.flatMap(operandsOf).flatMap(demandOfOperand), catalog.indicators);
  const checks = compileChecks(logic, ignoreStatus);
  const dailyBars = needs.dailyBars ?? (() => []);
  return {
    program,
    columns,
    span,
    used: program.columnsOf(span),
    traits: traitsOf(logic),
    checks,
    finder: new RowFinder(checks, values),
    minutes: new MinuteChecks(logic, logics),
    crossings: span.hasCrossings ? new CrossingSides(program, span) : null,
    indicators: plan.frames.length > 0 ? new IndicatorDays(plan, dailyBars, adjustments, values) : null,
    record: new RecordedStock(recordKeys(logic, scanOf), values),
  };
}

/**
 * Finds when stocks began to match a scan in recorded sessions, and what happened afterwards. Sessions must be added
 * oldest first. Uses no value that was unknown in the minute of an entry.
 */
export class OddsRun {
  /** Why the scan cannot be asked about, as a sentence; null if it can. */
  readonly refused: string | null;
  private readonly compiled: Compiled | null;
  private readonly notes: readonly string[];
  private readonly values = new SessionSeries();
  private readonly store = new EntryStore();
  private readonly trades: Trades;
  private readonly gapMinutes: number[] = [];
  /** Members of the record that were never known so far. */
  private readonly unknown: Set<RecordKey>;
  private session: SessionDay | null = null;
  private factor = 1;
  private readonly evaluated = { row: NONE, minute: NONE };

  constructor(private readonly needs: OddsNeeds) {
    const { scan, settings, adjustments, scanOf } = needs;
    const { logic, notes } = readableScan(scan, needs);
    this.compiled = logic && compile(logic, needs, this.values);
    this.refused = logic ? null : (notes[0] ?? null);
    this.notes = notes;
    this.unknown = new Set(logic ? recordKeys(logic, scanOf) : []);
    this.trades = new Trades(settings, this.values, this.store, adjustments, needs.since);
  }

  begin({ date, gaps, isComplete }: Pick<SessionReader, 'date' | 'gaps' | 'isComplete'>): void {
    const session = new SessionDay({ date, gaps, isComplete }, this.needs.dates.indexOf(date));
    this.session = session;
    this.trades.beginSession(session);
    if (!this.compiled) return;
    const { minutes, indicators, record } = this.compiled;
    minutes.beginSession(session);
    indicators?.beginSession(session);
    record.beginSession(date);
  }

  /** Adds a stock’s session; each stock once per session. */
  stock(stock: StockSession): void {
    const { compiled, values } = this;
    if (!compiled || stock.rows === 0 || !this.isAsked(stock.code)) return;
    const { crossings, indicators, checks } = compiled;
    values.begin(stock);
    this.trades.begin(stock.code);
    if (this.unknown.size > 0) this.noteKnown();
    const isPossible = canMatch(checks, stock);
    if (!isPossible && !crossings && !indicators?.needs(stock.code)) return;
    this.beginStock(compiled, stock);
    if (isPossible) this.evaluateAll(compiled, stock);
    this.endStock(compiled, stock);
  }

  end(): void {
    if (!this.session) return;
    this.trades.endSession();
    this.gapMinutes.push(this.session.gapMinutes());
  }

  /** The result of the sessions so far. */
  result(): OddsResult {
    return resultOf({
      entries: this.store.figures(),
      dates: this.needs.dates,
      sessions: this.gapMinutes.length,
      gapMinutes: this.gapMinutes,
      leftOut: this.trades.leftOutSoFar(),
      notes: [...this.notes, ...this.unknownNotes()],
    });
  }

  /** Left-out entries of one session, with those that still wait for their exit. @param date one of the run’s */
  leftOutOf(date: string): Record<LeftOut, number> {
    return this.trades.leftOutOf(this.needs.dates.indexOf(date));
  }

  /** A page of the entries with a result, newest first. */
  entries(offset = 0, limit = Number.POSITIVE_INFINITY): OddsEntries {
    return this.store.page(this.needs.dates, offset, limit);
  }

  private isAsked(code: string): boolean {
    const { scan, listed } = this.needs;
    if (scan.type === 'logic' && scan.symbol !== undefined && scan.symbol !== code) return false;
    return !listed || listed.has(code);
  }

  private beginStock({ record, indicators, crossings }: Compiled, stock: StockSession): void {
    const { needs, evaluated } = this;
    record.begin(stock, needs.names?.(stock.code) ?? stock.code);
    indicators?.begin(stock);
    evaluated.row = NONE;
    evaluated.minute = NONE;
    if (!crossings) return;
    this.factor = factorSince(needs.adjustments(stock.code), this.session?.date ?? '');
    crossings.restore(stock.code, this.factor);
  }

  private endStock(compiled: Compiled, { code }: StockSession): void {
    const { crossings, indicators } = compiled;
    const last = this.values.rows - 1;
    if (crossings) {
      this.noteBefore(compiled, last + 1, (this.values.minutes[last] ?? 0) + 1);
      crossings.keep(code, this.factor);
    }
    indicators?.finish();
  }

  /** Follows a stock’s membership through its session, from the first row until its first entry. */
  private evaluateAll(compiled: Compiled, stock: StockSession): void {
    const { finder, minutes, crossings, indicators, traits } = compiled;
    finder.begin(stock);
    if (finder.next(0) === stock.rows) return;
    const { rows, minutes: at } = stock;
    const gaps = this.gapsOf(compiled);
    // Values of a crossing on an indicator must be computed row by row.
    const readsEach = crossings !== null && indicators !== null;
    let member: Membership = OUT;
    let gap = 0;
    for (let row = 0; row < rows; row += 1) {
      const minute = at[row] ?? 0;
      let until = (row + 1 < rows ? at[row + 1] : this.session?.end) ?? 0;
      for (let next = gaps[gap]; next && next.from <= minute; next = gaps[gap]) {
        // A minute that was partly recorded is not evaluated.
        if (minute < next.until) break;
        member = NEW;
        gap += 1;
      }
      const next = gaps[gap];
      if (next && next.from <= minute) continue;
      if (next && next.from < until) until = next.from;
      if (member === OUT && !readsEach) {
        const found = finder.next(row);
        if (found === rows) return;
        if (found > row) continue;
      }
      for (let now = minute; now !== NONE; ) {
        if (member === OUT && !readsEach && !minutes.allows(now)) {
          now = nextChange(minutes.changes, now, until);
          continue;
        }
        const before: Membership = member;
        member = this.evaluate(compiled, { row, minute: now, member });
        if (before === OUT && member === IN) {
          this.trades.enter(row, now);
          if (!this.needs.settings.everyEntry) return;
        }
        // A crossing lasts one minute, so the stock may cross again in the next row.
        const isOver = traits.isMomentary && member === IN && now === minute && now + 1 < until;
        now = isOver ? now + 1 : nextChange(minutes.changes, now, until);
      }
    }
  }

  /** A scan that reads nothing before the first trade needs no data before it. */
  private gapsOf({ span }: Compiled): SessionDay['gaps'] {
    const { scan } = this.needs;
    const readsPreOpen =
      scan.type === 'scanner' ? scan.key === 'preMarket' : span.readsAuction || span.readsHalt;
    return (readsPreOpen ? this.session?.gaps : this.session?.tradingGaps) ?? [];
  }

  private evaluate(
    compiled: Compiled,
    { row, minute, member }: { row: number; minute: number; member: Membership },
  ): Membership {
    const { program, span, crossings, traits } = compiled;
    if (crossings) this.noteBefore(compiled, row, minute);
    const readiness = this.read(compiled, row, minute);
    const truth = isReady(readiness, span) ? program.truthOf(span.first, span.count) : UNKNOWN;
    if (crossings) this.note(compiled, row, minute);
    // Of a stock that is in an auction after a gap, nothing is known.
    return membershipAfter(member, truth, 'traded', traits);
  }

  private read({ record, indicators, columns, used }: Compiled, row: number, minute: number) {
    record.moveTo(row);
    const { stock } = record;
    const readiness = readinessOf(stock, false);
    indicators?.write(stock, row);
    columns.read(used, stock, this.session?.endOf(minute) ?? 0, readiness);
    return readiness;
  }

  private note({ program, span }: Compiled, row: number, minute: number): void {
    program.note(span.first, span.count);
    this.evaluated.row = row;
    this.evaluated.minute = minute;
  }

  /** Stores the crossings’ sides just before a moment, from the newest rows in which they were known. */
  private noteBefore(compiled: Compiled, row: number, minute: number): void {
    const { program, crossings } = compiled;
    const { evaluated, values } = this;
    const isWithinRow = row < values.rows && minute > (values.minutes[row] ?? 0);
    const waiting = new Set(crossings?.rows);
    let at = isWithinRow ? row : row - 1;
    for (let time = minute - 1; at >= 0 && waiting.size > 0; at -= 1) {
      if (at < evaluated.row || (at === evaluated.row && time <= evaluated.minute)) return;
      this.read(compiled, at, time);
      for (const condition of waiting) {
        const [left, right] = [program.leftOf(condition), program.rightOf(condition)];
        if (Number.isNaN(left) || Number.isNaN(right)) continue;
        program.setBefore(condition, left, right);
        waiting.delete(condition);
      }
      time = (values.minutes[at] ?? 0) - 1;
    }
  }

  private noteKnown(): void {
    for (const key of this.unknown) {
      const series = this.values.of(key);
      for (let row = 0; row < this.values.rows; row += 1) {
        if (Number.isNaN(series[row] ?? Number.NaN)) continue;
        this.unknown.delete(key);
        break;
      }
    }
  }

  private unknownNotes(): string[] {
    const names = CONDITION_FIELDS.filter(({ key }) => [...this.unknown].some((one) => one === key));
    return this.gapMinutes.length === 0
      ? []
      : [
          ...names.map(({ label }) => `${label} was never known in these sessions.`),
          ...(this.compiled?.indicators?.lacksDays ? [LACKS_DAYS] : []),
        ];
  }
}

/** The next minute after `minute` and before `until` in which the time changes a condition. */
function nextChange(changes: readonly number[], minute: number, until: number): number {
  if (changes.length === 0) return NONE;
  const next = changes.find((change) => change > minute) ?? until;
  return next < until ? next : NONE;
}
