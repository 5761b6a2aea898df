import type { Wire } from '#lib/contract/fields.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import type { DayEventsAnswer } from '#market/auctions/rules/auction.ts';
import { isPreOpen, phaseAt } from '#market/rules/sessionClock.ts';
import type { Stock, SurplusFlip } from '#market/rules/stock.ts';
import { haltOf } from '#market/rules/stockState.ts';
import { closingMinute, previousTradingDay } from '#market/rules/tradingDay.ts';
import { formatExactFigure } from '#subjects/calendar/rules/figures.ts';
import { type NewsLine, newsLinesOf } from '#subjects/marketOverview/rules/dayNews.ts';
import type { briefAnswer } from '../answers/brief.ts';

export type Brief = Wire<typeof briefAnswer>;
type StatusChange = DayEventsAnswer['statuses'][number];
type BriefStock = Pick<Brief['lists'][number], 'code' | 'name' | 'gap' | 'value'>;
type Halt = Brief['halts'][number];
type Flip = Brief['flips'][number];

export type KnownFlip = { code: string; side: SurplusFlip; time: number };

/** What the brief is made of, apart from a user's lists. */
export type Market = {
  stocks: ReadonlyMap<string, Stock>;
  flips: readonly KnownFlip[];
  statusesOf(code: string): readonly StatusChange[];
  events: readonly CalendarEvent[];
  overnight: Brief['overnight'];
  /** The market's clock, epoch ms. */
  now: number;
  /** The session, YYYY-MM-DD. */
  date: string;
};

/** All that is new of the whole market. */
export type MarketNews = Omit<Brief, 'state' | 'next' | 'lists' | 'watched'> & {
  newsSince: number;
  isBeforeOpen: boolean;
};

const MAX_ANNOUNCEMENTS = 60;
const MAX_FLIPS = 12;
/** With less match value (AUD) a gap says little, so these announcements are last. */
export const SMALL_VALUE = 10_000;
/** A stock of a list is shown without other news from this gap on, percent. */
const NOTABLE_GAP = 2;

/** The gap before the open, and afterwards that of the opening auction. */
function gapOf(stock: Stock, isBeforeOpen: boolean): BriefStock {
  const { indicativeChangePercent: gap, match_value: value } = isBeforeOpen
    ? stock
    : (stock.preOpen?.snapshot ?? { indicativeChangePercent: null, match_value: null });
  return { code: stock.code, name: stock.name, gap, value };
}

/** The end of trading of the session before this one, epoch ms. */
export function lastClose(date: string): number {
  const before = previousTradingDay(date);
  const minute = closingMinute(before) ?? 0;
  return fromSydney(before, Math.floor(minute / 60), minute % 60);
}

const sizeOf = ({ gap }: BriefStock): number => Math.abs(gap ?? 0);
const isSmall = ({ value }: BriefStock): boolean => (value ?? 0) < SMALL_VALUE;

const byGap = (a: BriefStock, b: BriefStock): number =>
  Number(isSmall(a)) - Number(isSmall(b)) || sizeOf(b) - sizeOf(a) || (b.value ?? 0) - (a.value ?? 0);

function gapsOf(all: readonly BriefStock[]): Brief['gaps'] {
  const known = all.filter(({ gap }) => gap !== null);
  if (known.length === 0) return null;
  const up = known.filter(({ gap }) => (gap ?? 0) > 0).length;
  const down = known.filter(({ gap }) => (gap ?? 0) < 0).length;
  const value = Math.round(known.reduce((sum, one) => sum + (one.value ?? 0), 0));
  return { up, down, unchanged: known.length - up - down, stocks: all.length, value };
}

/** Announcements of a stock since the last close, newest first. */
const newsOf = (stock: Stock, since: number, now: number): NewsLine[] =>
  newsLinesOf(stock)
    .filter(({ time }) => Date.parse(time) >= since && Date.parse(time) <= now)
    .sort((a, b) => (a.time < b.time ? 1 : -1));

function haltsOf(stock: Stock, statuses: readonly StatusChange[]): Pick<Halt, 'kind' | 'time'> | null {
  const isHalt = ({ status }: StatusChange): boolean => status === 'Halted' || status === 'Suspended';
  const halt = haltOf(stock);
  // The first status shows only since when the day is known.
  const begun = statuses.findLastIndex((change, at) => at > 0 && isHalt(change) && change.status === halt);
  const time = statuses[begun]?.time ?? null;
  if (halt === 'Halted') return { kind: 'halted', time };
  // Suspensions last for months, so only a new one is news.
  if (halt === 'Suspended') return time === null ? null : { kind: 'suspended', time };
  const lifted = statuses.findLastIndex(isHalt) + 1;
  return lifted === 0 ? null : { kind: 'lifted', time: statuses[lifted]?.time ?? null };
}

