import { type Adjustment, factorSince } from '#market/rules/splitAdjustment.ts';
import { priceStep } from '#market/rules/priceStep.ts';
import { closingMinute, nextTradingDay } from '#market/rules/tradingDay.ts';
import type { Condition, Logic } from '#subjects/conditions/rules/condition.ts';
import type { ExitReason } from '#subjects/odds/rules/result.ts';
import type { OddsSettings } from '#subjects/odds/rules/settings.ts';
import type { RecordedDay, RecordedMinute } from './recordedSessions.ts';

/**
 * The odds of a scan, computed the slow way: it checks every minute of every stock. It shares only price steps,
 * the calendar and split factors with the product.
 */

type Row = RecordedMinute & { open: number; high: number; low: number; last: number };
type Entry = {
  symbol: string;
  date: string;
  minute: number;
  exitDate: string;
  exit: number;
  reason: ExitReason;
  result: number;
};
type State = {
  m: number;
  status: string;
  close?: number;
  open?: number;
  last?: number;
  high?: number;
  low?: number;
} & {
  [name: string]: number | string | undefined;
};

const traded = (row: RecordedMinute): Row | null => {
  if (row.trades === undefined) return null;
  const [open, high = open, low = open, last = open] =
    typeof row.trades === 'number' ? [row.trades] : row.trades;
  return { ...row, open, high, low, last };
};

const isTraded = (s: State): boolean => s.status !== 'Pre Open' && s.last !== undefined;

/** Percents have three decimals. */
const percent = (now: number, close: number): number =>
  Math.trunc((now / close - 1) * 1e5 * (1 + 1e-12)) / 1e3;

function valueOf(key: string, s: State): number | undefined {
  const known = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  if (s.status === 'Halted') return undefined;
  if (key === 'close' || key === 'marketCap') return s[key] as number | undefined;
  if (key === 'minutes_since_open') {
    if (s.m < 599) return undefined;
    // The open is 15 seconds before 10:00, and trading ends with the closing auction at 16:11.
    return Math.min(s.m - 599, known(s['closing']) as number);
  }
  if (key === 'match_price') return s.status === 'Open' ? undefined : known(s['matchPrice']);
  if (key === 'gap_percent') {
    const price = s.status === 'Pre Open' || s.open === undefined ? known(s['matchPrice']) : s.open;
    if (price === undefined || s.close === undefined) return undefined;
    return price === s.open ? (price / s.close - 1) * 100 : percent(price, s.close);
  }
  if (!isTraded(s)) return undefined;
  if (key === 'change_percent') return s.close === undefined ? undefined : percent(s.last as number, s.close);
  return known(s[key]);
}

type Indicator = (code: string, date: string, last: number) => number | undefined;

function truthOf(
  logic: Logic,
  s: State,
  before: Map<Condition, boolean>,
  indicatorAt: (last: number) => number | undefined,
): boolean | undefined {
  const one = (condition: Condition): boolean | undefined => {
    const read = (side: Condition['rhs']) => {
      if (side.type === 'indicator') return s.last === undefined ? undefined : indicatorAt(s.last);
      return side.type === 'number' ? side.value : side.type === 'field' ? valueOf(side.key, s) : undefined;
    };
    const [a, b] = [read(condition.lhs), read(condition.rhs)];
    if (a === undefined || b === undefined) return undefined;
    const near = Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
    const [above, below] = [a > b && !near, a < b && !near];
    const is = { '>': above, '<': below, '>=': !below, '<=': !above, '==': near, '!=': !near };
    if (condition.op !== 'crosses_above' && condition.op !== 'crosses_below') return is[condition.op];
    const there = condition.op === 'crosses_above' ? above : below;
    const was = before.get(condition);
    before.set(condition, there);
    return there && was === false;
  };
  const all = logic.conditions.map((member) => {
    if (member.op !== 'OR') return one(member);
    const any = member.conditions.map(one);
    return any.includes(true) ? true : any.includes(undefined) ? undefined : false;
  });
  return all.includes(false) ? false : all.includes(undefined) ? undefined : true;
}

const AUCTION = ['match_price', 'gap_percent'];

