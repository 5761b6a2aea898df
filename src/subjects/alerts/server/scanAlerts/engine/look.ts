import { FirstFailure } from '#lib/firstFailure.ts';
import { noteDay, showsEarlierDay } from '#subjects/alerts/rules/dayMemory.ts';
import { readinessOf } from '#subjects/alerts/rules/readiness.ts';
import type { Stock } from '#market/rules/stock.ts';
import { IN, membershipNextDay, NEW } from '#subjects/alerts/rules/scanAlerts/membership.ts';
import type { Log } from '#lib/log.ts';
import type { ChangeSet } from '#market/types.ts';
import { Judge, type JudgeDeps } from './judge.ts';
import type { Known, Watches } from './watches.ts';
import type { ScanEngineNeeds, Watch } from './types.ts';

/** Scans that are evaluated in one tick besides those whose values came to stand elsewhere: one for each stock. */
const WHOLE_LOOKS = 20_000;

export type LookDeps = Pick<ScanEngineNeeds, 'market' | 'adjustments'> & JudgeDeps & { log: Log };

/** Looks at stocks for the scans that are watched. One moment holds for a whole tick. */
export class Look {
  private readonly judge: Judge;
  /** Stocks that every scan must look at, whether or not they change. */
  private readonly waiting = new Set<string>();
  private date = '';
  private now = 0;
  private budget = 0;
  private readonly failure: FirstFailure;

  constructor(private readonly deps: LookDeps) {
    this.judge = new Judge(deps);
    this.failure = new FirstFailure(deps.log, 'A scan could not be looked at for a stock; the others go on');
  }

  /** The session of the last tick, YYYY-MM-DD; '' before the first. */
  get session(): string {
    return this.date;
  }

  /** Begins a tick. */
  begin(): void {
    const { source, market, watches } = this.deps;
    this.now = source.clock.now();
    this.budget = WHOLE_LOOKS;
    this.judge.grow(watches.slots);
    const today = market.date();
    if (today === this.date) return;
    const isNext = this.date !== '';
    this.date = today;
    if (isNext) this.beginSession();
  }

  changes(changes: ChangeSet | null): void {
    const upsert = changes?.upsert ?? {};
    for (const code in upsert) this.lookSafely(code);
    for (const code of changes?.delete ?? []) this.forgetCode(code);
    // What the market holds may be old: these wait until the source is back.
    if (this.waiting.size === 0 || !this.deps.source.health().healthy) return;
    for (const code of [...this.waiting]) {
      if (this.budget <= 0) return;
      this.lookSafely(code);
    }
  }

  /** Has every scan look at every stock, as soon as there is time. */
  lookAgain(): void {
    const { watches, market } = this.deps;
    for (const known of watches.stocks.all()) known.readiness = null;
    for (const code of market.all().keys()) this.waiting.add(code);
  }

  /** The market was taken to another moment: what holds there has not begun to. */
  forgetAll(): void {
    for (const known of this.deps.watches.stocks.all()) {
      this.forget(known);
      known.days.quote = null;
    }
    this.date = '';
    this.lookAgain();
  }

  /** A fault of one stock keeps none of the others from being looked at. */
  private lookSafely(code: string): void {
    const { market, watches } = this.deps;
    const stock = market.get(code);
    if (!stock) return void this.waiting.delete(code);
    try {
      if (this.lookAt(watches.stocks.of(code), stock)) this.waiting.delete(code);
      else this.waiting.add(code);
    } catch (error) {
      this.judge.unmark();
      this.waiting.delete(code);
      this.failure.failed(error, { code });
    }
  }

  /** @returns false where it was put off, as too much was looked at in this tick */
  private lookAt(known: Known, stock: Stock): boolean {
    const { watches, source, market } = this.deps;
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
    index.look(known.number, columns.values, this.judge.mark);
    if (isWhole) this.markAll();
    this.markCrossed(known);
    this.judge.judge(known, stock, readiness);
    if (watches.momentary.length > 0) index.note(known.number, columns.values);
    return true;
  }

  private markAll(): void {
    const { watches } = this.deps;
    this.budget -= watches.count;
    for (const { slot } of watches.all()) this.judge.mark(slot);
  }

  /** A stock that crossed at its last look stands in the scan for that moment alone. */
  private markCrossed({ number }: Known): void {
    const { momentary, members } = this.deps.watches;
    for (const { slot } of momentary) if (members.get(slot, number) === IN) this.judge.mark(slot);
  }

  /** After a split or consolidation a stock is new to every scan: it has neither entered nor left any by it. */
  private forgetPricesBefore(known: Known): void {
    const adjustment = this.deps.adjustments.latest(known.code);
    if (adjustment?.date !== this.date || adjustment.at === known.adjustedAt) return;
    known.adjustedAt = adjustment.at;
    const { members, index } = this.deps.watches;
    members.forget(known.number);
    index.forget(known.number);
  }

  private forgetCode(code: string): void {
    const known = this.deps.watches.stocks.get(code);
    if (!known) return;
    this.forget(known);
    known.readiness = null;
  }

  private forget({ number, days }: Known): void {
    const { members, index } = this.deps.watches;
    members.forget(number);
    index.forget(number);
    days.prior = null;
  }

  /** A session begins: nobody is in a scan of the day's figures yet. */
  private beginSession(): void {
    const { watches, source, changed } = this.deps;
    const { index, stocks } = watches;
    for (const watch of watches.all()) {
      passToNextDay(watches, watch, source.days);
      changed(watch);
    }
    if (source.days !== 'independent') return;
    for (const { number } of stocks.all()) index.forget(number);
  }
}

/** Of a scan whose day is over: who stands in it as the next one begins. */
export function passToNextDay(
  { members, stocks }: Watches,
  { slot, traits }: Watch,
  days: 'consecutive' | 'independent',
): void {
  // Prices of a day that was made up again are no continuation of those of another.
  const isMadeAgain = days === 'independent' && !traits.readsDay;
  for (const { number } of stocks.all()) {
    members.set(slot, number, isMadeAgain ? NEW : membershipNextDay(members.get(slot, number), traits));
  }
}
