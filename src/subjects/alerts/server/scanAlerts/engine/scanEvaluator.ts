import { FirstFailure } from '#lib/log.ts';
import { noteDay, showsEarlierDay } from '#subjects/alerts/rules/dayMemory.ts';
import {
  isReady,
  type Readiness,
  readinessOf,
  TRUE,
  type Truth,
  UNKNOWN,
} from '#subjects/alerts/rules/readiness.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isActive } from '#market/rules/stockState.ts';
import {
  filtersSeen,
  IN,
  type Membership,
  membershipAfter,
  membershipNextDay,
  NEW,
  OUT,
  scannerSeen,
} from '#subjects/alerts/rules/scanAlerts/membership.ts';
import type { ChangeSet } from '#market/types.ts';
import type { Known, Watches } from './watches.ts';
import type { Watch } from './types.ts';
import type { Dispatcher } from './dispatcher.ts';
import { createOperandTexts, type OperandText, seenOf } from '#subjects/alerts/rules/seen.ts';
import type { ScanEvent } from '#subjects/alerts/answers/options.ts';
import type { App } from '#platform/app.ts';

/** Called when a stock entered or left a scan, whether or not a message is sent. */
type Changed = (watch: Watch) => void;

/**
 * Whether a stock leaves a scanner. At the end of its phase a scanner loses all its stocks, which does not count as
 * leaving.
 */
function isLeaving({ scanner }: Watch, { status }: Stock, ignoreStatus: boolean): boolean {
  if (scanner === null) return true;
  return scanner.key === 'preMarket' ? status === 'Pre Open' : ignoreStatus || isActive({ status });
}

/** Decides which of the marked scans contain a stock, by the current values of the columns. */
class Judge {
  private readonly marked: number[] = [];
  private isMarked = new Uint8Array(64);

  private readonly textOf: OperandText;

  constructor(
    private readonly app: App,
    private readonly watches: Watches,
    private readonly dispatcher: Dispatcher,
    private readonly changed: Changed,
  ) {
    this.textOf = createOperandTexts(app.indicators.catalog.current);
  }

  /** Makes room for this many scans. Call it while no scan is marked. */
  grow(slots: number): void {
    if (this.isMarked.length < slots) this.isMarked = new Uint8Array(slots * 2);
  }

  readonly mark = (slot: number): void => {
    if (this.isMarked[slot] === 1) return;
    this.isMarked[slot] = 1;
    this.marked.push(slot);
  };

  unmark(): void {
    this.marked.length = 0;
    this.isMarked.fill(0);
  }

  judge(known: Known, stock: Stock, readiness: Readiness): void {
    const { watches } = this;
    const isPlain = readiness === 'traded';
    for (const slot of this.marked) {
      this.isMarked[slot] = 0;
      const watch = watches.at(slot);
      if (!watch || (isPlain && this.isAsBefore(watch, known))) continue;
      this.evaluate(watch, known, stock, readiness);
    }
    this.marked.length = 0;
  }

  /** Whether the result of a scan without crossings is unchanged for a stock, as in nearly all cases. */
  private isAsBefore({ crossings, span, slot }: Watch, { number }: Known): boolean {
    if (crossings.length > 0) return false;
    const { program, members } = this.watches;
    const truth = program.truthOf(span.first, span.count);
    const before = members.get(slot, number);
    return before === (truth === TRUE ? IN : OUT) || (truth === UNKNOWN && before !== NEW);
  }

  private evaluate(watch: Watch, known: Known, stock: Stock, readiness: Readiness): void {
    const { members } = this.watches;
    const { slot, traits } = watch;
    const before = members.get(slot, known.number);
    const truth = this.truthOf(watch, known, before, readiness);
    const after = membershipAfter(before, truth, readiness, traits);
    if (after === before) return;
    if (before === OUT && after === IN && truth === TRUE) this.move(watch, 'enters', stock);
    const couldStay = isLeaving(watch, stock, this.app.source.ignoreStatus());
    if (before === IN && !traits.isMomentary && couldStay) this.move(watch, 'leaves', stock);
    members.set(slot, known.number, after);
    this.changed(watch);
  }

  private truthOf(watch: Watch, { number }: Known, before: Membership, readiness: Readiness): Truth {
    const { program, index } = this.watches;
    const { span } = watch;
    // A scan to which the stock is new accepts whatever is known, and reports no move.
    const isAsked = before === NEW ? readiness !== 'halted' || span.readsHalt : isReady(readiness, span);
    if (!isAsked) return UNKNOWN;
    for (const { row, comparison } of watch.crossings) {
      const { left, right } = index.before(number, comparison);
      program.setBefore(row, left, right);
    }
    return program.truthOf(span.first, span.count);
  }

  private move(watch: Watch, event: ScanEvent, stock: Stock): void {
    const { dispatcher, textOf, watches } = this;
    const entries = watch.entries[event];
    const { code } = stock;
    if (!entries.some((entry) => dispatcher.isWanted(entry, code))) return;
    const { scanner, filters, span } = watch;
    const own = filters === null ? span : { ...span, count: span.count - 1 };
    const seen =
      scanner === null
        ? [...seenOf(watches.program, own, textOf, true), ...(filters ? filtersSeen(filters, stock) : [])]
        : scannerSeen(scanner, stock);
    dispatcher.moved({ entries, event, code, stock, seen, announced: null });
  }
}

/** Limit of full evaluations per tick, counted per scan and stock. */
const FULL_CHECKS = 20_000;

