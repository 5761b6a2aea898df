import { nextSurplusSide, type SurplusFlip, type SurplusSide } from './rules/auction.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MarketObserver } from '../observed.ts';
import type { Market } from '../types.ts';

/** How long a flip counts, ms of the market's clock. */
export const FLIP_MS = 60_000;

/** What an earlier run knew of a stock's surplus. Times are epoch ms on the market's clock. */
export type KnownSide = {
  side: SurplusSide;
  /** When it was seen so last. */
  seenAt: number;
  /** When it came to this side; null when no flip led to it. */
  flippedAt: number | null;
};

type Watched = KnownSide & { isRestored: boolean };

export type SurplusFlipsDeps = {
  market: Pick<Market, 'get' | 'date' | 'setSurplusFlip'>;
  /** The market's clock. */
  clock: Clock;
};

export type SurplusFlips = MarketObserver & {
  /** Gives back what an earlier run of the same session knew; to be called before the first update. */
  restore(known: Iterable<readonly [string, KnownSide]>): void;
  /** Puts the marks of a moment to which the market has jumped. */
  restoreMarks(known: Iterable<readonly [string, KnownSide]>): void;
  /** Stocks that are marked at this moment. */
  marked(): number;
};

/**
 * Marks a stock whose auction's surplus changed sides, for 60 s of the market's clock. The first surplus that is seen is no
 * flip, and neither is one against what an earlier run saw more than 60 s ago: when it changed, nobody knows. A clock that
 * steps back leaves a mark at most another 60 s; after a jump the marks are those of `restoreMarks`, or none.
 */
export function createSurplusFlips({ market, clock }: SurplusFlipsDeps): SurplusFlips {
  const watched = new Map<string, Watched>();
  /** Those of `watched` whose stock carries the mark. */
  const shown = new Map<string, Watched>();
  let date = '';

  /** A new session begins with nothing known. */
  function followSession(): void {
    const today = market.date();
    if (today === date) return;
    if (date !== '') watched.clear();
    shown.clear();
    date = today;
  }

  function mark(code: string, entry: Watched, flip: SurplusFlip): void {
    shown.set(code, entry);
    market.setSurplusFlip(code, flip);
  }

  function unmark(code: string): void {
    if (shown.delete(code)) market.setSurplusFlip(code, null);
  }

  /** What is known of the side before an update; an old word of an earlier run says nothing of now. */
  function sideBefore(entry: Watched | undefined, now: number): SurplusSide {
    if (!entry) return null;
    const isOld = entry.isRestored && (now < entry.seenAt || now - entry.seenAt > FLIP_MS);
    return isOld ? null : entry.side;
  }

  function look(code: string, now: number): void {
    const surplus = market.get(code)?.buy_surplus ?? null;
    const entry = watched.get(code);
    if (surplus === null) {
      if (entry && watched.delete(code)) unmark(code);
      return;
    }
    const before = sideBefore(entry, now);
    const side = nextSurplusSide(before, surplus);
    const hasFlipped = before !== null && side !== null && side !== before;
    const flippedAt = hasFlipped ? now : before === null ? null : (entry?.flippedAt ?? null);
    if (entry && !entry.isRestored && entry.side === side && !hasFlipped) return;
    const next: Watched = { side, seenAt: now, flippedAt, isRestored: false };
    watched.set(code, next);
    if (flippedAt !== null && side !== null && now >= flippedAt && now - flippedAt < FLIP_MS) {
      mark(code, next, side);
    } else unmark(code);
  }

  return {
    name: 'surplus flips',
    restore(known) {
      followSession();
      for (const [code, entry] of known) watched.set(code, { ...entry, isRestored: true });
    },
    restoreMarks(known) {
      const now = clock.now();
      for (const [code, entry] of known) {
        const { side, flippedAt } = entry;
        const watching = { ...entry, isRestored: false };
        watched.set(code, watching);
        if (side !== null && flippedAt !== null && now - flippedAt < FLIP_MS) mark(code, watching, side);
      }
    },
    applied(codes) {
      followSession();
      const now = clock.now();
      for (const code of codes) look(code, now);
    },
    removed(codes) {
      for (const code of codes) {
        watched.delete(code);
        shown.delete(code);
      }
    },
    beforeFlush() {
      followSession();
      const now = clock.now();
      for (const [code, entry] of shown) {
        entry.flippedAt = Math.min(entry.flippedAt ?? now, now);
        if (now - entry.flippedAt >= FLIP_MS) unmark(code);
      }
    },
    jumped() {
      watched.clear();
      for (const code of [...shown.keys()]) unmark(code);
      date = market.date();
    },
    marked: () => shown.size,
  };
}