function eventOf(event: CalendarEvent): Brief['events'][number] {
  const known = (['actual', 'consensus', 'previous'] as const).flatMap((name) =>
    event[name] === null ? [] : [`${name} ${formatExactFigure(event[name], event)}`],
  );
  return {
    id: event.id,
    time: event.isAllDay ? null : timeOf(event),
    currency: event.currencyCode,
    name: event.name,
    figures: known.join(', '),
  };
}

/** What is new of the whole market since the last close. */
export function marketNews(market: Market): MarketNews {
  const { stocks, date, now } = market;
  const newsSince = lastClose(date);
  const isBeforeOpen = isPreOpen(phaseAt(now).phase);
  const gaps = new Map([...stocks].map(([code, stock]) => [code, gapOf(stock, isBeforeOpen)]));
  const announcements: Brief['announcements'] = [];
  const halts: Halt[] = [];
  for (const [code, stock] of stocks) {
    const figures = gaps.get(code);
    if (!figures) continue;
    const halt = haltsOf(stock, market.statusesOf(code));
    if (halt) halts.push({ ...figures, ...halt });
    const news = stock.news ? newsOf(stock, newsSince, now).filter((line) => line.isPriceSensitive) : [];
    const [newest] = news;
    if (!newest) continue;
    const time = Date.parse(newest.time);
    announcements.push({ ...figures, headline: newest.headline, time, more: news.length - 1 });
  }
  const flips = market.flips.flatMap(({ code, side, time }): Flip[] => {
    const figures = gaps.get(code);
    return figures ? [{ ...figures, side: side > 0 ? 'buyers' : 'sellers', time }] : [];
  });
  return {
    date,
    at: now,
    newsSince,
    isBeforeOpen,
    overnight: market.overnight,
    gaps: gapsOf([...gaps.values()]),
    announcements: announcements.sort((a, b) => byGap(a, b) || b.time - a.time),
    announcementCount: announcements.length,
    flips: flips.sort((a, b) => (b.value ?? 0) - (a.value ?? 0)),
    halts: halts.sort((a, b) => (b.time ?? 0) - (a.time ?? 0) || (a.code < b.code ? -1 : 1)),
    events: market.events.filter(({ volatility }) => volatility === 'HIGH').map(eventOf),
  };
}

export const HALT_TEXTS: Readonly<Record<Halt['kind'], string>> = {
  halted: 'Halted',
  suspended: 'Suspended',
  lifted: 'Trades again',
};

/** The stocks of a user's lists that have news: those with an event first, then by gap. */
export function listNews(
  { halts, flips, newsSince, isBeforeOpen, at }: MarketNews,
  stocks: ReadonlyMap<string, Stock>,
  symbols: readonly string[],
): Brief['lists'] {
  const all = symbols.flatMap((symbol) => {
    const stock = stocks.get(symbol);
    if (!stock) return [];
    const halt = halts.find(({ code }) => code === symbol);
    const flip = flips.find(({ code }) => code === symbol);
    const news = [
      ...(halt ? [HALT_TEXTS[halt.kind]] : []),
      ...newsOf(stock, newsSince, at).map(({ headline }) => headline),
      ...(flip ? [`Surplus turned to ${flip.side}`] : []),
    ];
    return [{ ...gapOf(stock, isBeforeOpen), news }];
  });
  return all
    .filter((one) => one.news.length > 0 || sizeOf(one) >= NOTABLE_GAP)
    .sort((a, b) => Number(b.news.length > 0) - Number(a.news.length > 0) || byGap(a, b));
}

/** The whole brief of a user, with at most as many lines as one reads. */
export function briefOf(
  { newsSince: _since, isBeforeOpen: _before, ...news }: MarketNews,
  own: Pick<Brief, 'state' | 'next' | 'lists' | 'watched'>,
): Brief {
  return {
    ...news,
    ...own,
    announcements: news.announcements.slice(0, MAX_ANNOUNCEMENTS),
    flips: news.flips.slice(0, MAX_FLIPS),
  };
}
