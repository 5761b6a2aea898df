import type { Stock, StockUpdate } from '#market/rules/stock.ts';
import { createMarket } from '#market/market.ts';
import { createRecordingFile, FileWriter, type OutFile, recorded, Recorder } from '#market/recording/live.ts';
import type { RecordedEvent, RecordingHead } from '#market/recording/types.ts';
import type { Release } from '#market/sources/announcements.ts';

/** Monday 19 January 2026, 10:00 in Sydney. */
export const TEN = Date.UTC(2026, 0, 18, 23, 0, 0);

const HEAD = {
  version: 1,
  source: { name: 'hand', label: 'By hand', days: 'independent', delayMinutes: 0 },
  date: '2026-01-19',
  utcOffsetMinutes: 660,
} as const;

/** The records as in a recording: without values derived from prices and announcements. */
export const asRecorded = (stocks: Iterable<Stock>): Stock[] =>
  [...stocks]
    .map(({ indicators: _indicators, htf: _htf, news: _news, ...rest }) => rest)
    .sort((a, b) => (a.code < b.code ? -1 : 1));

type RecordedMarketOptions = {
  path: string;
  from?: number;
  head?: Partial<RecordingHead>;
  /** Fills the market with its content at the start of the recording. */
  before?: (market: ReturnType<typeof createMarket>) => void;
  /** Instead of the file itself. */
  through?: (file: OutFile) => OutFile;
  releases?: Release[];
};

/** A market whose ticks are recorded to a file, controlled by the test. */
export async function recordedMarket(options: RecordedMarketOptions) {
  const { path, from = TEN, through = (file) => file } = options;
  let now = from;
  const market = createMarket({ clock: { now: () => now }, days: 'independent' });
  options.before?.(market);
  const head = { ...HEAD, startedAt: from, ...options.head };
  const file = new FileWriter(through(await createRecordingFile(path)), head);
  const one = (code: string) => {
    const stock = market.get(code);
    if (!stock) throw new Error(`${code} is not listed.`);
    return recorded(stock, market.statedQuoteTime(code), market.quoteTime(code));
  };
  const recorder = new Recorder(
    {
      file,
      stopwatch: { monotonic: () => now - from },
      stocks: () => [...market.all().keys()].map(one),
      releases: () => options.releases ?? [],
      events: () => [],
    },
    from,
  );
  return {
    path,
    market,
    recorder,
    now: () => now,
    /** Lets time pass and sends the market a batch. */
    tick(ms: number, updates: readonly StockUpdate[], removed: readonly string[] = []): void {
      now += ms;
      market.apply(updates);
      market.remove(removed);
      const changes = market.flush();
      if (changes) recorder.stocks(now, Object.keys(changes.upsert).map(one), changes.delete);
      else recorder.idle(now);
    },
    other: (event: Parameters<typeof recorder.other>[1]): void => recorder.other(now, event),
  };
}

/** Plays events into a market whose clock follows them. */
export function player(base: { time: number; stocks: readonly Stock[] }) {
  let now = base.time;
  const market = createMarket({ clock: { now: () => now }, days: 'independent' });
  market.apply(base.stocks.map(({ preOpen: _preOpen, ...stock }) => stock));
  return {
    market,
    play(events: Iterable<RecordedEvent>): void {
      for (const event of events) {
        now = event.time;
        if (event.kind === 'stocks') market.apply(event.updates);
        if (event.kind === 'remove') market.remove(event.codes);
      }
    },
  };
}
