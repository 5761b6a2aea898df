import { CALLS_PATH } from '#web/router/routes.ts';
import type { CellTone } from '#ui/table/types.ts';
import { replayLabel, SIMULATED } from '#market/rules/replay.ts';
import { lookUp } from '#lib/json.ts';

export const callPath = (publicId: string): string => `${CALLS_PATH}/${encodeURIComponent(publicId)}`;

export const recordPath = (name: string): string => `${CALLS_PATH}/by/${encodeURIComponent(name)}`;

export const LEDGER_PATH = `${CALLS_PATH}/ledger`;

export const ABOUT =
  'Bellbird shows which ASX stocks gap up before the open and move during the day, in tables that change as they trade. ' +
  'Post a trade idea as a call, and its result is worked out from the trades that follow.';

/** Values that round to zero are flat. @param decimals displayed decimals */
export function directionTone(value: number | null, decimals: number): CellTone {
  if (value === null) return null;
  if (Math.abs(value) * 10 ** decimals < 0.5) return 'flat';
  return value > 0 ? 'up' : 'down';
}

const LABELS: Readonly<Record<string, string>> = {
  simulator: SIMULATED,
  tradingview: 'TradingView',
  ingest: 'Broker feed',
  unknown: 'Not recorded',
};

/** Source and date of a recording. */
const REPLAY = /^replay-(.{1,200})-(\d{4}-\d{2}-\d{2})$/;

/** An unknown source is shown by its own name. */
export function sourceLabel(source: string | null): string {
  if (source === null) return 'Not recorded';
  const [, recorded = '', date] = REPLAY.exec(source) ?? [];
  return date === undefined ? nameOf(source) : replayLabel(nameOf(recorded), date);
}

const nameOf = (source: string): string => lookUp(LABELS, source) ?? source;
