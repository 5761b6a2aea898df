import { readTable } from './baseReader.ts';
import type { BlockPlace } from './blockIndex.ts';
import { readEvents } from './eventReader.ts';
import { type Minutes, noteTrade, readMinutes } from './minutes.ts';
import type { RecordingFile } from './recordingFile.ts';
import { type Segment, segmentAt } from './segments.ts';
import type { RecordedMinute, Recording } from './types.ts';

/**
 * Reads minutes. Those that are over stand in blocks of their own, each read once and kept: of a whole day of 2,000 stocks
 * some 20 MB. Those since the last of these blocks are made of the events.
 */
export function createMinutesReader(
  file: Pick<RecordingFile, 'places' | 'read'>,
  segments: readonly Segment[],
  end: number,
): Recording['minutes'] {
  const blocks = file.places.filter(({ kind }) => kind === 'minutes');
  const readBlocks = new Map<BlockPlace, Minutes>();
  let tail: { before: number; since: number; minutes: Minutes } | null = null;

  function minutesOf(place: BlockPlace): Minutes {
    const kept = readBlocks.get(place);
    if (kept) return kept;
    const minutes = readMinutes(file.read(place), place.from);
    readBlocks.set(place, minutes);
    return minutes;
  }

  /** What traded from one moment until before another, which is at most a few minutes later. */
  function tradedSince(since: number, before: number): Minutes {
    if (tail?.before === before && tail.since === since) return tail.minutes;
    const minutes: Minutes = new Map();
    for (let number = segmentAt(segments, since - 1); number < segments.length; number += 1) {
      const { base, events } = segments[number] ?? { events: [] };
      if (!base || base.from > before) break;
      const table = readTable(file.read(base), base.from);
      for (const place of events) {
        if (place.from > before) break;
        readEvents(file.read(place), table, place.from, (figures) => {
          if (figures.time >= since && figures.time <= before) noteTrade(minutes, table, figures);
        });
      }
    }
    tail = { before, since, minutes };
    return minutes;
  }

  return (code, before) => {
    const found: RecordedMinute[] = [];
    let since = Number.NEGATIVE_INFINITY;
    for (const place of blocks) {
      if (place.until > before && before <= end) break;
      for (const bar of minutesOf(place).get(code) ?? []) found.push(bar);
      since = place.until;
    }
    if (since > before || since > end) return found;
    return [...found, ...(tradedSince(since, before).get(code) ?? [])];
  };
}
