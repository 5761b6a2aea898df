import { isOnSide } from '#subjects/conditions/rules/scanLists.ts';
import { eventNow } from '#subjects/alerts/rules/eventFilter.ts';
import { filterValue } from '#market/scanners/rules/filters.ts';
import type { Entry, Firing, Move, Single, Sum } from './types.ts';
import type { App } from '#platform/app.ts';

export type Batch = { singles: readonly Single[]; growing: readonly Sum[]; closing: readonly Sum[] };

/** Stored for alerts without a watched scan. */
const NO_HASH = 0;

const valueOf = ({ stock }: Move): number => (stock && filterValue(stock)) ?? 0;

/** Assigns stocks that entered or left scans to alerts, within their limits, until they are on disk. */
export class Dispatcher {
  /** Symbols of users' lists by list id; the key null means all lists. */
  private readonly lists = new Map<number, Map<number | null, ReadonlySet<string>>>();
  private readonly running = new Set<Entry>();
  private moves: Move[] = [];
  private singles: Single[] = [];
  /** Summaries with new stocks, and those whose minute is over. */
  private readonly growing = new Set<Sum>();
  private closing: Sum[] = [];

  constructor(private readonly app: App) {}

  /** Whether an alert would report a stock. */
  isWanted(entry: Entry, code: string): boolean {
    return this.isMeant(entry, code) && entry.limits.isOpen(code, this.app.clock.monotonic(), entry.rules);
  }

  moved(move: Move): void {
    this.moves.push(move);
  }

  /** Assigns the moves of a tick. The most traded stocks come first, because the first get their own messages. */
  dispatch(session: string): void {
    const { moves } = this;
    const burst = this.burst();
    if (moves.length > 1) moves.sort((a, b) => valueOf(b) - valueOf(a));
    for (const move of moves) {
      for (const entry of move.entries) this.dispatchTo(entry, move, session, burst.has(entry));
    }
    for (const [entry, isFirst] of burst) {
      // Sent at once, because the minute begins with them.
      if (!isFirst) continue;
      this.closeSum(entry);
      entry.limits.beginCombined(this.app.clock.monotonic());
    }
    this.moves = [];
    this.endMinutes();
  }

  /** Removes a withdrawn announcement from messages that are not written yet. */
  withdraw(id: string): void {
    this.singles = this.singles.filter(({ firing }) => !firing.announcements?.some((one) => one.id === id));
    for (const { sum } of this.running) {
      const kept = sum?.firing.announcements?.filter((one) => one.id !== id);
      if (!sum || !kept || kept.length === sum.firing.announcements?.length) continue;
      sum.firing.announcements = kept;
      sum.symbols = new Set(kept.map(({ code }) => code));
      this.growing.add(sum);
    }
  }

  /** Sends the summary now, because its minute is over or the alert changed. */
  closeSum(entry: Entry): void {
    if (entry.sum) this.closing.push(entry.sum);
    entry.sum = null;
  }

  /** Adds a summary of an earlier run, whose minute is over. */
  activate(sum: Sum): void {
    this.closing.push(sum);
  }

  forget(entry: Entry): void {
    this.running.delete(entry);
  }

  listChanged(userId: number): void {
    this.lists.delete(userId);
  }

  /** Pending rows; pass the written ones to `written`. */
  waiting(most: number): Batch {
    this.singles = this.singles.filter(({ entry }) => !entry.isGone);
    this.closing = this.closing.filter(({ entry }) => !entry.isGone);
    for (const sum of this.growing) if (sum.entry.isGone) this.growing.delete(sum);
    return {
      singles: this.singles.slice(0, most),
      growing: [...this.growing].filter((sum) => !this.closing.includes(sum)).slice(0, most),
      closing: this.closing.slice(0, most),
    };
  }

  written({ singles, growing, closing }: Batch): void {
    this.singles = this.singles.slice(singles.length);
    this.closing = this.closing.slice(closing.length);
    for (const sum of [...growing, ...closing]) this.growing.delete(sum);
  }

