import { type Adjustment, factorSince } from '#market/rules/splitAdjustment.ts';
import { STOCK_STATUSES } from '#market/rules/stock.ts';
import { isHalted } from '#market/rules/stockState.ts';
import { nextTradingDay } from '#market/rules/tradingDay.ts';
import { brokerageShare, priceAbove, stopPrice, targetPrice, tradeResult } from '../../rules/costs.ts';
import type { ExitReason, LeftOut } from '../../rules/result.ts';
import type { OddsSettings } from '../../rules/settings.ts';
import type { EntryStore } from './entryStore.ts';
import { FIRST_MINUTE, type SessionDay } from './session.ts';
import type { SessionSeries } from '#market/sessions/series.ts';

/** A filled entry. `open` is the price of the trade, `fill` what the buyer pays; AUD in the prices of that day. */
type Fill = {
  code: string;
  session: number;
  date: string;
  minute: number;
  fillMinute: number;
  open: number;
  fill: number;
  hasNews: boolean;
};

type Exit = { price: number; minute: number; reason: ExitReason };
/** Ends with the first trade of a later session. */
type Waiting = { waits: ExitReason };
type Pending = { filled: Fill; reason: ExitReason };

/** Only entries after this minute count. Earlier ones can still be the first of a stock’s day. */
export type Since = { date: string; minute: number };

const NONE = -1;
const nothing = (): Record<LeftOut, number> => ({ noFill: 0, noExit: 0, gap: 0 });
const NO_ADJUSTMENTS: readonly Adjustment[] = [];

/** Fills the entries of all stocks, one session after the other, and ends their trades. */
export class Trades {
  /** By the session of the entry, an index in the run’s dates. */
  private readonly leftOut: Record<LeftOut, number>[] = [];
  private readonly share: number;
  /** Trades that wait for a later session, by code. */
  private readonly pending = new Map<string, Pending[]>();
  private session: SessionDay | null = null;
  private code = '';

  constructor(
    private readonly settings: OddsSettings,
    private readonly values: SessionSeries,
    private readonly store: EntryStore,
    private readonly adjustments: (code: string) => readonly Adjustment[],
    private readonly since?: Since,
  ) {
    this.share = brokerageShare(settings);
  }

  beginSession(session: SessionDay): void {
    const before = this.session;
    this.session = session;
    // Without the session in between, the first trade after the entry’s day is unknown.
    if (before && this.pending.size > 0 && nextTradingDay(before.date) !== session.date)
      this.drop(() => true);
  }

  /** Begins a stock’s session: ends its waiting trades with the first trade. */
  begin(code: string): void {
    this.code = code;
    const waiting = this.pending.get(code);
    const row = waiting ? this.nextTrade(0) : NONE;
    if (!waiting || row === NONE) return;
    this.pending.delete(code);
    const minute = this.minuteOf(row);
    const isUnknown = this.running().hasGap(FIRST_MINUTE - 1, minute);
    for (const { filled, reason } of waiting) {
      if (isUnknown) this.leaveOut(filled.session, 'gap');
      else this.close(filled, { price: this.openOf(row), minute, reason });
    }
  }

  /**
   * Adds an entry.
   * @param row whose values match
   * @param minute in which they matched: the row’s, or a later one without changes
   */
  enter(row: number, minute: number): void {
    const { index, date } = this.running();
    const { since } = this;
    if (since && (date < since.date || (date === since.date && minute <= since.minute))) return;
    const reason = this.tradeFrom(row, minute);
    if (reason !== null) this.leaveOut(index, reason);
  }

  /** Ends a session: a trade that waits may have ended in one of its gaps. */
  endSession(): void {
    const session = this.running();
    if (session.tradingGaps.length > 0) this.drop(({ filled }) => filled.session < session.index);
  }

  /** Left-out entries, with those that still wait for their exit. */
  leftOutSoFar(): Record<LeftOut, number> {
    const all = nothing();
    for (const { noFill, noExit, gap } of this.leftOut) {
      all.noFill += noFill;
      all.noExit += noExit;
      all.gap += gap;
    }
    for (const list of this.pending.values()) all.noExit += list.length;
    return all;
  }

  /** The same, of the entries of one session. */
  leftOutOf(session: number): Record<LeftOut, number> {
    const own = { ...(this.leftOut[session] ?? nothing()) };
    for (const list of this.pending.values()) {
      own.noExit += list.filter(({ filled }) => filled.session === session).length;
    }
    return own;
  }

  private leaveOut(session: number, why: LeftOut): void {
    while (this.leftOut.length <= session) this.leftOut.push(nothing());
    const own = this.leftOut[session];
    if (own) own[why] += 1;
  }

  /** @returns why it has no result; null if it has one or waits for it */
  private tradeFrom(row: number, minute: number): LeftOut | null {
    const session = this.running();
    const fillRow = this.nextTrade(row + 1);
    if (fillRow === NONE) {
      if (session.hasGap(minute, session.end)) return 'gap';
      return session.isComplete ? 'noFill' : 'noExit';
    }
    const filled = this.filledAt(fillRow, row, minute);
    if (session.hasGap(minute, filled.fillMinute)) return 'gap';
    const exit = this.exitOf(filled, fillRow);
    if (typeof exit === 'string') return exit;
    if ('waits' in exit) this.wait(filled, exit.waits);
    else if (session.hasGap(minute, exit.minute)) return 'gap';
    else this.close(filled, exit);
    return null;
  }

