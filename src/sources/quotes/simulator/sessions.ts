import { folderOf } from '#lib/dayFiles.ts';
import { STOCK_STATUSES } from '#market/rules/stock.ts';
import { statusFor } from '#market/rules/sessionClock.ts';
import { priceOf, WholeRows, wholePrice } from '#market/sessions/codec.ts';
import { framed, sessionFiles } from '#market/sessions/files.ts';
import { newsSince, sessionHours } from '#market/sessions/hours.ts';
import { SessionWriter } from '#market/sessions/parts.ts';
import type { OpeningResult, SessionGap } from '#market/sessions/rules/sessionDay.ts';
import {
  closeMarket,
  collectClose,
  collectOpen,
  nextOrderAt,
  nextPostTradeAt,
  openMarket,
  tradeAfterClose,
} from './auctions.ts';
import { newBuffers } from './dayPlan.ts';
import { fillSession, relativeVolume, statusAt, usualShare } from './exchange.ts';
import { createPast } from './history.ts';
import { createListings, type Listing } from './listings.ts';
import { aud, type Live, newLive } from './live.ts';
import { phaseOf, type Schedule, scheduleOf } from './phases.ts';
import { openShareOf } from './record.ts';
import { plannedDate, planSession, type PlannedDate, type SessionPlan } from './stockDay.ts';
import { createWorld } from './world.ts';
import { createYearRanges, type YearRange } from './yearRange.ts';

/** Limit of days that are made together, because a listing's year is drawn once for all of them. */
const DAYS_TOGETHER = 3;

/** Prices are whole in 1/10000 AUD, traded values in 1/1000. */
const WHOLE_A_MIL = 10;

const JUST_BEFORE = 0.001;

/** The end of a minute, in seconds of the day, still within it. */
const endOf = (minute: number): number => (minute + 1) * 60 - JUST_BEFORE;

type SimulatedDay = {
  schedule: Schedule;
  planned: PlannedDate;
  hours: SessionGap;
  newsSince: number;
  /** The exchange's status at the end of each recorded minute, as its index. */
  statuses: readonly number[];
  /** Share of the usual volume at the end of each recorded minute, by the usual share of the open. */
  usual: Map<number, Float64Array>;
};

function simulatedDay(date: string): SimulatedDay | null {
  const hours = sessionHours(date);
  if (!hours) return null;
  const schedule = scheduleOf(date);
  const planned = plannedDate(schedule);
  return {
    schedule,
    planned,
    hours,
    newsSince: newsSince(date),
    statuses: Array.from({ length: hours.until - hours.from }, (_, index) =>
      STOCK_STATUSES.indexOf(statusFor(phaseOf(schedule, endOf(hours.from + index)))),
    ),
    usual: new Map(),
  };
}

function usualBy({ usual, schedule, hours }: SimulatedDay, listing: Listing): Float64Array {
  const open = openShareOf(listing);
  let shares = usual.get(open);
  if (!shares) {
    shares = Float64Array.from({ length: hours.until - hours.from }, (_, index) =>
      usualShare(listing, schedule, (hours.from + index + 1) * 60),
    );
    usual.set(open, shares);
  }
  return shares;
}

/** Prices of a minute's trades, in 1/10000 AUD. */
type Bar = { open: number; high: number; low: number; last: number };

/** Writes the minutes of a listing's day straight from its plan. They are those that the exchange shows. */
class Minutes {
  private readonly buffers = newBuffers(1);
  private readonly rows = new WholeRows();
  private readonly open = this.rows.column('open');
  private readonly high = this.rows.column('high');
  private readonly low = this.rows.column('low');
  private readonly last = this.rows.column('last');
  private readonly volume = this.rows.column('volume');
  private readonly value = this.rows.column('value');
  private readonly relativeVolume = this.rows.column('relativeVolume');
  private readonly marketCap = this.rows.column('marketCap');
  private readonly matchPrice = this.rows.column('matchPrice');
  private readonly matchVolume = this.rows.column('matchVolume');
  private readonly surplus = this.rows.column('surplus');
  private readonly status = this.rows.column('status');
  private readonly sensitive = this.rows.column('sensitive');
  private readonly news = this.rows.column('news');
  private live: Live = newLive();
  private relative = Number.NaN;
  /** The last price of the slots so far, and its step. */
  private step = 0;
  private price = 0;

