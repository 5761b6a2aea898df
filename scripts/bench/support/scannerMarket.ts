import type { StockUpdate } from '#market/rules/stock.ts';
import { createBenchMarket } from './market.ts';

export type ScannerMarket = {
  listings: StockUpdate[];
  /** New trades in `count` different stocks, of those that show (or of all). */
  trades(count: number, among: 'shown' | 'all'): StockUpdate[];
};

type Moving = { code: string; last: number; volume: number; value: number };

const CLOSE = 0.4;
const LOWEST = 0.42;
const STEP = 0.005;

/**
 * A market with exactly `shown` of `size` listings in the scanner under $1: opened under a dollar, small,
 * always above the previous close, traded beyond any usual minimum. The rest open above a dollar.
 */
export function createScannerMarket(size: number, shown: number): ScannerMarket {
  const { listings } = createBenchMarket(size);
  let turn = 0;
  const moving = listings.map((listing, index): Moving => {
    const isShown = index < shown;
    const last = isShown ? LOWEST + (index % 90) * STEP : 2 + (index % 200) * 0.01;
    const open = isShown ? 0.45 : 2;
    Object.assign(listing, {
      open,
      close: isShown ? CLOSE : 1.9,
      last,
      high: Math.max(open, last),
      low: Math.min(open, last),
      vwap: last,
      marketCap: 5e7,
      volume: 1e6,
      value: 1e6 * last,
    });
    return { code: listing.code, last, volume: 1e6, value: 1e6 * last };
  });

  const trade = (stock: Moving): StockUpdate => {
    turn += 1;
    const moved = ((turn * 7) % 5) - 2;
    stock.last = Number(Math.max(LOWEST, stock.last + moved * STEP).toFixed(3));
    stock.volume += 100 + (turn % 900);
    stock.value += (100 + (turn % 900)) * stock.last;
    return {
      code: stock.code,
      last: stock.last,
      volume: stock.volume,
      value: stock.value,
      vwap: stock.value / stock.volume,
      relativeVolume: stock.volume / 9e5,
    };
  };

  return {
    listings,
    trades(count, among) {
      const pool = among === 'shown' ? moving.slice(0, shown) : moving;
      const from = (turn * 13) % pool.length;
      return Array.from({ length: Math.min(count, pool.length) }, (_, index) => {
        const stock = pool[(from + index * 3) % pool.length];
        if (!stock) throw new Error('There is no stock to trade.');
        return trade(stock);
      });
    },
  };
}
