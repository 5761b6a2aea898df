import { MINUTE_MS, HOUR_MS } from '#lib/units.ts';
import { twoDigits } from '#lib/text.ts';
import { sydneyOffset } from '#lib/sydneyTime.ts';

/** A time by Sydney's clock: '2026-11-27T10:45:00+11:00'. @param time epoch ms */
export function isoInSydney(time: number): string {
  const offset = sydneyOffset(time);
  const zone = [offset / HOUR_MS, (offset / MINUTE_MS) % 60].map((part) => twoDigits(Math.trunc(part)));
  return `${new Date(time + offset).toISOString().slice(0, 19)}+${zone.join(':')}`;
}
