import { readRest, readTable, stateOf } from './baseReader.ts';
import type { BlockPlace } from './blockIndex.ts';
import { damaged } from './errors.ts';
import { readEvents } from './eventReader.ts';
import { type Segment, segmentAt } from './segments.ts';
import type { StockTable } from './stockTable.ts';
import type { RecordedEvent, Recording } from './types.ts';

/** The block that was read last. @param table as it is at the block's end */
type Read = { segment: number; block: number; table: StockTable; events: RecordedEvent[] };

/**
 * Reads events a block at a time. The last block is kept, so that who plays on reads each block once; whoever goes elsewhere
 * reads from the base before on.
 */
export function createEventsReader(
  segments: readonly Segment[],
  readBlock: (place: BlockPlace) => Uint8Array,
): Pick<Recording, 'baseAt' | 'events'> {
  let kept: Read | null = null;

  /** @param isQuiet its updates are not needed */
  function readFrom(before: Read, events: readonly BlockPlace[], isQuiet: boolean): Read {
    const block = before.block + 1;
    const place = events[block];
    if (!place) throw damaged();
    const read = readEvents(readBlock(place), before.table, place.from, { isQuiet });
    return { segment: before.segment, block, table: before.table, events: read };
  }

  const begin = (segment: number, { base }: Segment): Read => ({
    ...{ segment, block: -1, events: [] },
    table: readTable(readBlock(base), base.from),
  });

  /** The events of a block. */
  function eventsOf(segment: number, block: number): RecordedEvent[] {
    const found = segments[segment];
    if (!found) throw damaged();
    if (kept?.segment === segment && kept.block === block) return kept.events;
    let at = kept?.segment === segment && kept.block < block ? kept : begin(segment, found);
    // A table that was brought on in part must not be used again.
    kept = null;
    while (at.block < block) at = readFrom(at, found.events, at.block + 1 < block);
    kept = at;
    return at.events;
  }

  return {
    baseAt(wanted) {
      const segment = segmentAt(segments, wanted);
      const found = segments[segment];
      if (!found) throw damaged();
      const { base, events } = found;
      const time = Math.max(base.from, wanted);
      const others: RecordedEvent[] = [];
      const at = begin(segment, found);
      for (const place of events) {
        if (place.from > time) break;
        // Who goes on from here needs the last block whole: it is read from its beginning then, not from the base.
        kept = { ...at, table: at.table.copy(), events: [] };
        others.push(...readEvents(readBlock(place), at.table, place.from, { isQuiet: true, until: time }));
        at.block += 1;
      }
      return stateOf(at.table, time, readRest(readBlock(base)), others);
    },
    *events(after, until) {
      for (let number = segmentAt(segments, after); number < segments.length; number += 1) {
        const { base, events } = segments[number] ?? { events: [] };
        if (!base || base.from > until) return;
        for (const [block, place] of events.entries()) {
          if (place.until <= after) continue;
          for (const event of eventsOf(number, block)) {
            if (event.time > until) return;
            if (event.time > after) yield event;
          }
        }
      }
    },
  };
}
