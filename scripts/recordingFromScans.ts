import { join, resolve } from 'node:path';
import { humanSize } from '../src/lib/wording.ts';
import { phasesOf } from '../src/market/rules/sessionClock.ts';
import type { SecurityType, StockUpdate } from '../src/market/rules/stock.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createMarket } from '../src/market/market.ts';
import { utcOffsetOf } from '../src/market/recording/blocks.ts';
import { createRecordingFile, FileWriter, recorded, Recorder } from '../src/market/recording/live.ts';
import type { Release } from '../src/market/sources/announcements.ts';
import { readRecordedScan, type RecordedRow } from '../test/support/recordedScan.ts';
import { readFileSync } from 'node:fs';
import type { AsxItem } from '../test/support/fakeAsx.ts';

type Recorded = {
  data: { items: AsxItem[]; summaryCounts: { announcements: number; priceSensitive: number } };
};

/**
 * The announcements of a recorded Sydney day, newest first, with the exchange's counts.
 * @param folder of the recordings
 * @param date 2026-01-19 or 2026-01-20
 */
function readRecordedDay(folder: string, date: string): Recorded['data'] {
  const file = join(folder, 'announcements', `markit-${date}.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as Recorded).data;
}

const MINUTE_MS = 60_000;
/** Time after the open when all stocks have opened: the exchange opens in groups. */
const ALL_OPENED_MS = 10 * MINUTE_MS;

const numberOf = (row: RecordedRow, column: string): number | null => {
  const value = row.cells.get(column);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};
const textOf = (row: RecordedRow, column: string): string | null => {
  const value = row.cells.get(column);
  return typeof value === 'string' ? value : null;
};
const typeOf = (row: RecordedRow): SecurityType => {
  const type = textOf(row, 'type');
  return type === 'fund' ? 'fund' : type === 'dr' ? 'cdi' : type === 'stock' ? 'stock' : 'other';
};

/** The updates of a stock from a scan after the close: before the open, after the open, after the close. */
function momentsOf(row: RecordedRow): StockUpdate[] {
  const code = textOf(row, 'name') ?? '';
  const close = numberOf(row, 'close');
  const change = numberOf(row, 'change_abs');
  const open = numberOf(row, 'open');
  const volume = numberOf(row, 'volume');
  const hasTraded = volume !== null && volume > 0;
  const before: StockUpdate = {
    code,
    name: textOf(row, 'description') ?? code,
    securityType: typeOf(row),
    sector: textOf(row, 'sector'),
    marketCap: numberOf(row, 'market_cap_basic'),
    close: close === null || change === null ? null : Math.round((close - change) * 10_000) / 10_000,
  };
  if (!hasTraded) return [before];
  return [
    before,
    ...(open === null ? [] : [{ code, open, last: open }]),
    {
      code,
      open,
      volume,
      last: close,
      high: numberOf(row, 'high'),
      low: numberOf(row, 'low'),
      relativeVolume: numberOf(row, 'relative_volume_10d_calc'),
    },
  ];
}

function releasesOf(folder: string, date: string): Release[] {
  return readRecordedDay(folder, date)
    .items.map((item) => ({
      id: item.documentKey,
      code: item.symbol,
      headline: item.headline,
      url: null,
      document: null,
      announcementTypes: [...item.announcementTypes],
      isPriceSensitive: item.isPriceSensitive,
      time: Date.parse(item.date),
    }))
    .sort((a, b) => a.time - b.time);
}

/**
 * Writes a recording of a day from one scan after the close and its announcements. It contains only known facts: at
 * 07:00 the previous closes, ten minutes after the open the opening prices, at the end the day's figures. It has no
 * minutes, ranges or volumes before the end.
 * @param folder of the recorded figures
 * @param date YYYY-MM-DD
 * @param path a new file
 */
async function recordScans(
  folder: string,
  date: string,
  path: string,
): Promise<{ stocks: number; bytes: number }> {
  const byCode = new Map(readRecordedScan(folder, date).map((row) => [textOf(row, 'name'), momentsOf(row)]));
  const startedAt = fromSydney(date, 7, 0);
  const open = phasesOf(date).find(({ phase }) => phase === 'open')?.since ?? startedAt;
  const end = phasesOf(date).find(({ phase }) => phase === 'adjust')?.since ?? startedAt;
  let now = startedAt;
  const releases: Release[] = [];
  const market = createMarket({ clock: { now: () => now }, days: 'independent' });
  const source = { name: 'scans', label: 'Recorded scans', days: 'independent' as const, delayMinutes: 0 };
  const head = { version: 1, source, date, utcOffsetMinutes: utcOffsetOf(date), startedAt };
  const file = new FileWriter(await createRecordingFile(path), head);
  const one = (code: string) => {
    const stock = market.get(code);
    return stock ? [recorded(stock, market.statedQuoteTime(code), market.quoteTime(code))] : [];
  };
  const recorder = new Recorder(
    {
      file,
      stopwatch: { monotonic: () => now },
      stocks: () => [],
      releases: () => releases,
      events: () => [],
    },
    startedAt,
  );
  function tick(updates: readonly StockUpdate[]): void {
    market.apply(updates);
    const changes = market.flush();
    if (changes) recorder.stocks(now, Object.keys(changes.upsert).flatMap(one), changes.delete);
  }
  const all = [...byCode.values()];
  const last = (moments: StockUpdate[]): StockUpdate[] => (moments.length > 1 ? moments.slice(-1) : []);
  const steps: { time: number; run: () => void }[] = [
    { time: startedAt, run: () => tick(all.flatMap(([first]) => first ?? [])) },
    ...phasesOf(date).map(({ since }) => ({ time: since, run: () => tick([]) })),
    { time: open + ALL_OPENED_MS, run: () => tick(all.flatMap((moments) => moments.slice(1, -1))) },
    { time: end, run: () => tick(all.flatMap(last)) },
    ...releasesOf(folder, date)
      .filter(({ time }) => time >= startedAt)
      .map((release) => ({
        time: release.time,
        run: () => {
          recorder.other(now, { kind: 'announcements', releases: [release] });
          releases.push(release);
        },
      })),
  ];
  for (const { time, run } of steps.sort((a, b) => a.time - b.time)) {
    now = time;
    run();
  }
  await recorder.end();
  const problem = recorder.failure();
  if (problem !== null) throw new Error(problem);
  return { stocks: market.all().size, bytes: file.size() };
}

// Turns a recorded day (one scan after the close, and its announcements) into a recording for tests and replays.
const [folder, date, file] = process.argv.slice(2);
if (folder === undefined || date === undefined || file === undefined) {
  console.error('Usage: bun scripts/recordingFromScans.ts FOLDER 2026-01-19 FILE');
  process.exit(2);
}
const { stocks, bytes } = await recordScans(resolve(folder), date, resolve(file));
console.log(`Written: ${file} (${humanSize(bytes)}), ${String(stocks)} stocks.`);