  get count(): number {
    return this.singles.length + this.growing.size + this.closing.length;
  }

  private endMinutes(): void {
    const now = this.app.clock.monotonic();
    for (const entry of this.running) {
      if (now < (entry.limits.endOfMinute() ?? 0)) continue;
      const hasSummed = entry.sum !== null;
      this.closeSum(entry);
      entry.limits.endMinute();
      // A burst of announcements has one message a minute until a minute has none.
      if (hasSummed && entry.watch === null) entry.limits.beginCombined(now);
      else this.running.delete(entry);
    }
  }

  /** Alerts with more announcements in this tick than single messages, and whether their minute begins with them. */
  private burst(): Map<Entry, boolean> {
    const counts = new Map<Entry, number>();
    for (const { entries, announced } of this.moves) {
      if (announced === null) continue;
      for (const entry of entries) counts.set(entry, (counts.get(entry) ?? 0) + 1);
    }
    const many = [...counts].filter(([entry, count]) => count > entry.rules.minuteMaximum);
    return new Map(many.map(([entry]) => [entry, entry.limits.endOfMinute() === null]));
  }

  private dispatchTo(entry: Entry, move: Move, session: string, isBurst: boolean): void {
    const { code } = move;
    if (!this.isWanted(entry, code)) return;
    const firing = this.firingOf(entry, move, session);
    const rules = isBurst ? { ...entry.rules, minuteMaximum: 0 } : entry.rules;
    const dispatched = entry.limits.dispatch(code, this.app.clock.monotonic(), rules);
    this.running.add(entry);
    if (dispatched === 'single') this.singles.push({ entry, firing, stock: move.stock });
    else this.addToSum(entry, firing);
  }

  /** Whether a stock is on the lists of an alert's scan. */
  isChecked({ alert, lists }: Entry, code: string): boolean {
    return lists.every((any) =>
      any.some(({ side, id }) => isOnSide(side, this.listOf(alert.userId, id), code)),
    );
  }

  private isMeant(entry: Entry, code: string): boolean {
    const { alert, mutes } = entry;
    if (mutes.has(code) || !this.isChecked(entry, code)) return false;
    return alert.scope === 'market' || this.listOf(alert.userId, null).has(code);
  }

  private listOf(userId: number, listId: number | null): ReadonlySet<string> {
    const own = this.lists.get(userId) ?? new Map<number | null, ReadonlySet<string>>();
    this.lists.set(userId, own);
    const known = own.get(listId);
    if (known) return known;
    const list = new Set(this.app.watchlist.symbols(userId, listId));
    own.set(listId, list);
    return list;
  }

  private firingOf({ alert, scanLabel, watch }: Entry, move: Move, session: string) {
    const { event, seen, code, announced } = move;
    const { calendar, clock, market, source } = this.app;
    const guardingEvent = eventNow(alert.guard, calendar.highEvents);
    const triggeredAt = clock.now();
    return {
      session,
      triggeredAt,
      marketAt: source.clock.now(),
      delayMinutes: source.delayMinutes(),
      silent: (alert.snoozedUntil ?? 0) > triggeredAt,
      guard: guardingEvent && { event: guardingEvent },
      scanAlertId: alert.id,
      userId: alert.userId,
      symbol: code,
      announcements: announced && [announced],
      event,
      scanLabel,
      seen,
      quoteAt: announced === null ? market.statedQuoteTime(code) : null,
      source: source.name,
      scanHash: watch?.hash ?? NO_HASH,
    };
  }

  private addToSum(entry: Entry, firing: Firing & { symbol: string }): void {
    const { symbol, announcements } = firing;
    const summed = { ...firing, symbol: null, seen: [], quoteAt: null, announcements: announcements && [] };
    entry.sum ??= { entry, rowId: null, firing: summed, symbols: new Set() };
    entry.sum.symbols.add(symbol);
    if (announcements)
      entry.sum.firing.announcements = [...(entry.sum.firing.announcements ?? []), ...announcements];
    entry.sum.firing.guard ??= firing.guard;
    this.growing.add(entry.sum);
  }
}
