import { type DayLine, type DayLinesAnswer, DAY_LINE_SLOT_MINUTES } from './rules/bars.ts';
import { DAY_LINE_SLOTS, putClose, slotOf } from './rules/dayLine.ts';
import { dayOf, dayOfKey, keyOf } from '../rules/localTime.ts';
import { fromSydney } from '../rules/sydneyTime.ts';
import { isTradingDay } from '../rules/tradingDay.ts';
import type { Stock } from '../rules/stock.ts';
import type { Market } from '../types.ts';
import type { BarSources } from './pastBars.ts';
import { tradedToday } from './runningBars.ts';

type DayLinesDeps = BarSources & { market: Market };

const CODES_A_STEP = 4;

/** The whole day of a stock in a deep history, slot by slot; NaN without a trade. 600 bytes a stock. */
function createWholeDays({ history, bars }: BarSources) {
  let known: { date: string; byCode: Map<string, Float64Array> } = { date: '', byCode: new Map() };
  return (code: string, date: string): Float64Array => {
    if (known.date !== date) known = { date, byCode: new Map() };
    const kept = known.byCode.get(code);
    if (kept) return kept;
    const slots = new Float64Array(DAY_LINE_SLOTS).fill(Number.NaN);
    if (isTradingDay(date)) {
      history.eachMinute(code, date, ({ time, close }) => {
        slots[slotOf(bars.keyAt(time))] = close;
      });
    }
    // A recording tells a running day until now alone.
    if (history.recordedFrom === undefined) known.byCode.set(code, slots);
    return slots;
  };
}

/** Reads the day of many stocks as coarse lines, and changes nothing. */
export class DayLines {
  private readonly wholeDay: ReturnType<typeof createWholeDays>;

  constructor(private readonly deps: DayLinesDeps) {
    this.wholeDay = createWholeDays(deps);
  }

  /** A few stocks a step. */
  *read(codes: readonly string[]): Generator<undefined, DayLinesAnswer> {
    const { bars, market, clock } = this.deps;
    const date = market.date();
    const nowKey = bars.keyAt(clock.now());
    const lines: Record<string, DayLine> = {};
    for (const [index, code] of codes.entries()) {
      const stock = market.get(code);
      if (stock) lines[code] = this.lineOf(stock, date, nowKey);
      if (index % CODES_A_STEP === CODES_A_STEP - 1) yield;
    }
    const from = fromSydney(date, 10, 0);
    return { date, from, slotMinutes: DAY_LINE_SLOT_MINUTES, lines, unknown: this.unknownFrom(from) };
  }

  /** The stretches of the day in which no prices were seen. */
  private unknownFrom(from: number): DayLinesAnswer['unknown'] {
    const { seen, history } = this.deps;
    const until = from + DAY_LINE_SLOTS * DAY_LINE_SLOT_MINUTES * 60_000;
    const blind = (seen?.blind() ?? []).filter((span) => span.until > from && span.from < until);
    const since = seen?.since() ?? history.recordedFrom ?? null;
    const unknown = blind.map((span) => ({ from: span.from, until: span.until }));
    if (since !== null && since > from && since < until) unknown.unshift({ from, until: since });
    return unknown;
  }

  private lineOf(stock: Stock, date: string, nowKey: number): DayLine {
    const { code, close: previousClose } = stock;
    const { hasMinutes, history } = this.deps;
    if (!hasMinutes) return { previousClose, closes: [] };
    const last = tradedToday(stock, nowKey)?.last ?? null;
    const closes = history.isDeep
      ? this.deepCloses(code, date, nowKey, last)
      : this.keptCloses(code, date, nowKey);
    return { previousClose, closes };
  }

  private deepCloses(code: string, date: string, nowKey: number, last: number | null): DayLine['closes'] {
    const closes: DayLine['closes'] = [];
    const isRunning = dayOfKey(nowKey) === dayOf(date);
    const running = isRunning ? (nowKey < keyOf(dayOf(date), 599) ? -1 : slotOf(nowKey)) : DAY_LINE_SLOTS;
    for (const [slot, close] of this.wholeDay(code, date).entries()) {
      if (slot < running && !Number.isNaN(close)) putClose(closes, slot, close);
    }
    if (isRunning && running >= 0 && last !== null) putClose(closes, running, last);
    return closes;
  }

  private keptCloses(code: string, date: string, nowKey: number): DayLine['closes'] {
    const closes: DayLine['closes'] = [];
    const minutes = this.deps.bars.get(code)?.minutes;
    const day = dayOf(date);
    minutes?.each(
      ({ key, close }) => {
        if (dayOfKey(key) === day && key <= nowKey) putClose(closes, slotOf(key), close);
      },
      minutes.indexFrom(keyOf(day, 0)),
    );
    return closes;
  }
}
