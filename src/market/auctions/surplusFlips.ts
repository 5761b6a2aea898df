import { nextSurplusSide, type SurplusFlip, type SurplusSide } from './rules/auction.ts';
import type { Clock } from '#lib/clock.ts';
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

/** What is known of the side before an update; an old word of an earlier run says nothing of now. */
function sideBefore(entry: Watched | undefined, now: number): SurplusSide {
  if (!entry) return null;
  const isOld = entry.isRestored && (now < entry.seenAt || now - entry.seenAt > FLIP_MS);
  return isOld ? null : entry.side;
}

/**
 * Marks a stock whose auction's surplus changed sides, for 60 s of the market's clock. The first surplus that is seen is no
 * flip, and neither is one against what an earlier run saw more than 60 s ago: when it changed, nobody knows. A clock that
 * steps back leaves a mark at most another 60 s; after a jump the marks are those of `restoreMarks`, or none.
 */
export class SurplusFlips implements MarketObserver {
  readonly name = 'surplus flips';
  private readonly watched = new Map<string, Watched>();
  /** Those of `watched` whose stock carries the mark. */
  private readonly shown = new Map<string, Watched>();
  private date = '';

  /** @param clock the market's */
  constructor(
    private readonly market: Market,
    private readonly clock: Clock,
  ) {}

  /** Gives back what an earlier run of the same session knew; to be called before the first update. */
  restore(known: Iterable<readonly [string, KnownSide]>): void {
    this.followSession();
    for (const [code, entry] of known) this.watched.set(code, { ...entry, isRestored: true });
  }

  /** Puts the marks of a moment to which the market has jumped. */
  restoreMarks(known: Iterable<readonly [string, KnownSide]>): void {
    const now = this.clock.now();
    for (const [code, entry] of known) {
      const { side, flippedAt } = entry;
      const watching = { ...entry, isRestored: false };
      this.watched.set(code, watching);
      if (side !== null && flippedAt !== null && now - flippedAt < FLIP_MS) this.mark(code, watching, side);
    }
  }

  applied(codes: readonly string[]): void {
    this.followSession();
    const now = this.clock.now();
    for (const code of codes) this.look(code, now);
  }

  removed(codes: readonly string[]): void {
    for (const code of codes) {
      this.watched.delete(code);
      this.shown.delete(code);
    }
  }

  beforeFlush(): void {
    this.followSession();
    const now = this.clock.now();
    for (const [code, entry] of this.shown) {
      entry.flippedAt = Math.min(entry.flippedAt ?? now, now);
      if (now - entry.flippedAt >= FLIP_MS) this.unmark(code);
    }
  }

  jumped(): void {
    this.watched.clear();
    for (const code of [...this.shown.keys()]) this.unmark(code);
    this.date = this.market.date();
  }

  /** Stocks that are marked at this moment. */
  marked(): number {
    return this.shown.size;
  }

  /** A new session begins with nothing known. */
  private followSession(): void {
    const today = this.market.date();
    if (today === this.date) return;
    if (this.date !== '') this.watched.clear();
    this.shown.clear();
    this.date = today;
  }

  private mark(code: string, entry: Watched, flip: SurplusFlip): void {
    this.shown.set(code, entry);
    this.market.setSurplusFlip(code, flip);
  }

  private unmark(code: string): void {
    if (this.shown.delete(code)) this.market.setSurplusFlip(code, null);
  }

  private look(code: string, now: number): void {
    const surplus = this.market.get(code)?.buy_surplus ?? null;
    const entry = this.watched.get(code);
    if (surplus === null) {
      if (entry && this.watched.delete(code)) this.unmark(code);
      return;
    }
    const before = sideBefore(entry, now);
    const side = nextSurplusSide(before, surplus);
    const hasFlipped = before !== null && side !== null && side !== before;
    const flippedAt = hasFlipped ? now : before === null ? null : (entry?.flippedAt ?? null);
    if (entry && !entry.isRestored && entry.side === side && !hasFlipped) return;
    const next: Watched = { side, seenAt: now, flippedAt, isRestored: false };
    this.watched.set(code, next);
    if (flippedAt !== null && side !== null && now >= flippedAt && now - flippedAt < FLIP_MS) {
      this.mark(code, next, side);
    } else this.unmark(code);
  }
}