  private filledAt(fillRow: number, row: number, minute: number): Fill {
    const { code, values } = this;
    const { date, index } = this.running();
    const open = this.openOf(fillRow);
    // A trade that ends an auction has the auction’s price for all traders.
    const isAuction = !Number.isNaN(values.of('match_price')[fillRow - 1] ?? Number.NaN);
    return {
      code,
      session: index,
      date,
      minute,
      fillMinute: this.minuteOf(fillRow),
      open,
      fill: isAuction ? open : priceAbove(open, this.settings.steps),
      hasNews: values.of('has_news', row + 1)[row] === 1,
    };
  }

  private exitOf(filled: Fill, fillRow: number): Exit | Waiting | LeftOut {
    const { exit } = this.settings;
    switch (exit.kind) {
      case 'minutes':
        return this.timedExit(filled, fillRow, exit.minutes);
      case 'nextOpen':
        return this.hasGapToday(filled) ? 'gap' : { waits: 'nextOpen' };
      case 'close':
        return this.closingExit(filled, fillRow);
      case 'stopTarget': {
        const [stop, target] = [stopPrice(filled.fill, exit.stop), targetPrice(filled.fill, exit.target)];
        return this.levelExit(fillRow, stop, target) ?? this.closingExit(filled, fillRow);
      }
    }
  }

  private timedExit(filled: Fill, fillRow: number, minutes: number): Exit | Waiting | LeftOut {
    let row = this.nextTrade(fillRow + 1);
    while (row !== NONE && this.minuteOf(row) < filled.fillMinute + minutes) row = this.nextTrade(row + 1);
    if (row !== NONE) return { price: this.openOf(row), minute: this.minuteOf(row), reason: 'time' };
    if (!this.running().isComplete) return 'noExit';
    return this.hasGapToday(filled) ? 'gap' : { waits: 'later' };
  }

  /** The first stop or target reached, from the minute of the fill on; null if there is none. */
  private levelExit(fillRow: number, stop: number, target: number): Exit | null {
    const [highs, lows] = [this.values.column('high'), this.values.column('low')];
    for (let row = fillRow; row !== NONE; row = this.nextTrade(row + 1)) {
      const minute = this.minuteOf(row);
      if ((lows[row] ?? 0) <= stop)
        return { price: Math.min(stop, this.openOf(row)), minute, reason: 'stop' };
      if ((highs[row] ?? 0) >= target) return { price: target, minute, reason: 'target' };
    }
    return null;
  }

  private closingExit(filled: Fill, fillRow: number): Exit | Waiting | LeftOut {
    const row = this.lastTrade();
    if (!this.running().isComplete || row === fillRow) return 'noExit';
    if (this.hasGapToday(filled)) return 'gap';
    if (this.isHaltedAtEnd()) return { waits: 'later' };
    const price = this.values.column('last')[row] ?? Number.NaN;
    return { price, minute: this.minuteOf(row), reason: 'close' };
  }

  private hasGapToday({ minute }: Fill): boolean {
    const session = this.running();
    return session.hasGap(minute, session.end);
  }

  private isHaltedAtEnd(): boolean {
    const { values } = this;
    const { end } = this.running();
    let row = values.rows - 1;
    while (row > 0 && this.minuteOf(row) >= end) row -= 1;
    const status = STOCK_STATUSES[values.of('status')[row] ?? Number.NaN];
    return status !== undefined && isHalted({ status });
  }

  private close(filled: Fill, { price, minute, reason }: Exit): void {
    const { index, date } = this.running();
    const all = index === filled.session ? NO_ADJUSTMENTS : this.adjustments(filled.code);
    const exit = all.length === 0 ? price : (price * factorSince(all, date)) / factorSince(all, filled.date);
    this.store.add({
      ...filled,
      exitSession: index,
      exitMinute: minute,
      exit,
      reason,
      result: tradeResult(filled.fill, exit, this.share),
      resultBefore: tradeResult(filled.open, exit, 0),
    });
  }

  private wait(filled: Fill, reason: ExitReason): void {
    const list = this.pending.get(filled.code);
    if (list) list.push({ filled, reason });
    else this.pending.set(filled.code, [{ filled, reason }]);
  }

  /** Leaves out waiting trades because of a gap. */
  private drop(isDropped: (one: Pending) => boolean): void {
    for (const [code, list] of this.pending) {
      const kept = list.filter((one) => !isDropped(one));
      for (const one of list) if (!kept.includes(one)) this.leaveOut(one.filled.session, 'gap');
      if (kept.length > 0) this.pending.set(code, kept);
      else this.pending.delete(code);
    }
  }

  private nextTrade(from: number): number {
    const opens = this.values.column('open');
    for (let row = from; row < this.values.rows; row += 1) {
      const open = opens[row] ?? Number.NaN;
      if (open === open) return row;
    }
    return NONE;
  }

  private lastTrade(): number {
    const opens = this.values.column('open');
    let row = this.values.rows - 1;
    while (row >= 0 && Number.isNaN(opens[row] ?? Number.NaN)) row -= 1;
    return row;
  }

  private openOf(row: number): number {
    return this.values.column('open')[row] ?? Number.NaN;
  }

  private minuteOf(row: number): number {
    return this.values.minutes[row] ?? 0;
  }

  private running(): SessionDay {
    if (!this.session) throw new Error('No session has begun.');
    return this.session;
  }
}