  write(plan: SessionPlan, { yearHigh, yearLow }: YearRange, day: SimulatedDay, writer: SessionWriter): void {
    const { rows } = this;
    const { schedule, hours, statuses, newsSince: since } = day;
    const usual = usualBy(day, plan.listing);
    rows.rows = 0;
    rows.hasDerivedAverages = true;
    this.live = newLive();
    this.relative = Number.NaN;
    fillSession(this.buffers, 0, plan, schedule);
    this.moveTo(plan.record.openStep);
    const releases = plan.releases.filter(({ time }) => time >= since);
    let next = releases[0];
    const hasOwnStatus = plan.halt !== null || plan.listing.suspended;
    let status: number | undefined;
    let [news, sensitive] = [0, 0];
    for (let minute = hours.from; minute < hours.until; minute += 1) {
      const end = (minute + 1) * 60;
      const hadMatch = this.live.match;
      const bar = this.advance(plan, schedule, minute);
      const isMatchChanged = hadMatch !== this.live.match;
      const now = hasOwnStatus
        ? STOCK_STATUSES.indexOf(statusAt(plan, endOf(minute), phaseOf(schedule, endOf(minute))))
        : statuses[minute - hours.from];
      let isNews = false;
      while (next && next.time < schedule.midnight + end * 1000) {
        isNews = true;
        news += 1;
        if (next.isPriceSensitive) sensitive += 1;
        next = releases[news];
      }
      if (!bar && !isMatchChanged && !isNews && now === status) continue;
      status = now;
      if (bar || (isMatchChanged && end <= schedule.open))
        this.relative =
          relativeVolume(this.live, plan, end < schedule.open, usual[minute - hours.from] ?? 0) ?? Number.NaN;
      this.status[rows.rows] = now ?? 0;
      this.news[rows.rows] = news;
      this.sensitive[rows.rows] = sensitive;
      this.add(minute, bar);
    }
    this.marketCap.fill(plan.marketCap ?? Number.NaN, 0, rows.rows);
    const { listing, close } = plan;
    const isFund = listing.securityType === 'fund';
    const { code, sector } = listing;
    const opening = openingOf(this.live, plan, schedule);
    writer.add({ code, isFund, sector, close, yearHigh, yearLow, opening }, rows);
  }

  /** Moves the listing to the end of a minute. @returns its trades, null without one */
  private advance(plan: SessionPlan, schedule: Schedule, minute: number): Bar | null {
    const { live } = this;
    const end = (minute + 1) * 60;
    if (end <= schedule.open) {
      if (nextOrderAt(live) < end) collectOpen(live, plan, schedule, endOf(minute));
      return null;
    }
    if (minute * 60 < schedule.end) return this.trade(plan, schedule, minute);
    if (end <= schedule.closing) {
      if (nextOrderAt(live) < end) collectClose(live, plan, schedule, endOf(minute));
      return null;
    }
    const before = live.volume;
    if (!live.closed) closeMarket(live, plan, schedule);
    else if (nextPostTradeAt(live, plan, schedule) < end)
      tradeAfterClose(live, plan, schedule, endOf(minute));
    return live.volume === before ? null : barAt(wholePrice(live.last ?? plan.close));
  }

