import { fromSydney } from '../../src/market/rules/sydneyTime.ts';
import { clockFrom, openClockedStage } from './clockedStage.ts';
import {
  type FakeTradingView,
  type FakeTradingViewOptions,
  startFakeTradingView,
} from './fakeTradingView.ts';
import type { RecordedRow } from './recordedScan.ts';
import type { Stage } from './stage.ts';

export type RecordedStage = {
  stage: Stage;
  /** The platform that answers from the recording. */
  scanner: FakeTradingView;
  /** Warnings and errors that the server logged; a test that provokes some takes them out. */
  problems: string[];
  close(): Promise<void>;
};

/** The platform gives these today and did not when the rows were recorded; stated by the day's own range. */
const UNRECORDED: Readonly<Record<string, string>> = {
  price_52_week_high: 'high',
  price_52_week_low: 'low',
  'VWAP|1': 'close',
};

/** A cell that the recording lacks. */
function unrecordedCells(rows: readonly RecordedRow[]): NonNullable<FakeTradingViewOptions['override']> {
  const bySymbol = new Map(rows.map((row) => [row.symbol, row]));
  return (symbol, column) => {
    const row = bySymbol.get(symbol);
    const instead = UNRECORDED[column];
    if (!row || instead === undefined || row.cells.has(column)) return undefined;
    // A VWAP below the previous close would make a mover of a stock that falls.
    const isFalling = column.startsWith('VWAP') && !((numberOf(row, 'change_abs') ?? 0) > 0);
    return isFalling ? undefined : row.cells.get(instead);
  };
}

/**
 * The product with the TradingView source, polling recorded rows once a second, and a browser in front of it. Its clock
 * goes on at the usual pace, whenever the test runs.
 * @param date YYYY-MM-DD; the market begins at half past eleven of it
 * @param more how the platform dates what it answers
 */
export async function openRecordedStage(
  rows: readonly RecordedRow[],
  date: string,
  more: Partial<Pick<FakeTradingViewOptions, 'barTimes' | 'lagMs'>> = {},
): Promise<RecordedStage> {
  const wall = clockFrom(fromSydney(date, 11, 30));
  const scanner = startFakeTradingView({
    ...{ rows, now: wall.now, lagMs: 20 * 60_000, override: unrecordedCells(rows) },
    ...more,
  });
  const { stage, problems, close } = await openClockedStage(wall, {
    BELLBIRD_FEED: 'tradingview',
    BELLBIRD_TRADINGVIEW_URL: scanner.url,
    BELLBIRD_POLL_SECONDS: '1',
  });
  return {
    ...{ stage, scanner, problems },
    async close() {
      await close();
      await scanner.stop();
    },
  };
}

/** Rounded as people do, half away from zero, on the digits as they are written. */
export const rounded = (value: number, digits: number): number =>
  Math.sign(value) * Number(`${Math.round(Number(`${Math.abs(value).toFixed(9)}e${digits}`))}e-${digits}`);

/** A cell of a recorded listing as a number; null when the recording has none. */
export function numberOf(row: RecordedRow, column: string): number | null {
  const cell = row.cells.get(column);
  return typeof cell === 'number' ? cell : null;
}
