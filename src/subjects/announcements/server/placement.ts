import type { KeptAnnouncement } from '../rules/keptAnnouncement.ts';
import { type KeptSummary, type ShownDays, stockNewsOf } from '../rules/stockNews.ts';
import { previousTradingDay } from '../../../market/rules/tradingDay.ts';
import type { MarketObserver } from '../../../market/observed.ts';
import type { Market } from '../../../market/types.ts';
import type { Recent } from './recent.ts';

/**
 * Stocks that get what is new of their announcements in one tick: about 20 kB of it. Those that are just listed don't
 * count, as all of them is new.
 */
const STOCKS_A_TICK = 60;

export type PlacementDeps = {
  market: Pick<Market, 'get' | 'setNews' | 'date'>;
  recent: Recent;
  summaries: ReadonlyMap<string, KeptSummary>;
  /** Those released later than this are not shown yet, epoch ms. */
  until(): number;
  /** Loads what is kept since a date; called when another session is shown. */
  load(since: string): void;
};

/** Puts the recent announcements into the Market: a stock's when it is listed, and before each change set what is new. */
export function createPlacement({ market, recent, summaries, until, load }: PlacementDeps) {
  /** Codes that were listed when they were last looked at. */
  const listed = new Set<string>();
  /** Stocks of which a batch stated fewer price-sensitive announcements than there are. */
  const understated = new Set<string>();
  /** How many price-sensitive ones of today were put into the records; those of none are left out. */
  const counts = new Map<string, number>();
  /** Stocks with something new: price sensitive, and the others. */
  const urgent = new Set<string>();
  const waiting = new Set<string>();
  /** Codes with an announcement whose time has not come, and the first such time. */
  const early = new Set<string>();
  let earliest = Number.POSITIVE_INFINITY;
  let days: ShownDays = { today: '', previous: '' };

  const touch = (code: string, isUrgent = false): void => void (isUrgent ? urgent : waiting).add(code);

  /** Those of a stock whose time has come; the others are remembered. */
  function shownOf(code: string): KeptAnnouncement[] {
    const end = until();
    return recent.of(code).filter(({ time }) => {
      if (time <= end) return true;
      early.add(code);
      earliest = Math.min(earliest, time);
      return false;
    });
  }

  function place(code: string): void {
    const stock = market.get(code);
    if (!stock) return void listed.delete(code);
    const shown = shownOf(code);
    if (shown.length === 0 && stock.news === undefined && !stock.sensitiveAnnouncements) return;
    const { news, sensitiveAnnouncements: count } = stockNewsOf(shown, days, summaries);
    const stated = stock.sensitiveAnnouncements ?? 0;
    // A bridge may know of one that the exchange has not published yet.
    const isOurs = stated === (counts.get(code) ?? 0);
    if (count > 0) counts.set(code, count);
    else counts.delete(code);
    market.setNews(code, { news, sensitiveAnnouncements: isOurs ? count : Math.max(count, stated) });
  }

  /** Of a record that may count what was announced until its moment already. */
  function placeAnew(code: string): void {
    const stock = market.get(code);
    if (!stock) return;
    listed.add(code);
    const { sensitiveAnnouncements: count } = stockNewsOf(shownOf(code), days, summaries);
    if (count > 0 && count === stock.sensitiveAnnouncements) counts.set(code, count);
    place(code);
  }

  /** Whether a batch has just stated fewer price-sensitive announcements than there are. */
  function isUnderstated(code: string): boolean {
    const count = counts.get(code);
    return count !== undefined && (market.get(code)?.sensitiveAnnouncements ?? 0) < count;
  }

  function placeFirst(codes: Set<string>, most: number): number {
    let count = 0;
    for (const code of codes) {
      if (count >= most) break;
      codes.delete(code);
      place(code);
      count += 1;
    }
    return count;
  }

  function showSession(): void {
    const today = market.date();
    if (today === days.today) return;
    days = { today, previous: previousTradingDay(today) };
    load(days.previous);
    counts.clear();
    early.clear();
    earliest = Number.POSITIVE_INFINITY;
    for (const code of recent.codes()) waiting.add(code);
  }

  function takeEarly(): void {
    if (until() < earliest) return;
    for (const code of early) waiting.add(code);
    early.clear();
    earliest = Number.POSITIVE_INFINITY;
  }

  const observer: MarketObserver = {
    name: 'announcements',
    applied(codes) {
      showSession();
      for (const code of codes) {
        if (listed.has(code)) {
          if (isUnderstated(code)) understated.add(code);
          continue;
        }
        listed.add(code);
        // At once: whoever joins before the first change set is shown the records as they are.
        place(code);
      }
    },
    removed(codes) {
      for (const code of codes) listed.delete(code);
    },
    beforeFlush() {
      showSession();
      takeEarly();
      placeFirst(understated, Number.POSITIVE_INFINITY);
      const count = placeFirst(urgent, STOCKS_A_TICK);
      placeFirst(waiting, STOCKS_A_TICK - count);
    },
    jumped() {
      showSession();
      for (const all of [listed, understated, counts, urgent, waiting, early]) all.clear();
      earliest = Number.POSITIVE_INFINITY;
      // At once: the moment is shown whole.
      for (const code of recent.codes()) placeAnew(code);
    },
  };

  return {
    observer,
    /** Something of a stock's announcements changed. @param isUrgent price sensitive: before the others */
    touch,
    /** Those of a stock that are shown, in no order; also of one that is not listed. */
    shownOf,
    days: (): ShownDays => {
      showSession();
      return days;
    },
    waiting: (): number => urgent.size + waiting.size,
  };
}

export type Placement = ReturnType<typeof createPlacement>;
