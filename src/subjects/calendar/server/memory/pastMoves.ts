import type { App } from '#platform/app.ts';
import type { Steps } from '#platform/http/readQueue.ts';
import { largestOf } from '#subjects/calendar/rules/marketMoves.ts';
import { measureByBars } from './measure.ts';
import type { BasketMove } from './packedMoves.ts';

/** A few hundred bytes each. */
const MAX_HELD = 500;

/** What the market did after past moments, where any past can be had again: measured as it is asked for, and held for a while. */
export class PastMoves {
  readonly #held = new Map<number, BasketMove>();

  constructor(private readonly app: App) {}

  *read(time: number): Steps<BasketMove> {
    const held = this.#held.get(time);
    if (held) return held;
    const { market, values } = this.app;
    const move = yield* measureByBars(values, largestOf(market.all().values()), time);
    if (move.codes.length === 0) return move;
    if (this.#held.size >= MAX_HELD) this.#held.clear();
    this.#held.set(time, move);
    return move;
  }
}
