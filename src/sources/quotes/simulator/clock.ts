import { phaseAt, phasesOf } from '../../../domain/market/sessionClock.ts';
import { isTradingDay, nextTradingDay } from '../../../domain/market/tradingDay.ts';
import { fromSydney, sydneyParts } from '../../../domain/market/sydneyTime.ts';
import type { MarketClock } from '../source.ts';
import type { Clock } from '../../../lib/clock.ts';

export type SimulatorClock = MarketClock & {
  /** True when a market is shown although the real exchange is closed. */
  outsideHours(): boolean;
};

/** A stretch of one simulated day: which wall moment stands for which market moment, and when the day ends. */
type Stretch = { date: string; wall: number; market: number; end: number };

/** The real exchange still counts as open this long after the post close, so that its last words are seen. */
const GRACE_MS = 30_000;
const AUTO_START = { hour: 9, minute: 50 };

const stretch = (date: string, wall: number, hour: number, minute: number): Stretch => ({
  date,
  wall,
  market: fromSydney(date, hour, minute),
  end: phasesOf(date).at(-1)?.until ?? fromSydney(date, 19, 0),
});

/** Whether a moment lies in the hours of the real exchange, and how long that stays so. */
function realHours(now: number): { open: boolean; from: number; until: number } {
  const { phase, since, until } = phaseAt(now);
  if (phase === 'closed') return { open: false, from: since, until };
  if (phase !== 'adjust') return { open: true, from: since, until };
  const grace = since + GRACE_MS;
  return now < grace ? { open: true, from: since, until: grace } : { open: false, from: grace, until };
}

/** Today until its market is over, else the next trading day. */
function comingDay(now: number, exchangeOpen: boolean): string {
  const { date, hour } = sydneyParts(now);
  return isTradingDay(date) && (hour < 7 || exchangeOpen) ? date : nextTradingDay(date);
}

/** Hours and minutes of 'HH:MM'; null for 'auto'; a RangeError for anything else. */
function readStart(start: string): { hour: number; minute: number } | null {
  if (start === 'auto') return null;
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(start) ?? [];
  if (hour === undefined || minute === undefined)
    throw new RangeError(`"${start}" is not a time of day; write auto or a Sydney time such as 09:50.`);
  return { hour: Number(hour), minute: Number(minute) };
}

/**
 * The simulated market's clock.
 * - start 'auto', speed 1: the wall clock while the real exchange is open; else its own day, from 09:50 of the
 *   coming trading day.
 * - start 'auto', any other speed: its own day from 09:50, because the wall clock has only one speed.
 * - start 'HH:MM': its own day from that Sydney time, on the wall's date when it is a trading day, else on the next.
 *
 * Its own day ends at 19:00 and goes on at 07:00 of the next trading day.
 */
export function createSimulatorClock(options: { start: string; speed: number; wall: Clock }): SimulatorClock {
  const { speed, wall } = options;
  const start = readStart(options.start);
  let own: Stretch | null = null;
  let hours = realHours(wall.now());

  const exchangeOpen = (now: number): boolean => {
    if (now < hours.from || now >= hours.until) hours = realHours(now);
    return hours.open;
  };

  const begin = (now: number): Stretch => {
    if (!start) return stretch(comingDay(now, exchangeOpen(now)), now, AUTO_START.hour, AUTO_START.minute);
    const { date } = sydneyParts(now);
    return stretch(isTradingDay(date) ? date : nextTradingDay(date), now, start.hour, start.minute);
  };

  const ownTime = (now: number): number => {
    own ??= begin(now);
    let market = own.market + (now - own.wall) * speed;
    while (market >= own.end) {
      const passed = own.wall + (own.end - own.market) / speed;
      own = stretch(nextTradingDay(own.date), Math.max(passed, own.wall), 7, 0);
      market = own.market + (now - own.wall) * speed;
    }
    return market;
  };

  const onWall = (now: number): boolean => !start && speed === 1 && exchangeOpen(now);

  return {
    now() {
      const now = wall.now();
      if (!onWall(now)) return Math.round(ownTime(now));
      own = null;
      return now;
    },
    get speed() {
      return onWall(wall.now()) ? 1 : speed;
    },
    outsideHours: () => !exchangeOpen(wall.now()),
  };
}
