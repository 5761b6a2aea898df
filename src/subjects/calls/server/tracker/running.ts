import { countsResult } from '../../rules/counting.ts';
import type { RankedResult } from '../../rules/meanBound.ts';
import { verifiedExit, verifiedResult } from '../../rules/verifiedResult.ts';
import { trustedPrice } from '../../rules/watch.ts';
import type { FollowedCall } from './followedCalls.ts';

/** A filled call without an exit: what it has made at the last price, or where its stop was reached. */
export type RunningResult = RankedResult & { userId: number; source: string };

function percentOf({ call, state, end, watch }: FollowedCall): number | null {
  const last = watch && trustedPrice(watch);
  const price = verifiedExit(end?.price ?? null, last);
  return verifiedResult(call, state, { time: 0, price })?.percent ?? null;
}

/** The running results that count in the ranks; calls whose prices are not followed have none. */
export function runningResults(calls: Iterable<FollowedCall>): RunningResult[] {
  const results: RunningResult[] = [];
  for (const followed of calls) {
    // What a reached stop ended stands, whatever becomes of the stock.
    if (followed.isPaused && followed.state.stopAt === null) continue;
    const percent = percentOf(followed);
    if (percent === null || !countsResult(followed.counting, percent)) continue;
    const { userId, source, symbol, call, state, end } = followed;
    const from = state.entryTradeAt ?? state.filledAt ?? call.submittedAt;
    results.push({ userId, source, symbol, percent, from, until: state.stopAt ?? end?.time ?? null });
  }
  return results;
}
