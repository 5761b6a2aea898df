import { readTable } from './baseReader.ts';
import type { BlockPlace } from './blockIndex.ts';
import { readEvents } from './eventReader.ts';
import { addTrade, type Minutes, readMinutes, type Trade, tradeIn } from './minutes.ts';
import type { RecordingFile } from './recordingFile.ts';
import { type Segment, segmentAt } from './segments.ts';
import type { StockTable } from './stockTable.ts';
import type { RecordedMinute, Recording } from './types.ts';

/** The trades since a moment by code, as far as their blocks were read. */
type Tail = {
  since: number;
  segment: number;
  block: number;
  table: StockTable;
  trades: Map<string, Trade[]>;
};

type File = Pick<RecordingFile, 'places' | 'read'>;

/** Reads the trades of the few minutes for which there is no block of minutes. */
function createTail({ read }: Pick<File, 'read'>, segments: readonly Segment[]) {
  let tail: Tail | null = null;

  function begin(since: number): Tail | null {
    const segment = segmentAt(segments, since - 1);
    const base = segments[segment]?.base;
    return base
      ? { since, segment, block: 0, table: readTable(read(base), base.from), trades: new Map() }
      : null;
  }

  function readBlock(into: Tail, place: BlockPlace): void {
    readEvents(read(place), into.table, place.from, {
      isQuiet: true,
      onFigures(figures) {
        const trade = figures.time >= into.since ? tradeIn(into.table, figures) : null;
        if (!trade) return;
        const ofCode = into.trades.get(trade.code);
        if (ofCode) ofCode.push(trade);
        else into.trades.set(trade.code, [trade]);
      },
    });
  }

  /** Reads on until everything up to a moment was read. */
  function extend(into: Tail, until: number): void {
    for (;;) {
      const segment = segments[into.segment];
      const place = segment?.events[into.block];
      if (place) {
        if (place.from > until) return;
        readBlock(into, place);
        into.block += 1;
        continue;
      }
      const next = segments[into.segment + 1]?.base;
      if (!next || next.from > until) return;
      Object.assign(into, { segment: into.segment + 1, block: 0, table: readTable(read(next), next.from) });
    }
  }

  return (code: string, since: number, until: number): RecordedMinute[] => {
    const current = tail?.since === since ? tail : begin(since);
    // What was read in part is of no use when reading fails.
    tail = null;
    if (!current) return [];
    extend(current, until);
    tail = current;
    const minutes: Minutes = new Map();
    for (const trade of current.trades.get(code) ?? []) if (trade.time <= until) addTrade(minutes, trade);
    return minutes.get(code) ?? [];
  };
}

export type MinutesReader = {
  of: Recording['minutes'];
  /** Reads the next block that was not read yet. @returns whether all were */
  readAhead(): boolean;
};

/**
 * Reads minutes. Those that are over stand in blocks of their own, each read once and kept: of a whole day of 2,000 stocks
 * some 20 MB. Those since the last of these blocks are made of the events.
 * @param end the last moment of the recording, epoch ms
 */
export function createMinutesReader(file: File, segments: readonly Segment[], end: number): MinutesReader {
  const blocks = file.places.filter(({ kind }) => kind === 'minutes');
  const kept = new Map<BlockPlace, Minutes>();
  const tailOf = createTail(file, segments);

  function minutesOf(place: BlockPlace): Minutes {
    const minutes = kept.get(place) ?? readMinutes(file.read(place), place.from);
    kept.set(place, minutes);
    return minutes;
  }

  function of(code: string, before: number): RecordedMinute[] {
    const found: RecordedMinute[] = [];
    let since = Number.NEGATIVE_INFINITY;
    for (const place of blocks) {
      if (place.until > before && before <= end) break;
      for (const bar of minutesOf(place).get(code) ?? []) found.push(bar);
      since = place.until;
    }
    return since > Math.min(before, end) ? found : [...found, ...tailOf(code, since, before)];
  }

  let ahead = 0;
  return {
    of,
    readAhead() {
      const place = blocks[ahead];
      if (!place) return true;
      ahead += 1;
      minutesOf(place);
      return false;
    },
  };
}
