import { fromSydney } from '#lib/sydneyTime.ts';
import { type KeptAnnouncement, type KeptSummary, type ShownDays, stockNewsOf } from '../rules/stockNews.ts';
import type { AnnouncementStore } from './store.ts';
import { previousTradingDay } from '#market/rules/tradingDay.ts';
import type { MarketObserver } from '#market/observed.ts';
import type { Market } from '#market/types.ts';

/** Announcements since the previous trading day by stock, including stocks that are not listed yet. */
export class Recent {
  readonly #byCode = new Map<string, Map<string, KeptAnnouncement>>();
  readonly #codeOf = new Map<string, string>();
  #first = '';
  readonly summaries = new Map<string, KeptSummary>();

  constructor(private readonly store: AnnouncementStore) {}

  get size(): number {
    return this.#codeOf.size;
  }

  /** Replaces all of them by those stored since a date, YYYY-MM-DD. */
  load(since: string): void {
    this.#byCode.clear();
    this.#codeOf.clear();
    this.#first = since;
    for (const announcement of this.store.since(fromSydney(since, 0, 0))) this.put(announcement);
    this.summaries.clear();
    for (const [id, summary] of this.store.summariesSince(since)) this.summaries.set(id, summary);
  }

  /** Adds or corrects an announcement; ignores one before the first date. */
  put(announcement: KeptAnnouncement): void {
    const { id, code, date } = announcement;
    this.drop(id);
    if (date < this.#first) return;
    const ofCode = this.#byCode.get(code) ?? new Map<string, KeptAnnouncement>();
    ofCode.set(id, announcement);
    this.#byCode.set(code, ofCode);
    this.#codeOf.set(id, code);
  }

  drop(id: string): void {
    const code = this.#codeOf.get(id);
    if (code === undefined) return;
    const ofCode = this.#byCode.get(code);
    ofCode?.delete(id);
    if (ofCode?.size === 0) this.#byCode.delete(code);
    this.#codeOf.delete(id);
  }

  has(id: string): boolean {
    return this.#codeOf.has(id);
  }

  of(code: string): readonly KeptAnnouncement[] {
    return [...(this.#byCode.get(code)?.values() ?? [])];
  }

  *all(): Iterable<KeptAnnouncement> {
    for (const ofCode of this.#byCode.values()) yield* ofCode.values();
  }

  codes(): Iterable<string> {
    return this.#byCode.keys();
  }
}

/**
 * Limit of stocks that get new announcements in one tick, about 20 kB. Newly listed stocks do not count, because their
 * whole record is new.
 */
const STOCKS_A_TICK = 60;

/** Puts recent announcements into the Market: for new stocks immediately, for others before each change set. */
export class Placement implements MarketObserver {
  readonly name = 'announcements';
  readonly #listed = new Set<string>();
  /** Stocks for which the price source reported fewer price-sensitive announcements than there are. */
  readonly #understated = new Set<string>();
  /** Number of today's price-sensitive announcements that were put into each record; zeros are missing. */
  readonly #counts = new Map<string, number>();
  readonly #urgent = new Set<string>();
  readonly #waiting = new Set<string>();
  /** Codes with an announcement in the future, and the time of the earliest one. */
  readonly #early = new Set<string>();
  #earliest = Number.POSITIVE_INFINITY;
  #days: ShownDays = { today: '', previous: '' };

  /**
   * @param until returns the time (epoch ms) up to which announcements are shown
   * @param settle writes new announcements; called before another session is read
   */
  constructor(
    private readonly market: Market,
    private readonly recent: Recent,
    private readonly until: () => number,
    private readonly settle: () => void,
  ) {}

  get waiting(): number {
    return this.#urgent.size + this.#waiting.size;
  }

  days(): ShownDays {
    this.#showSession();
    return this.#days;
  }

  /** Marks a stock whose announcements changed. @param isUrgent true for a price-sensitive one, which is put first */
  touch(code: string, isUrgent = false): void {
    (isUrgent ? this.#urgent : this.#waiting).add(code);
  }

  /** Announcements of a stock up to now, unsorted, also if it is not listed. Remembers that there are later ones. */
  shownOf(code: string): KeptAnnouncement[] {
    const end = this.until();
    return this.recent.of(code).filter(({ time }) => {
      if (time <= end) return true;
      this.#early.add(code);
      this.#earliest = Math.min(this.#earliest, time);
      return false;
    });
  }

  applied(codes: Iterable<string>): void {
    this.#showSession();
    for (const code of codes) {
      if (this.#listed.has(code)) {
        if (this.#isUnderstated(code)) this.#understated.add(code);
        continue;
      }
      this.#listed.add(code);
      // Put immediately, so that a client that joins before the first change set gets the complete record.
      this.#place(code);
    }
  }

  removed(codes: Iterable<string>): void {
    for (const code of codes) this.#listed.delete(code);
  }

  beforeFlush(): void {
    this.#showSession();
    if (this.until() >= this.#earliest) this.#takeEarly();
    this.#placeFirst(this.#understated, Number.POSITIVE_INFINITY);
    const count = this.#placeFirst(this.#urgent, STOCKS_A_TICK);
    this.#placeFirst(this.#waiting, STOCKS_A_TICK - count);
  }

  jumped(): void {
    this.#showSession();
    for (const all of [this.#listed, this.#understated, this.#urgent, this.#waiting]) all.clear();
    this.#counts.clear();
    this.#forgetEarly();
    // Put immediately, so that the state after the jump is complete.
    for (const code of this.recent.codes()) this.#placeAgain(code);
  }

  #place(code: string): void {
    const {
      market,
      recent: { summaries },
    } = this;
    const stock = market.get(code);
    if (!stock) return void this.#listed.delete(code);
    const shown = this.shownOf(code);
    if (shown.length === 0 && stock.news === undefined && !stock.sensitiveAnnouncements) return;
    const { news, sensitiveAnnouncements: count } = stockNewsOf(shown, this.#days, summaries);
    const stated = stock.sensitiveAnnouncements ?? 0;
    // A bridge may know an announcement that the exchange has not published yet.
    const isOurs = stated === (this.#counts.get(code) ?? 0);
    if (count > 0) this.#counts.set(code, count);
    else this.#counts.delete(code);
    market.setNews(code, {
      news,
      sensitiveAnnouncements: isOurs ? count : Math.max(count, stated),
    });
  }

  /** Puts announcements into a record that may already count them up to its moment. */
  #placeAgain(code: string): void {
    const stock = this.market.get(code);
    if (!stock) return;
    this.#listed.add(code);
    const shown = stockNewsOf(this.shownOf(code), this.#days, this.recent.summaries);
    const { sensitiveAnnouncements: count } = shown;
    if (count > 0 && count === stock.sensitiveAnnouncements) this.#counts.set(code, count);
    this.#place(code);
  }

  /** Whether the price source reported fewer price-sensitive announcements than there are. */
  #isUnderstated(code: string): boolean {
    const count = this.#counts.get(code);
    return count !== undefined && (this.market.get(code)?.sensitiveAnnouncements ?? 0) < count;
  }

  #placeFirst(codes: Set<string>, most: number): number {
    let count = 0;
    for (const code of codes) {
      if (count >= most) break;
      codes.delete(code);
      this.#place(code);
      count += 1;
    }
    return count;
  }

  #showSession(): void {
    const { market, recent } = this;
    const today = market.date();
    if (today === this.#days.today) return;
    this.#days = { today, previous: previousTradingDay(today) };
    this.settle();
    recent.load(this.#days.previous);
    this.#counts.clear();
    this.#forgetEarly();
    for (const code of recent.codes()) this.#waiting.add(code);
  }

  #takeEarly(): void {
    for (const code of this.#early) this.#waiting.add(code);
    this.#forgetEarly();
  }

  #forgetEarly(): void {
    this.#early.clear();
    this.#earliest = Number.POSITIVE_INFINITY;
  }
}
