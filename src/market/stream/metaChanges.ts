import type { StreamMeta } from '../rules/stream.ts';

/** A market clock that is off by less than this many real milliseconds has not been moved. */
const CLOCK_TOLERANCE_MS = 250;

/**
 * The members of meta that a client can't work out from those sent last; null when there are none. Time going
 * on at the known speed is no change.
 */
export function metaChanges(before: StreamMeta | null, after: StreamMeta): Partial<StreamMeta> | null {
  if (!before) return after;
  const changed: Partial<StreamMeta> = {};
  if (before.stockCount !== after.stockCount) changed.stockCount = after.stockCount;
  if (before.dateToday !== after.dateToday) changed.dateToday = after.dateToday;
  if (!Bun.deepEquals(before.flags, after.flags)) changed.flags = after.flags;
  if (!Bun.deepEquals(before.feed, after.feed)) changed.feed = after.feed;
  for (const name of ['announcements', 'calendar', 'replay'] as const) {
    if (!Bun.deepEquals(before[name], after[name])) Object.assign(changed, { [name]: after[name] });
  }
  if (before.clockSpeed !== after.clockSpeed) changed.clockSpeed = after.clockSpeed;
  if (wasMoved(before, after)) changed.marketTime = after.marketTime;
  return Object.keys(changed).length === 0 ? null : changed;
}

function wasMoved(before: StreamMeta, after: StreamMeta): boolean {
  const elapsed = after.marketTime - after.clockOffsetMs - (before.marketTime - before.clockOffsetMs);
  const expected = before.marketTime + elapsed * before.clockSpeed;
  return Math.abs(after.marketTime - expected) > CLOCK_TOLERANCE_MS * Math.max(1, before.clockSpeed);
}
