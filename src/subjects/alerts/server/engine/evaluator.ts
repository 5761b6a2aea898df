import { UNDO_WINDOW_MS, cooldownMs } from '#subjects/alerts/rules/alert.ts';
import { noteDay, showsEarlierDay } from '#subjects/alerts/rules/dayMemory.ts';
import type { Evaluation } from '#subjects/alerts/rules/alertView.ts';
import {
  createRunawayLimit,
  firesNow,
  type FiringLimits,
  type FiringState,
  HOLDING,
  NEW,
  RELEASED,
  RUNAWAY_REASON,
  stateHolding,
} from '#subjects/alerts/rules/firingState.ts';
import {
  createOperandTexts,
  notReady,
  type OperandText,
  seenOf,
  STALE,
  unknownValue,
} from '#subjects/alerts/rules/seen.ts';
import type { Program } from '#subjects/alerts/rules/program.ts';
import { isReady, readinessOf, TRUE, type Truth, UNKNOWN } from '#subjects/alerts/rules/readiness.ts';
import { eventNow, guardingText } from '#subjects/alerts/rules/eventFilter.ts';
import type { Trigger } from '#subjects/alerts/rules/trigger.ts';
import { splitReason } from '#subjects/alerts/rules/alertMessage.ts';
import type { Stock } from '#market/rules/stock.ts';
import { haltText } from '#market/rules/stockState.ts';
import type { SymbolAlerts, ActiveAlert } from './activeAlerts.ts';
import type { AlertOutcome } from './triggerWriter.ts';
import type { EngineParts } from './types.ts';
import type { App } from '#platform/app.ts';

/** Evaluates the alerts of changed stocks, with one time for the whole tick. */
export class Evaluator {
  private readonly runaway = createRunawayLimit();
  private readonly failing = new Set<string>();
  /** Time of the current tick: market clock, wall clock, monotonic clock (ms), and session. */
  private readonly moment = { market: 0, wall: 0, monotonic: 0, date: '' };
  /** Reused for every alert, to avoid allocations. */
  private readonly limits: FiringLimits = { isPersistent: false, isSnoozed: false, isCooling: false };

  private readonly program: Program;

  private readonly textOf: OperandText;

  /** @param happened called when an alert fired or must be stopped */
  constructor(
    private readonly app: App,
    private readonly parts: EngineParts,
    private readonly happened: (outcome: AlertOutcome) => void,
  ) {
    this.program = parts.entries.program;
    this.textOf = createOperandTexts(app.indicators.catalog.current);
  }

  begin(): void {
    const { source, clock, market } = this.app;
    this.moment.market = source.clock.now();
    this.moment.wall = clock.now();
    this.moment.monotonic = clock.monotonic();
    this.moment.date = market.date();
  }

  evaluateSymbol(symbolAlerts: SymbolAlerts): void {
    try {
      this.evaluateStock(symbolAlerts);
    } catch (error) {
      this.failed(symbolAlerts.symbol, error);
    }
  }

  /** Evaluates all alerts after a jump without firing. */
  prime(): void {
    this.begin();
    for (const symbolAlerts of this.parts.entries.allSymbols()) this.primeSymbol(symbolAlerts);
  }

  /** What an alert's conditions read now. Previous values and state stay. */
  evaluation(entry: ActiveAlert): Evaluation {
    const { calendar, market, source } = this.app;
    const { program, textOf } = this;
    const { symbol } = entry.symbolAlerts;
    const event = eventNow(entry.guard, calendar.highEvents);
    const stock = market.get(symbol) ?? null;
    const readiness = this.readColumns(entry, stock);
    const reason = entry.isWaiting
      ? 'It has fired and is being saved'
      : (notReady(symbol, stock, readiness, entry) ?? (source.health().healthy ? null : STALE));
    const truth = reason === null ? program.truthOf(entry.first, entry.count) : UNKNOWN;
    const isUnknown = reason === null && truth === UNKNOWN;
    return {
      at: entry.evaluatedAt,
      notEvaluated: isUnknown
        ? (haltText(symbol, stock) ??
          unknownValue(program, entry, symbol, { textOf, isTraded: readiness === 'traded' }))
        : reason,
      conditions: seenOf(program, entry, textOf, reason === null),
      holds: truth === UNKNOWN ? null : truth === TRUE,
      guard: event && guardingText(event),
    };
  }

  /** Reads the columns of an alert. @returns the readiness of the stock */
  private readColumns({ symbolAlerts, readsHalt }: ActiveAlert, stock: Stock | null) {
    const { market, source } = this.app;
    const { entries } = this.parts;
    const statedAt = market.statedQuoteTime(symbolAlerts.symbol);
    const isEarlier =
      stock !== null &&
      showsEarlierDay({ ...symbolAlerts.days }, stock, market.date(), source.days, statedAt);
    const readiness = stock ? readinessOf(stock, isEarlier) : 'auction';
    // If no condition is evaluated in a halt, the last traded values are shown.
    const shown = readiness === 'halted' && !readsHalt ? 'traded' : readiness;
    entries.columns.read(symbolAlerts.reads.all, stock, source.clock.now(), shown);
    return readiness;
  }

