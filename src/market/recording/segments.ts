import type { BlockPlace } from './blockIndex.ts';
import { damaged } from './errors.ts';

/** A base state and the events from it to the next one. */
export type Segment = { base: BlockPlace; events: BlockPlace[] };

/** The segments in the order of time. @throws RecordingError where the blocks do not follow each other */
export function segmentsOf(places: readonly BlockPlace[]): Segment[] {
  const segments: Segment[] = [];
  let time = Number.NEGATIVE_INFINITY;
  for (const place of places) {
    if (place.kind !== 'base' && place.kind !== 'events') continue;
    if (place.from < time) throw damaged();
    time = place.until;
    const last = segments.at(-1);
    if (place.kind === 'base') segments.push({ base: place, events: [] });
    else if (last) last.events.push(place);
    else throw damaged();
  }
  return segments;
}

/** The number of the last segment whose base is of a moment or before; the first one for what is before all. */
export function segmentAt(segments: readonly Segment[], time: number): number {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((segments[middle]?.base.from ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
