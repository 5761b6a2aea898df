import { replayLabel, SIMULATED } from '#market/rules/replayLabel.ts';
import { lookUp } from '#lib/json.ts';

const LABELS: Readonly<Record<string, string>> = {
  simulator: SIMULATED,
  tradingview: 'TradingView',
  ingest: 'Broker feed',
  unknown: 'Not recorded',
};

/** Of a recording: of which source, and of which date. */
const REPLAY = /^replay-(.{1,200})-(\d{4}-\d{2}-\d{2})$/;

/** What a source of prices is called on screen; one that this page does not know goes by its own name. */
export function sourceLabel(source: string | null): string {
  if (source === null) return 'Not recorded';
  const [, recorded = '', date] = REPLAY.exec(source) ?? [];
  return date === undefined ? nameOf(source) : replayLabel(nameOf(recorded), date);
}

const nameOf = (source: string): string => lookUp(LABELS, source) ?? source;
