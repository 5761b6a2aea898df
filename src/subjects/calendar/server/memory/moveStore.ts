import {
  type Measured,
  MOVE_STATES,
  type MoveState,
  type Reaction,
} from '#subjects/calendar/rules/marketMoves.ts';
import { and, eq, gte, lt, notInArray } from 'drizzle-orm';
import { calendarTop50, calendarMoves } from '#src/tables/calendarSchema.ts';
import type { Db } from '#platform/db/open.ts';

/**
 * Format of a stored reaction, little-endian: the version; for 5 and 30 minutes the reason for no number (an index in
 * MOVE_STATES), and how many stocks rose, fell and count; then both changes of each stock in hundredths of a percent as
 * 16-bit integers, the smallest of which means unknown.
 */
const FORMAT = 1;
const HEAD_BYTES = 9;
const UNKNOWN = -32_768;
const MOST = 32_767;

/** Changes of the top 50 at 5 and 30 minutes after a moment, and their sums. */
export type MarketReaction = {
  /** Codes of the stocks in alphabetical order. */
  codes: readonly string[];
  after5: Measured;
  after30: Measured;
  /** Percent, in the order of the codes; null if unknown. */
  changes5: readonly (number | null)[];
  changes30: readonly (number | null)[];
};

const inHundredths = (change: number | null): number =>
  change === null ? UNKNOWN : Math.max(-MOST, Math.min(MOST, Math.round(change * 100)));

function packMove({ codes, after5, after30, changes5, changes30 }: MarketReaction): Buffer {
  const packed = Buffer.alloc(HEAD_BYTES + codes.length * 4);
  packed[0] = FORMAT;
  for (const [at, { state, reaction }] of [
    [1, after5],
    [5, after30],
  ] as const) {
    packed[at] = MOVE_STATES.indexOf(state);
    packed[at + 1] = reaction?.up ?? 0;
    packed[at + 2] = reaction?.down ?? 0;
    packed[at + 3] = reaction?.counted ?? 0;
  }
  for (const index of codes.keys()) {
    packed.writeInt16LE(inHundredths(changes5[index] ?? null), HEAD_BYTES + index * 4);
    packed.writeInt16LE(inHundredths(changes30[index] ?? null), HEAD_BYTES + index * 4 + 2);
  }
  return packed;
}

function measuredAt(packed: Buffer, at: number, change: number | null): Measured {
  const state: MoveState = MOVE_STATES[packed[at] ?? 0] ?? 'unknown';
  const [up = 0, down = 0, counted = 0] = packed.subarray(at + 1, at + 4);
  const reaction: Reaction | null = change === null ? null : { change, up, down, counted };
  return { state, reaction };
}

/**
 * The inverse of `packMove`; null if unreadable.
 * @param codes of the stocks
 * @param changes cap-weighted, as stored next to the bytes
 */
function unpackMove(
  packed: Buffer,
  codes: readonly string[],
  { after5, after30 }: { after5: number | null; after30: number | null },
): MarketReaction | null {
  if (packed[0] !== FORMAT || packed.byteLength !== HEAD_BYTES + codes.length * 4) return null;
  const changeAt = (at: number): number | null => {
    const value = packed.readInt16LE(at);
    return value === UNKNOWN ? null : value / 100;
  };
  return {
    codes,
    after5: measuredAt(packed, 1, after5),
    after30: measuredAt(packed, 5, after30),
    changes5: codes.map((_, index) => changeAt(HEAD_BYTES + index * 4)),
    changes30: codes.map((_, index) => changeAt(HEAD_BYTES + index * 4 + 2)),
  };
}

export class MoveStore {
  constructor(
    private readonly db: Db,
    private readonly source: string,
  ) {}

  /** @param time epoch ms by the market's clock */
  get(time: number): MarketReaction | null {
    const { codes } = calendarTop50;
    const { after5, after30, changes, basketId } = calendarMoves;
    const row = this.db
      .select({ after5, after30, changes, codes })
      .from(calendarMoves)
      .leftJoin(calendarTop50, eq(calendarTop50.id, basketId))
      .where(and(eq(calendarMoves.source, this.source), eq(calendarMoves.time, time)))
      .get();
    return row ? unpackMove(row.changes, row.codes?.split(',') ?? [], row) : null;
  }

  put(time: number, move: MarketReaction): void {
    const top50Id = move.codes.length === 0 ? null : this.#basketOf(move.codes.join(','));
    const values = {
      basketId: top50Id,
      after5: move.after5.reaction?.change ?? null,
      after30: move.after30.reaction?.change ?? null,
      changes: packMove(move),
    };
    this.db
      .insert(calendarMoves)
      .values({ source: this.source, time, ...values })
      .onConflictDoNothing()
      .run();
  }

  timesSince(since: number): number[] {
    const { source, time } = calendarMoves;
    const own = and(eq(source, this.source), gte(time, since));
    return this.db
      .select({ time })
      .from(calendarMoves)
      .where(own)
      .all()
      .map((row) => row.time);
  }

  /** Deletes older reactions of every source. @returns their number */
  prune(before: number): number {
    const old = this.db.delete(calendarMoves).where(lt(calendarMoves.time, before));
    const removed = old.returning({ time: calendarMoves.time }).all().length;
    if (removed > 0) this.#dropUnused();
    return removed;
  }

  #basketOf(codes: string): number {
    const { id, codes: known } = calendarTop50;
    this.db.insert(calendarTop50).values({ codes }).onConflictDoNothing().run();
    const row = this.db.select({ id }).from(calendarTop50).where(eq(known, codes)).get();
    if (!row) throw new Error('The top 50 stocks were not saved.');
    return row.id;
  }

  #dropUnused(): void {
    const used = this.db.select({ id: calendarMoves.basketId }).from(calendarMoves);
    this.db.delete(calendarTop50).where(notInArray(calendarTop50.id, used)).run();
  }
}
