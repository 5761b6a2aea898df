import { and, eq, gte, lt, notInArray } from 'drizzle-orm';
import { calendarBaskets, calendarMoves } from '#src/tables/calendarSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { type BasketMove, packMove, unpackMove } from './packedMoves.ts';

/** SQL of what the market did after moments, by the prices of one source. */
export class MoveStore {
  /** @param source the name of the source of prices */
  constructor(
    private readonly db: Db,
    private readonly source: string,
  ) {}

  /** @param time epoch ms by the market's clock */
  get(time: number): BasketMove | null {
    const { codes } = calendarBaskets;
    const { after5, after30, changes, basketId } = calendarMoves;
    const row = this.db
      .select({ after5, after30, changes, codes })
      .from(calendarMoves)
      .leftJoin(calendarBaskets, eq(calendarBaskets.id, basketId))
      .where(and(eq(calendarMoves.source, this.source), eq(calendarMoves.time, time)))
      .get();
    return row ? unpackMove(row.changes, row.codes?.split(',') ?? [], row) : null;
  }

  put(time: number, move: BasketMove): void {
    const basketId = move.codes.length === 0 ? null : this.#basketOf(move.codes.join(','));
    const values = {
      basketId,
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

  /** The moments of which it is kept what the market did, from one on. */
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

  /** Removes what is older than a moment, of any source. @returns how many */
  prune(before: number): number {
    const old = this.db.delete(calendarMoves).where(lt(calendarMoves.time, before));
    const removed = old.returning({ time: calendarMoves.time }).all().length;
    if (removed > 0) this.#dropUnused();
    return removed;
  }

  #basketOf(codes: string): number {
    const { id, codes: known } = calendarBaskets;
    this.db.insert(calendarBaskets).values({ codes }).onConflictDoNothing().run();
    const row = this.db.select({ id }).from(calendarBaskets).where(eq(known, codes)).get();
    if (!row) throw new Error('The basket of the largest stocks was not kept.');
    return row.id;
  }

  #dropUnused(): void {
    const used = this.db.select({ id: calendarMoves.basketId }).from(calendarMoves);
    this.db.delete(calendarBaskets).where(notInArray(calendarBaskets.id, used)).run();
  }
}
