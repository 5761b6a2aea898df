import type { StockUpdate } from '#market/rules/stock.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createRandom } from '#lib/random.ts';

export const BENCH_NOW = fromSydney('2026-11-19', 11, 0);

export type BenchMarket = {
  listings: StockUpdate[];
  trades(count: number): StockUpdate[];
};

type Trading = {
  code: string;
  last: number;
  high: number;
  low: number;
  volume: number;
  value: number;
  usual: number;
};

const step = (price: number): number => (price < 0.1 ? 0.001 : price < 2 ? 0.005 : 0.01);
function toStep(price: number): number {
  const size = step(price);
  return Number(Math.max(size, Math.round(price / size) * size).toFixed(3));
}

const SECTORS = ['Materials', 'Financials', 'Energy', 'Health Care', 'Industrials', 'Information Technology'];
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SYLLABLES = [
  'Bar',
  'mon',
  'Tel',
  'Gold',
  'ark',
  'ura',
  'min',
  'Lith',
  'os',
  'ven',
  'Pac',
  'ific',
  'Ter',
  'ra',
];

const codeOf = (index: number): string =>
  `${LETTERS[Math.floor(index / 676) % 26]}${LETTERS[Math.floor(index / 26) % 26]}${LETTERS[index % 26]}`;

/**
 * A simple market with an exact number of changing stocks: `size` listings with the members of a live source, a third
 * of them with news.
 */
export function createBenchMarket(size: number, seed = 1): BenchMarket {
  const random = createRandom(seed);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const trading: Trading[] = [];
  const listings: StockUpdate[] = [];
  for (let index = 0; index < size; index += 1) {
    const code = codeOf(index * 7);
    const close = toStep(0.004 * 10 ** (random() * 4));
    const last = toStep(close * (1 + (random() - 0.48) * 0.1));
    const volume = Math.floor(10 ** (3 + random() * 4));
    const high = Math.max(last, toStep(close * (1 + random() * 0.05)));
    const low = Math.min(last, toStep(close * (1 - random() * 0.05)));
    const stock: Trading = {
      code,
      last,
      high,
      low,
      volume,
      value: volume * last,
      usual: 1 + random() * volume * 2,
    };
    trading.push(stock);
    listings.push({
      ...updateOf(stock),
      name: `${pick(SYLLABLES)}${pick(SYLLABLES)} ${pick(SYLLABLES)}${pick(SYLLABLES)} Limited`,
      status: 'Open',
      securityType: 'stock',
      sector: pick(SECTORS),
      open: Math.min(high, Math.max(low, toStep(close * (1 + (random() - 0.5) * 0.04)))),
      close,
      marketCap: Math.round(10 ** (6.5 + random() * 4)),
      trend: {
        daysUp: Math.floor(random() * 4),
        daysDown: 0,
        weeksUp: 0,
        weeksDown: Math.floor(random() * 3),
      },
      sensitiveAnnouncements: index % 3 === 0 ? 1 : null,
      ...(index % 3 === 0 && {
        news: {
          '2026-11-19': {
            headline: 'Quarterly Activities Report',
            summary: null,
            summary_generated_at: null,
            alerted: false,
            announcements: {
              [String(2_900_000 + index)]: {
                headline: 'Quarterly Activities Report',
                url: null,
                announcementTypes: ['Quarterly Activities Report'],
                isPriceSensitive: true,
                time: new Date(BENCH_NOW - index * 9_000).toISOString(),
              },
            },
          },
        },
      }),
    });
  }

  function updateOf(stock: Trading): StockUpdate {
    const { code, last, high, low, volume, value, usual } = stock;
    return { code, last, high, low, volume, value, vwap: value / volume, relativeVolume: volume / usual };
  }

  function trade(stock: Trading): void {
    const moved = Math.round((random() - 0.5) * 4) * step(stock.last);
    stock.last = toStep(Math.max(step(stock.last), stock.last + moved));
    stock.high = Math.max(stock.high, stock.last);
    stock.low = Math.min(stock.low, stock.last);
    const shares = 1 + Math.floor(10 ** (random() * 4));
    stock.volume += shares;
    stock.value += shares * stock.last;
  }

  return {
    listings,
    trades(count) {
      const from = Math.floor(random() * size);
      const updates: StockUpdate[] = [];
      for (let index = 0; index < count; index += 1) {
        const stock = trading[(from + index * 7) % size];
        if (!stock) continue;
        trade(stock);
        updates.push(updateOf(stock));
      }
      return updates;
    },
  };
}
