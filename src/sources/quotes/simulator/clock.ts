import { createPhaseReader, phasesOf, type PhaseSpan } from '#market/rules/sessionClock.ts';
import { fromSydney, sydneyParts } from '#market/rules/sydneyTime.ts';
import { isTradingDay, nextTradingDay } from '#market/rules/tradingDay.ts';
import type { Clock } from '#lib/clock.ts';
import type { MarketClock } from '../source.ts';

export type SimulatorClock = MarketClock & {
  /** True while the real exchange is closed, so that a market is simulated outside its hours. */
  outsideHours(): boolean;
};

type TimeOfDay = { hour: number; minute: number };

/** A simulated day: the market moment that a wall moment stands for, and when the day ends; epoch ms. */
type SimulatedDay = { date: string; wall: number; market: number; end: number };

/** The real exchange counts as open for so long after the post close, so that the last changes of the day are shown. */
const GRACE_MS = 30_000;
const AUTO_START: TimeOfDay = { hour: 9, minute: 50 };
const NEXT_DAY_START: TimeOfDay = { hour: 7, minute: 0 };

const dayFrom = (date: string, wall: number, { hour, minute }: TimeOfDay): SimulatedDay => ({
  date,
  wall,
  market: fromSydney(date, hour, minute),
  end: phasesOf(date).at(-1)?.until ?? fromSydney(date, 19, 0),
});

/** Whether a moment is in the hours of the real exchange. @param span the phase that it is in */
const isInHours = ({ phase, since }: PhaseSpan, now: number): boolean =>
  phase === 'adjust' ? now < since + GRACE_MS : phase !== 'closed';

/** Today until its market is over, else the next trading day. */
function comingDay(now: number, isExchangeOpen: boolean): string {
  const { date, hour } = sydneyParts(now);
  return isTradingDay(date) && (hour < 7 || isExchangeOpen) ? date : nextTradingDay(date);
}

/** Today when the market trades today, else the next trading day. */
function todayOrNext(now: number): string {
  const { date } = sydneyParts(now);
  return isTradingDay(date) ? date : nextTradingDay(date);
}

/** Hours and minutes of 'HH:MM'; null for 'auto'; a RangeError for anything else. */
function readStart(start: string): TimeOfDay | null {
  if (start === 'auto') return null;
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(start) ?? [];
  if (hour === undefined || minute === undefined)
    throw new RangeError(`"${start}" is not a time of day; write auto or a Sydney time such as 09:50.`);
  return { hour: Number(hour), minute: Number(minute) };
}

/** The market moment of a simulated day at a wall moment; a day that is over is followed by the next trading day. */
function marketTime(day: SimulatedDay, now: number, speed: number): { day: SimulatedDay; time: number } {
  let current = day;
  let time = current.market + (now - current.wall) * speed;
  while (time >= current.end) {
    const ended = current.wall + (current.end - current.market) / speed;
    current = dayFrom(nextTradingDay(current.date), Math.max(ended, current.wall), NEXT_DAY_START);
    time = current.market + (now - current.wall) * speed;
  }
  return { day: current, time };
}

/**
 * The simulated market's clock.
 * - start 'auto', speed 1: the wall clock while the real exchange is open; else its own day, from 09:50 of the
 *   coming trading day.
 * - start 'auto', any other speed: its own day from 09:50, because the wall clock has only one speed.
 * - start 'HH:MM': its own day from that Sydney time, on the wall's date when it is a trading day, else on the next.
 *
 * Its own day ends at 19:00 and goes on at 07:00 of the next trading day.
 * @throws RangeError when `start` is neither 'auto' nor a time of day
 */
export function createSimulatorClock(options: { start: string; speed: number; wall: Clock }): SimulatorClock {
  const { speed, wall } = options;
  const start = readStart(options.start);
  let own: SimulatedDay | null = null;
  const readPhase = createPhaseReader();
  const isExchangeOpen = (now: number): boolean => isInHours(readPhase(now), now);

  const firstDay = (now: number): SimulatedDay =>
    start
      ? dayFrom(todayOrNext(now), now, start)
      : dayFrom(comingDay(now, isExchangeOpen(now)), now, AUTO_START);

  const followsWall = (now: number): boolean => !start && speed === 1 && isExchangeOpen(now);

  return {
    now() {
      const now = wall.now();
      if (followsWall(now)) {
        own = null;
        return now;
      }
      const { day, time } = marketTime(own ?? firstDay(now), now, speed);
      own = day;
      return Math.round(time);
    },
    get speed() {
      return followsWall(wall.now()) ? 1 : speed;
    },
    outsideHours: () => !isExchangeOpen(wall.now()),
  };
}