export function naiveOdds(
  logic: Logic,
  settings: OddsSettings,
  days: readonly RecordedDay[],
  adjustments: (code: string) => readonly Adjustment[],
  indicator: Indicator = () => undefined,
) {
  const entries: Entry[] = [];
  const leftOut = { noFill: 0, noExit: 0, gap: 0 };
  const sides = logic.conditions
    .flatMap((one) => (one.op === 'OR' ? one.conditions : [one]))
    .flatMap((one) => [one.lhs, one.rhs]);
  const readsAuction = sides.some((side) => side.type === 'field' && AUCTION.includes(side.key));
  const endOf = (date: string) => (closingMinute(date) as number) + 12;
  const hasGap = (day: RecordedDay, from: number, until: number) =>
    (day.gaps ?? []).some((gap) =>
      Array.from({ length: gap.until - gap.from }, (_, at) => gap.from + at).some(
        (m) => m >= Math.max(from, 599) && m <= until && m < endOf(day.date),
      ),
    );
  const stockOf = (day: RecordedDay, code: string) => day.stocks.find((one) => one.code === code);
  const rowsOf = (day: RecordedDay, code: string) =>
    (stockOf(day, code)?.minutes ?? []).flatMap((row) => traded(row) ?? []);

  function trade(code: string, at: number, minute: number): void {
    const day = days[at] as RecordedDay;
    const end = endOf(day.date);
    const later = rowsOf(day, code).filter((row) => row.minute > minute);
    const fillRow = later[0];
    if (!fillRow) {
      leftOut[hasGap(day, minute + 1, end) ? 'gap' : day.isComplete === false ? 'noExit' : 'noFill'] += 1;
      return;
    }
    const minutes = stockOf(day, code)?.minutes ?? [];
    const isAuction =
      minutes[minutes.findIndex((row) => row.minute === fillRow.minute) - 1]?.matchPrice !== undefined;
    let fill = fillRow.open;
    for (let step = 0; step < settings.steps && !isAuction; step += 1)
      fill = Number((fill + priceStep(fill)).toFixed(3));
    const close = (exitDay: RecordedDay, exitMinute: number, price: number, reason: ExitReason): void => {
      const b = Math.max(settings.brokerage / 100, settings.minBrokerage / settings.amount);
      const exit =
        price / (factorSince(adjustments(code), day.date) / factorSince(adjustments(code), exitDay.date));
      const result = ((exit * (1 - b)) / (fill * (1 + b)) - 1) * 100;
      entries.push({ symbol: code, date: day.date, minute, exitDate: exitDay.date, exit, reason, result });
    };
    const today = (row: Row, price: number, reason: ExitReason): void => {
      if (hasGap(day, minute + 1, row.minute)) leftOut.gap += 1;
      else close(day, row.minute, price, reason);
    };
    const nextDays = (reason: ExitReason): void => {
      if (hasGap(day, minute + 1, end)) return void (leftOut.gap += 1);
      for (let next = at + 1; next < days.length; next += 1) {
        const then = days[next] as RecordedDay;
        const row = rowsOf(then, code)[0];
        if (
          nextTradingDay(days[next - 1]?.date ?? '') !== then.date ||
          hasGap(then, 599, row?.minute ?? endOf(then.date))
        )
          return void (leftOut.gap += 1);
        if (row) return close(then, row.minute, row.open, reason);
      }
      leftOut.noExit += 1;
    };
    if (hasGap(day, minute + 1, fillRow.minute)) return void (leftOut.gap += 1);
    const { exit } = settings;
    if (exit.kind === 'nextOpen') return nextDays('nextOpen');
    if (exit.kind === 'minutes') {
      const row = later.find((one) => one.minute >= fillRow.minute + exit.minutes);
      if (row) return today(row, row.open, 'time');
      return day.isComplete === false ? void (leftOut.noExit += 1) : nextDays('later');
    }
    const last = later.at(-1) as Row;
    if (exit.kind === 'stopTarget') {
      const stop = fill * (1 - exit.stop / 100);
      const target = fill * (1 + exit.target / 100);
      for (const row of later) {
        const valid = (price: number, round: (steps: number) => number) => {
          const step = price < 0.1 ? 0.001 : price < 2 ? 0.005 : 0.01;
          return Number((round(Number((price / step).toFixed(6))) * step).toFixed(3));
        };
        if (row.low <= valid(stop, Math.floor))
          return today(row, Math.min(valid(stop, Math.floor), row.open), 'stop');
        if (row.high >= valid(target, Math.ceil)) return today(row, valid(target, Math.ceil), 'target');
      }
    }
    if (day.isComplete === false || last === fillRow) return void (leftOut.noExit += 1);
    if (hasGap(day, minute + 1, end)) return void (leftOut.gap += 1);
    if (minutes.findLast((row) => row.status !== undefined && row.minute < end)?.status === 'Halted')
      return nextDays('later');
    close(day, last.minute, last.last, 'close');
  }

  for (const code of new Set(days.flatMap(({ stocks }) => stocks.map((one) => one.code)))) {
    const before = new Map<Condition, boolean>();
    let seen = '';
    for (const [at, day] of days.entries()) {
      const stock = stockOf(day, code);
      if (!stock) continue;
      if (factorSince(adjustments(code), seen) !== factorSince(adjustments(code), day.date)) before.clear();
      seen = day.date;
      const s: State = {
        m: 0,
        status: 'Open',
        closing: (closingMinute(day.date) as number) - 589,
        ...(stock.close !== undefined && { close: stock.close }),
      };
      let member: boolean | null = false;
      let hasRow = false;
      let isDone = false;
      for (let m = 420; m < 1440; m += 1) {
        const row = stock.minutes.find((one) => one.minute === m);
        s.m = m;
        if (row) {
          hasRow = true;
          const { trades: _, minute: __, ...given } = row;
          Object.assign(s, { matchPrice: undefined, matchVolume: undefined }, given);
          const bar = traded(row);
          if (bar)
            Object.assign(s, {
              open: s.open ?? bar.open,
              last: bar.last,
              high: Math.max(s.high ?? 0, bar.high),
              low: Math.min(s.low ?? 1e9, bar.low),
            });
        }
        const isGap = (day.gaps ?? []).some(
          ({ from, until }) =>
            m >= Math.max(from, readsAuction ? 420 : 599) && m < until && m < endOf(day.date),
        );
        const found = hasRow
          ? truthOf(logic, s, before, (last) => indicator(code, day.date, last))
          : undefined;
        if (isGap) [member, hasRow] = [null, false];
        const truth = isTraded(s) || readsAuction ? found : undefined;
        if (isGap || isDone || truth === undefined) continue;
        if (truth && member === false) {
          trade(code, at, m);
          isDone = !settings.everyEntry;
        }
        member = truth;
      }
    }
  }
  return { entries, leftOut };
}
