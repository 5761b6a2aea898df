import type { Log } from '../../../lib/log.ts';
import type { RefusedUpdate } from '../source.ts';
import type { RefusedRows } from './scan.ts';

/**
 * Writes what was refused of a poll: at most one line, and none while nothing changed since the last poll.
 * @returns `report`: give it what the parser refused and what the Market refused
 */
export function createRefusalLog(log: Log): {
  report(parsed: RefusedRows, market: readonly RefusedUpdate[]): void;
} {
  let last = '0';
  return {
    report(parsed, market) {
      const count = parsed.count + market.length;
      const [fromMarket] = market;
      const first = parsed.first ?? (fromMarket ? `${fromMarket.code}: ${fromMarket.message}` : null);
      const summary = count === 0 ? '0' : `${count} rows refused: ${first ?? 'no reason given'}`;
      if (summary !== last && count > 0) log.warn(summary);
      last = summary;
    },
  };
}
