import { countsResult } from '../../../domain/calls/counting.ts';
import { verifiedExit, verifiedResult } from '../../../domain/calls/verifiedResult.ts';
import { trustedPrice } from '../../../domain/calls/watch.ts';
import type { FollowedCall } from './followedCalls.ts';

/** A filled call without an exit: what it has made at the last price, percent. */
export type RunningResult = { userId: number; source: string; percent: number };

function percentOf({ call, state, end, watch }: FollowedCall): number | null {
  const last = watch && trustedPrice(watch);
  const price = verifiedExit(end?.price ?? null, last);
  return verifiedResult(call, state, { time: 0, price })?.percent ?? null;
}

/** The running results that count in the ranks; calls whose prices are not followed have none. */
export function runningResults(calls: Iterable<FollowedCall>): RunningResult[] {
  const results: RunningResult[] = [];
  for (const followed of calls) {
    if (followed.isPaused) continue;
    const percent = percentOf(followed);
    if (percent !== null && countsResult(followed.counting, percent))
      results.push({ userId: followed.userId, source: followed.source, percent });
  }
  return results;
}
