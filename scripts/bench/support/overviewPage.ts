import { emptyStock, type Stock } from '#market/rules/stock.ts';
import { createAggregator } from '#subjects/marketOverview/rules/aggregator.ts';

export type OverviewInput = { stocks: number; changed: number; ticks: number };
export type OverviewResult = { bytes: number; advancers: number };

const FOLLOWED = 'followed';
const READ = 'read';

function stockOf(index: number, tick: number): Stock {
  const last = 0.1 + ((index * 37 + tick * 11) % 500) / 50;
  return {
    ...emptyStock(`S${index}`),
    status: 'Open',
    sector: `Sector ${index % 26}`,
    last,
    close: 5,
    high: last + 1,
    low: last,
    volume: 1000 * index,
    value: 5000 * index,
    marketCap: 1e7 * ((index * 7919) % 2000),
    change_percent: Math.round((last / 5 - 1) * 100_000) / 1000,
    relativeVolume: (index % 50) / 10,
    yearRange: { high: 9, low: 0.2 },
  };
}

const asTask = <T>(mark: string, work: () => T): Promise<T> =>
  new Promise((resolve) =>
    setTimeout(() => {
      const made = work();
      performance.mark(mark);
      setTimeout(resolve, 0, made);
    }, 10),
  );

async function measure({ stocks: count, changed, ticks }: OverviewInput): Promise<OverviewResult> {
  let stocks: ReadonlyMap<string, Stock> = new Map(
    Array.from({ length: count }, (_, index) => [`S${index}`, stockOf(index, 0)]),
  );
  const aggregator = createAggregator({
    securities: undefined,
    byMatchPrice: false,
    ranges: null,
    part: 'map',
  });
  aggregator.follow(stocks, null);
  const result: OverviewResult = { bytes: 0, advancers: 0 };
  for (let tick = 1; tick <= ticks; tick += 1) {
    const next = new Map(stocks);
    const codes: string[] = [];
    for (let one = 0; one < changed; one += 1) {
      const stock = stockOf((one * 3 + tick) % count, tick);
      next.set(stock.code, stock);
      codes.push(stock.code);
    }
    stocks = next;
    const reported = await asTask(FOLLOWED, () => JSON.stringify(aggregator.follow(stocks, codes)));
    const read = await asTask(READ, () => JSON.parse(reported) as { totals: { advancers: number } });
    result.bytes = reported.length;
    result.advancers = read.totals.advancers;
  }
  return result;
}

Object.assign(globalThis, { measureOverview: measure });