/** Evaluates the watched scans for stocks, with one time for the whole tick. */
export class ScanEvaluator {
  private readonly judge: Judge;
  /** Stocks that every scan must evaluate even if they did not change. */
  private readonly waiting = new Set<string>();
  private date = '';
  private now = 0;
  private budget = 0;
  private readonly failure: FirstFailure;

  constructor(
    private readonly app: App,
    private readonly watches: Watches,
    dispatcher: Dispatcher,
    private readonly changed: Changed,
  ) {
    this.judge = new Judge(app, watches, dispatcher, changed);
    const log = app.log.child('scanAlerts');
    this.failure = new FirstFailure(log, 'Could not evaluate a scan for a stock; others continue');
  }

  /** Session of the last tick, YYYY-MM-DD; '' before the first. */
  get session(): string {
    return this.date;
  }

  begin(): void {
    const { source, market } = this.app;
    const { watches } = this;
    this.now = source.clock.now();
    this.budget = FULL_CHECKS;
    this.judge.grow(watches.slots);
    const today = market.date();
    if (today === this.date) return;
    const isNext = this.date !== '';
    this.date = today;
    if (isNext) this.beginSession();
  }

  changes(changes: ChangeSet | null): void {
    const upsert = changes?.upsert ?? {};
    for (const code in upsert) this.checkSafely(code);
    for (const code of changes?.delete ?? []) this.forgetCode(code);
    // The Market may be outdated, so these stocks wait until the source is back.
    if (this.waiting.size === 0 || !this.app.source.health().healthy) return;
    for (const code of [...this.waiting]) {
      if (this.budget <= 0) return;
      this.checkSafely(code);
    }
  }

  /** Makes every scan evaluate every stock when there is time. */
  checkAgain(): void {
    const { watches } = this;
    for (const known of watches.stocks.all()) known.readiness = null;
    for (const code of this.app.market.all().keys()) this.waiting.add(code);
  }

  /** Handles a jump of the replay: stocks that are in a scan there have not entered it. */
  forgetAll(): void {
    for (const known of this.watches.stocks.all()) {
      this.forget(known);
      known.days.quote = null;
    }
    this.date = '';
    this.checkAgain();
  }

  /** Evaluates a stock; a failure does not block the others. */
  private checkSafely(code: string): void {
    const { watches } = this;
    const stock = this.app.market.get(code);
    if (!stock) return void this.waiting.delete(code);
    try {
      if (this.check(watches.stocks.of(code), stock)) this.waiting.delete(code);
      else this.waiting.add(code);
    } catch (error) {
      this.judge.unmark();
      this.waiting.delete(code);
      this.failure.failed(error, { code });
    }
  }

  /** @returns false if the evaluation was postponed because this tick did too much */
  private check(known: Known, stock: Stock): boolean {
    const { market, source } = this.app;
    const { watches } = this;
    const { columns, index } = watches;
    this.forgetPricesBefore(known);
    const statedAt = market.statedQuoteTime(stock.code);
    const isEarlier = showsEarlierDay(known.days, stock, this.date, source.days, statedAt);
    const readiness = readinessOf(stock, isEarlier);
    const isWhole = known.readiness !== readiness;
    if (isWhole && this.budget <= 0) return false;
    known.readiness = readiness;
    if (readiness === 'traded') noteDay(known.days, stock, this.date);
    columns.read(watches.reads.all, stock, this.now, readiness);
    index.evaluate(known.number, columns.values, this.judge.mark);
    if (isWhole) this.markAll();
    this.markCrossed(known);
    this.judge.judge(known, stock, readiness);
    if (watches.momentary.length > 0) index.note(known.number, columns.values);
    return true;
  }

  private markAll(): void {
    const { watches } = this;
    this.budget -= watches.count;
    for (const { slot } of watches.all()) this.judge.mark(slot);
  }

  /** Marks scans with a crossing, because a stock that crossed is in the scan only for that moment. */
  private markCrossed({ number }: Known): void {
    const { momentary, members } = this.watches;
    for (const { slot } of momentary) if (members.get(slot, number) === IN) this.judge.mark(slot);
  }

  /** Resets a stock after a split or consolidation: it is new to every scan and causes no move. */
  private forgetPricesBefore(known: Known): void {
    const adjustment = this.app.values.adjustments.latest(known.code);
    if (adjustment?.date !== this.date || adjustment.at === known.adjustedAt) return;
    known.adjustedAt = adjustment.at;
    const { members, index } = this.watches;
    members.forget(known.number);
    index.forget(known.number);
  }

  private forgetCode(code: string): void {
    const known = this.watches.stocks.get(code);
    if (!known) return;
    this.forget(known);
    known.readiness = null;
  }

  private forget({ number, days }: Known): void {
    const { members, index } = this.watches;
    members.forget(number);
    index.forget(number);
    days.prior = null;
  }

  /** Empties scans of the day's figures at the start of a session. */
  private beginSession(): void {
    const { changed, watches } = this;
    const { source } = this.app;
    const { index, stocks } = watches;
    for (const watch of watches.all()) {
      passToNextDay(watches, watch, source.days);
      changed(watch);
    }
    if (source.days !== 'independent') return;
    for (const { number } of stocks.all()) index.forget(number);
  }
}

/** Sets which stocks are in a scan when the next day begins. */
export function passToNextDay(
  { members, stocks }: Watches,
  { slot, traits }: Watch,
  days: 'consecutive' | 'independent',
): void {
  // Days of a simulated market are independent, so memberships do not continue.
  const isMadeAgain = days === 'independent' && !traits.readsDay;
  for (const { number } of stocks.all()) {
    members.set(slot, number, isMadeAgain ? NEW : membershipNextDay(members.get(slot, number), traits));
  }
}
