import { filterValue } from '../../../../scanners/rules/filters.ts';
import type { ScanEvent } from '../../../rules/scanAlerts/scanAlert.ts';
import type { SystemClock } from '../../../../../lib/clock.ts';
import type { Entry, Firing, Move, ScanEngineCore, ScanEngineNeeds, Single, Sum, Watch } from './types.ts';

export type DealDeps = Pick<ScanEngineNeeds, 'market' | 'watched'> &
  Pick<ScanEngineCore, 'source'> & { clock: SystemClock };

/** Deals what moved to the alerts that wait for it, within the limits of each, until it is on disk. */
export function createDeal({ market, watched, source, clock }: DealDeps) {
  /** The symbols of users with alerts on their own list. */
  const lists = new Map<number, ReadonlySet<string>>();
  /** Alerts whose minute runs. */
  const running = new Set<Entry>();
  let moves: Move[] = [];
  let singles: Single[] = [];
  /** Sums that have new members, and those whose minute is over. */
  const growing = new Set<Sum>();
  let closing: Sum[] = [];

  function listOf(userId: number): ReadonlySet<string> {
    const known = lists.get(userId);
    if (known) return known;
    const list = new Set(watched(userId));
    lists.set(userId, list);
    return list;
  }

  function isMeant({ alert, mutes }: Entry, code: string): boolean {
    if (mutes.has(code)) return false;
    return alert.scope === 'market' || listOf(alert.userId).has(code);
  }

  function firingOf({ alert, scanLabel, watch }: Entry, { event, seen, stock }: Move, session: string) {
    const wall = clock.now();
    return {
      scanAlertId: alert.id,
      userId: alert.userId,
      symbol: stock.code,
      event,
      scanLabel,
      triggeredAt: wall,
      marketAt: source.clock.now(),
      seen,
      quoteAt: market.statedQuoteTime(stock.code),
      source: source.name,
      delayMinutes: source.delayMinutes(),
      silent: (alert.snoozedUntil ?? 0) > wall,
      session,
      scanHash: watch.hash,
    };
  }

  function addToSum(entry: Entry, firing: Firing & { symbol: string }): void {
    const { symbol } = firing;
    if (entry.sum) entry.sum.symbols.push(symbol);
    else {
      const summed = { ...firing, symbol: null, seen: [], quoteAt: null };
      entry.sum = { entry, rowId: null, firing: summed, symbols: [symbol] };
    }
    growing.add(entry.sum);
  }

  function dealTo(entry: Entry, move: Move, session: string): void {
    const { code } = move.stock;
    if (!isMeant(entry, code)) return;
    const dealt = entry.guard.deal(code, clock.monotonic(), entry.alert);
    if (dealt === 'held back') return;
    running.add(entry);
    const firing = firingOf(entry, move, session);
    if (dealt === 'single') singles.push({ entry, firing, stock: move.stock });
    else addToSum(entry, firing);
  }

  /** The sum of an alert is told at once: its minute is over, or the alert asks for something else now. */
  function closeSum(entry: Entry): void {
    if (entry.sum) closing.push(entry.sum);
    entry.sum = null;
  }

  return {
    /** Whether an alert would tell of a stock that entered or left. */
    isWanted(watch: Watch, event: ScanEvent, code: string): boolean {
      const now = clock.monotonic();
      return watch.entries[event].some(
        (entry) => isMeant(entry, code) && entry.guard.isOpen(code, now, entry.alert),
      );
    },

    moved: (move: Move): void => void moves.push(move),

    /** Deals what moved in a tick, what trades most first: it is the first that have messages of their own. */
    deal(session: string): void {
      if (moves.length > 1) moves.sort((a, b) => (filterValue(b.stock) ?? 0) - (filterValue(a.stock) ?? 0));
      for (const move of moves) {
        for (const entry of move.watch.entries[move.event]) dealTo(entry, move, session);
      }
      moves = [];
      const now = clock.monotonic();
      for (const entry of running) {
        if (now < (entry.guard.endOfMinute() ?? 0)) continue;
        closeSum(entry);
        entry.guard.endMinute();
        running.delete(entry);
      }
    },

    closeSum,
    /** Takes up a sum of an earlier run, whose minute is over. */
    takeUp: (sum: Sum): void => void closing.push(sum),
    forget: (entry: Entry): void => void running.delete(entry),
    /** A user's list is another one. */
    listChanged: (userId: number): void => void lists.delete(userId),

    /** What waits to be written; what was written is to be given back to `written`. */
    waiting(most: number) {
      singles = singles.filter(({ entry }) => !entry.isGone);
      closing = closing.filter(({ entry }) => !entry.isGone);
      for (const sum of growing) if (sum.entry.isGone) growing.delete(sum);
      return {
        singles: singles.slice(0, most),
        growing: [...growing].filter((sum) => !closing.includes(sum)).slice(0, most),
        closing: closing.slice(0, most),
      };
    },
    written({ singles: one, growing: grew, closing: closed }: Batch): void {
      singles = singles.slice(one.length);
      closing = closing.slice(closed.length);
      for (const sum of [...grew, ...closed]) growing.delete(sum);
    },
    /** Whether everything is on disk. */
    isIdle: (): boolean => singles.length + growing.size + closing.length === 0,
    count: (): number => singles.length + growing.size + closing.length,
  };
}

/** What is written in one transaction. */
export type Batch = { singles: readonly Single[]; growing: readonly Sum[]; closing: readonly Sum[] };
export type Deal = ReturnType<typeof createDeal>;
