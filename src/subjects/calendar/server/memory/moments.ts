import type { CalendarEvent } from '#subjects/calendar/rules/calendarEvent.ts';
import { timeOf } from '#subjects/calendar/rules/days.ts';
import { type Horizon, isOpenAround } from '#subjects/calendar/rules/marketMoves.ts';
import { hasFigure } from '#subjects/calendar/rules/reminders.ts';

/** How long a moment's answer is remembered: those of three days are asked for again and again. */
const MAX_KNOWN = 2000;

/** The last horizon of a moment with an open market; null where it has none. */
export const lastHorizon = (time: number): Horizon | null =>
  isOpenAround(time, 30) ? 30 : isOpenAround(time, 5) ? 5 : null;

/** Finds the moments at which figures are published while the market is open. */
export class Moments {
  readonly #known = new Map<number, Horizon | null>();

  /** Each once, with the last horizon that has a market. */
  of(events: Iterable<CalendarEvent>): Map<number, Horizon> {
    const found = new Map<number, Horizon>();
    for (const event of events) {
      const time = hasFigure(event) ? timeOf(event) : null;
      const horizon = time === null ? null : this.#horizonOf(time);
      if (time !== null && horizon !== null) found.set(time, horizon);
    }
    return found;
  }

  #horizonOf(time: number): Horizon | null {
    const known = this.#known.get(time);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const horizon = lastHorizon(time);
    this.#known.set(time, horizon);
    return horizon;
  }
}
