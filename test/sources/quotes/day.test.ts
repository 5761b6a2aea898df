import { beforeAll, describe, expect, test } from 'bun:test';
import { runAuction } from '#market/rules/auction.ts';
import { roundToStep } from '#market/rules/priceStep.ts';
import { phaseAt, statusFor } from '#market/rules/sessionClock.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { createMarket } from '#market/market.ts';
import { Exchange } from '#sources/quotes/simulator/exchange.ts';
import { daysUntil, minutesOn } from '#support/givenHistory.ts';
import { advance, announce, at, type Seen } from '#support/simulatedDays.ts';

const DATE = '2026-11-20';
const MINUTE = 60_000;
/** Seven hundred steps of two thousand listings, on a machine that may be busy. */
const A_WHOLE_DAY_MS = 120_000;

const known = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

/** Checks what must hold for a listing at any moment; returns a sentence for a violation. */
const broken = (stock: StockUpdate, before: StockUpdate | undefined): string[] => {
  const wrong: string[] = [];
  const claim = (holds: boolean, sentence: string): void => {
    if (!holds) wrong.push(`${stock.code} ${sentence}: ${JSON.stringify(stock)}`);
  };
  const { open, high, low, last, volume, value, vwap } = stock;
  claim((volume ?? 0) >= (before?.volume ?? 0), 'lost volume');
  claim((value ?? 0) >= (before?.value ?? 0) - 0.01, 'lost value');
  claim(Number.isInteger(volume), 'has broken shares');
  claim(known(last) === (volume ?? 0) > 0, 'has a last price exactly when it traded');
  if (
    known(last) &&
    known(high) &&
    known(low) &&
    known(open) &&
    known(vwap) &&
    known(volume) &&
    known(value)
  ) {
    claim(high >= last && last >= low && high >= open && open >= low, 'left its range');
    claim(high + 0.0001 >= vwap && vwap >= low - 0.0001, 'has an average outside its range');
    claim(
      Math.abs(value / volume - vwap) <= 0.0001 + 0.005 / volume,
      'has a value that is not volume times average',
    );
    for (const price of [open, high, low, last])
      claim(roundToStep(price) === price, 'trades off its price step');
  }
  return wrong;
};

describe('a whole day, a minute at a time', () => {
  const exchange = new Exchange({ seed: 7 });
  const seen: Seen = new Map();
  const faults: string[] = [];
  const statuses = new Map<string, Set<string>>();
  const refused: unknown[] = [];
  const matches = { checked: 0, wrong: [] as string[], outside: [] as string[] };
  let now = at(DATE, '07:00:00');
  const market = createMarket({ clock: { now: () => now } });

  const checkMatches = (phase: string): void => {
    for (const [code, stock] of seen) {
      const calling = phase === 'pre-open' || phase === 'pre-cspa' || phase === 'ospa' || phase === 'cspa';
      if (known(stock.match_price) && !calling) matches.outside.push(`${code} in ${phase}`);
      if (!calling || !known(stock.match_price)) continue;
      const book = exchange.orderBook(code);
      const reference = stock.last ?? stock.close ?? null;
      const result = book && runAuction(book.bids, book.asks, reference);
      matches.checked += 1;
      if (
        result?.price !== stock.match_price ||
        result.volume !== stock.match_vol ||
        result.surplus !== stock.buy_surplus
      )
        matches.wrong.push(code);
    }
  };

  beforeAll(() => {
    const end = at(DATE, '18:59:00');
    const before: Seen = new Map();
    let step = 0;
    while (now <= end) {
      const updates = advance(exchange, seen, now);
      refused.push(...market.apply(updates).refused);
      const { phase } = phaseAt(now);
      for (const update of updates) {
        const stock = seen.get(update.code);
        if (!stock) continue;
        faults.push(...broken(stock, before.get(update.code)));
        before.set(update.code, stock);
      }
      for (const stock of seen.values())
        statuses.set(phase, (statuses.get(phase) ?? new Set()).add(String(stock.status)));
      if (step % 15 === 0 || phase === 'ospa' || phase === 'cspa') checkMatches(phase);
      step += 1;
      // Auctions are shorter than a minute.
      now += phase === 'ospa' || phase === 'cspa' ? MINUTE / 6 : MINUTE;
      if (now === at(DATE, '10:00:00')) now = at(DATE, '09:59:50');
    }
    announce(exchange, seen, now);
  }, A_WHOLE_DAY_MS);

  test('keeps every figure possible at every step', () => expect(faults.slice(0, 5)).toEqual([]));

  test('sends nothing that the market rejects', () => {
    expect(refused.slice(0, 5)).toEqual([]);
    expect(market.all().size).toBe(2000);
  });

  test('goes through all phases, with each listing in the phase’s status unless halted', () => {
    expect([...statuses.keys()]).toEqual([
      'pre-open',
      'ospa',
      'open',
      'pre-cspa',
      'cspa',
      'post-close',
      'adjust',
    ]);
    for (const [phase, words] of statuses) {
      words.delete('Halted');
      words.delete('Suspended');
      expect([...words]).toEqual([statusFor(phase as ReturnType<typeof phaseAt>['phase'])]);
    }
  });

  test('shows the auction result of its order books, only during auctions', () => {
    expect(matches.wrong).toEqual([]);
    expect(matches.outside).toEqual([]);
    expect(matches.checked).toBeGreaterThan(5000);
  });

  test('agrees with its own daily history and minute bars at the end', () => {
    const traded = [...seen.values()].filter((stock) => (stock.volume ?? 0) > 0);
    expect(traded.length).toBeGreaterThan(1800);
    for (const stock of traded.filter((_, index) => index % 9 === 0)) {
      const [bar] = daysUntil(exchange, stock.code, DATE, 1);
      const { open, high, low, last, volume } = stock;
      expect({ code: stock.code, date: DATE, open, high, low, close: last, volume }).toEqual({
        code: stock.code,
        ...(bar as NonNullable<typeof bar>),
      } as never);
      const minutes = minutesOn(exchange, stock.code, DATE);
      expect(minutes.reduce((sum, minute) => sum + minute.volume, 0)).toBe(volume as number);
      expect(Math.max(...minutes.map((minute) => minute.high))).toBe(high as number);
      expect(Math.min(...minutes.map((minute) => minute.low))).toBe(low as number);
      expect([minutes[0]?.open, minutes.at(-1)?.close]).toEqual([open as number, last as number]);
    }
  });

  test('opens by auction if orders cross, and the market remembers the last indication', () => {
    const remembered = [...market.all().values()].filter((stock) => stock.preOpen);
    expect(remembered.length).toBeGreaterThan(1000);
    for (const stock of remembered) expect(stock.preOpen?.snapshot.match_price).toBe(stock.open);
  });
});
