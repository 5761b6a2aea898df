import { isTradingDay } from '#market/rules/tradingDay.ts';
import { addDays, fromSydney } from '#lib/sydneyTime.ts';
import type { DailyBar, MinuteBar } from '#market/bars/rules/bars.ts';
import type { History } from '#market/sources/quotes.ts';
import { textSeed, unit } from '#sources/quotes/simulator/random.ts';

const OPEN_MINUTES = 360;

const draw = (text: string, index: number): number => unit(textSeed(text), index);

const toCent = (price: number): number => Math.max(0.01, Math.round(price * 100) / 100);

export const benchHistory = (density: number): History => ({
  isDeep: true,
  eachDay(code, until, count, visit) {
    const bars: DailyBar[] = [];
    let close = 2 + draw(code, 0) * 40;
    for (let date = until, index = 1; bars.length < count; date = addDays(date, -1), index += 1) {
      if (!isTradingDay(date)) continue;
      const open = toCent(close * (0.97 + draw(code, index) * 0.06));
      const high = toCent(Math.max(open, close) * 1.01);
      const low = toCent(Math.min(open, close) * 0.99);
      bars.unshift({ date, open, high, low, close: toCent(close), volume: 1000 + index });
      close = open;
    }
    for (const bar of bars) visit(bar);
  },
  eachMinute(code, date, visit) {
    const bar: MinuteBar = { time: 0, open: 0, high: 0, low: 0, close: 0, volume: 0 };
    const ten = fromSydney(date, 10, 0);
    let price = 2 + draw(code, 0) * 40;
    for (let minute = 0; minute < OPEN_MINUTES; minute += 1) {
      if (draw(code + date, minute) > density) continue;
      const open = toCent(price);
      price *= 0.998 + draw(date + code, minute) * 0.004;
      const close = toCent(price);
      bar.time = ten + minute * 60_000;
      bar.open = open;
      bar.high = Math.max(open, close);
      bar.low = Math.min(open, close);
      bar.close = close;
      bar.volume = 100 + minute;
      visit(bar);
    }
  },
});