  /** Continuous trading: slot 0 is the rest of the minute of the opening auction. */
  private trade(plan: SessionPlan, schedule: Schedule, minute: number): Bar | null {
    const { live, buffers } = this;
    let bar: Bar | null = null;
    if (!live.opened) {
      openMarket(live, plan, schedule);
      if (live.opening) bar = barAt(wholePrice(live.opening.price));
    }
    const { slot } = live;
    live.slot = minute - Math.floor(schedule.open / 60) + 1;
    const volume = buffers.volumes[slot] ?? 0;
    if (volume === 0) return bar;
    const from = this.price;
    this.moveTo(buffers.steps[slot] ?? 0);
    const to = this.price;
    live.baseVolume += volume;
    live.baseValue += (volume * (from + to)) / (2 * WHOLE_A_MIL);
    live.volume = live.baseVolume;
    live.value = live.baseValue;
    live.last = priceOf(to);
    const open = bar?.open ?? from;
    return { open, high: Math.max(open, from, to), low: Math.min(open, from, to), last: to };
  }

  private moveTo(step: number): void {
    if (step === this.step) return;
    this.step = step;
    this.price = wholePrice(aud(step));
  }

  private add(minute: number, bar: Bar | null): void {
    const { rows, live } = this;
    const row = rows.rows;
    rows.rows = row + 1;
    rows.minutes[row] = minute;
    rows.traded[row] = bar ? 1 : 0;
    this.open[row] = bar ? bar.open : Number.NaN;
    this.high[row] = bar ? bar.high : Number.NaN;
    this.low[row] = bar ? bar.low : Number.NaN;
    this.last[row] = bar ? bar.last : Number.NaN;
    this.volume[row] = live.volume;
    this.value[row] = Math.round((live.value / 1000) * 100);
    this.relativeVolume[row] = Math.round(this.relative * 100);
    const { match } = live;
    this.matchPrice[row] = match ? wholePrice(match.price) : Number.NaN;
    this.matchVolume[row] = match ? match.volume : Number.NaN;
    this.surplus[row] = match ? match.surplus : Number.NaN;
  }
}

/** As the server records it: only of stocks that the auction opened. */
function openingOf({ opening }: Live, plan: SessionPlan, { open }: Schedule): OpeningResult | null {
  if (!opening || statusAt(plan, open, 'open') !== 'Open') return null;
  return { minute: Math.floor(open / 60), ...opening };
}

const barAt = (price: number): Bar => ({ open: price, high: price, low: price, last: price });

/**
 * Makes whole sessions of the simulated exchange.
 * @param made called after each is on the disk
 */
export function makeSessions(
  {
    folder,
    source,
    dates,
    seed,
    listings = createListings(),
  }: {
    folder: string;
    source: string;
    dates: readonly string[];
    seed: number;
    listings?: readonly Listing[];
  },
  made: (date: string) => void,
): void {
  const files = sessionFiles(folder);
  const past = createPast(createWorld(seed));
  const rangeOf = createYearRanges(past, dates);
  const minutes = new Minutes();
  const writers = Array.from({ length: DAYS_TOGETHER }, () => new SessionWriter(true));
  // The newest days are written one by one, so that the first odds can be shown soon.
  for (
    let first = 0, count = 1;
    first < dates.length;
    first += count, count = Math.min(first, DAYS_TOGETHER)
  ) {
    const chosen = dates.slice(first, first + count);
    const days = chosen.flatMap((date, index) => {
      const [day, writer] = [simulatedDay(date), writers[index]];
      return day && writer ? { day, writer } : [];
    });
    for (const listing of listings) {
      for (const { day, writer } of days) {
        const range = rangeOf(listing, day.schedule.date);
        minutes.write(planSession(past, listing, day.planned), range, day, writer);
      }
    }
    for (const { day, writer } of days) {
      const { schedule, hours } = day;
      files.replace(folderOf(source), schedule.date, framed(writer.part({ hours, covered: [hours] })));
    }
    chosen.forEach(made);
    // Otherwise the workers' memory grows to several hundred megabytes.
    Bun.gc(true);
  }
}