  private evaluateStock(symbolAlerts: SymbolAlerts): void {
    const { market, source, values } = this.app;
    const { entries } = this.parts;
    const stock = market.get(symbolAlerts.symbol);
    if (!stock) return endPriming(symbolAlerts);
    this.forgetOtherDay(symbolAlerts);
    const { date } = this.moment;
    const statedAt = market.statedQuoteTime(symbolAlerts.symbol);
    const readiness = readinessOf(
      stock,
      showsEarlierDay(symbolAlerts.days, stock, date, source.days, statedAt),
    );
    if (readiness === 'traded') noteDay(symbolAlerts.days, stock, date);
    entries.columns.read(symbolAlerts.reads.all, stock, this.moment.market, readiness);
    const adjustedAt = values.adjustments.latest(symbolAlerts.symbol)?.at ?? null;
    for (const entry of symbolAlerts.entries) {
      if (entry.isWaiting) continue;
      if (adjustedAt !== null && isOlder(entry, adjustedAt)) {
        this.happened({ entry, trigger: null, reason: splitReason(symbolAlerts.symbol), stock });
        continue;
      }
      if (!isReady(readiness, entry)) {
        entry.isPriming = false;
        continue;
      }
      try {
        this.evaluate(entry, stock);
      } catch (error) {
        this.failed(symbolAlerts.symbol, error);
      }
    }
  }

  private evaluate(entry: ActiveAlert, stock: Stock): void {
    const { program } = this;
    const { first, count, hasCrossings } = entry;
    const truth = program.truthOf(first, count);
    if (truth === UNKNOWN) return;
    const { monotonic, market } = this.moment;
    if (monotonic < entry.armAt && this.parts.undoWindows.holdsBack(entry, this.currentTruth(entry, truth)))
      return;
    const before = entry.firingState;
    // Done before the previous values are replaced, because a trigger shows them.
    const after = truth === TRUE ? (entry.isPriming ? HOLDING : this.hold(entry, stock)) : RELEASED;
    entry.isPriming = false;
    const hasCrossed = hasCrossings && program.note(first, count);
    entry.firingState = after;
    entry.evaluatedAt = market;
    // An alert that was never evaluated and one that does not hold behave the same, so this is not saved.
    const isReleasedAtFirst = before === NEW && after === RELEASED;
    if (hasCrossed || (after !== before && !isReleasedAtFirst)) this.parts.saver.add(entry);
  }

  private hold(entry: ActiveAlert, stock: Stock): FiringState {
    const { limits, moment } = this;
    limits.isPersistent = entry.persistent;
    limits.isSnoozed = entry.snoozedUntil !== null && entry.snoozedUntil > moment.wall;
    limits.isCooling = moment.monotonic < entry.coolUntil;
    const { firingState } = entry;
    if (firesNow(firingState, limits)) this.fire(entry, stock);
    return stateHolding(firingState, limits);
  }

  private fire(entry: ActiveAlert, stock: Stock): void {
    const { calendar, market, source } = this.app;
    const { monotonic } = this.moment;
    const { symbol } = entry.symbolAlerts;
    const isRunaway = this.runaway.count(entry.id, monotonic);
    const silent = this.limits.isSnoozed;
    const event = eventNow(entry.guard, calendar.highEvents);
    entry.coolUntil = monotonic + cooldownMs(entry.cooldownMinutes);
    const trigger: Trigger = {
      id: 0,
      alertId: entry.id,
      userId: entry.userId,
      symbol,
      triggeredAt: this.moment.wall,
      marketAt: this.moment.market,
      seen: seenOf(this.program, entry, this.textOf, true),
      quoteAt: market.statedQuoteTime(symbol),
      source: source.name,
      delayMinutes: source.delayMinutes(),
      deactivated: isRunaway || (!entry.persistent && !silent),
      silent,
      guard: event && { event },
    };
    this.happened({ entry, trigger, reason: isRunaway ? RUNAWAY_REASON : null, stock });
  }

  /** The result without crossings, because a crossing happens now and cannot be already true. */
  private currentTruth({ first, count, hasCrossings }: ActiveAlert, truth: Truth): Truth {
    return hasCrossings ? this.program.currentTruthOf(first, count) : truth;
  }

  /** Drops prices of another date if days of the market are independent. */
  private forgetOtherDay({ days, entries: all }: SymbolAlerts): void {
    const { source } = this.app;
    if (source.days !== 'independent' || !days.quote || days.quote.date === this.moment.date) return;
    for (const { first, count } of all) this.program.forget(first, count);
  }

  /** Logs a failure of one stock, which must not block the others. */
  private failed(symbol: string, error: unknown): void {
    if (this.failing.has(symbol)) return;
    this.failing.add(symbol);
    this.parts.log.error('Could not evaluate an alert; others continue', { symbol, error });
  }

  /** Resets the alerts of a stock. Conditions that hold now count as already holding. */
  private primeSymbol(symbolAlerts: SymbolAlerts): void {
    symbolAlerts.days.quote = null;
    symbolAlerts.days.prior = null;
    for (const entry of symbolAlerts.entries) {
      this.program.forget(entry.first, entry.count);
      entry.firingState = NEW;
      entry.evaluatedAt = null;
      entry.isPriming = true;
    }
    this.evaluateSymbol(symbolAlerts);
  }
}

/** Whether an alert was saved or switched on before a split or consolidation. */
const isOlder = ({ armedAt }: ActiveAlert, adjustedAt: number): boolean =>
  armedAt === null || armedAt - UNDO_WINDOW_MS <= adjustedAt;

/** Alerts that could not be evaluated at the jump may fire as soon as they can. */
function endPriming({ entries }: SymbolAlerts): void {
  for (const entry of entries) entry.isPriming = false;
}
