import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { errorCode } from '#lib/errors.ts';
import { writeDurably } from '#lib/files.ts';
import {
  MinutesReader,
  readRest,
  readTable,
  type Segment,
  segmentAt,
  segmentsOf,
  stateOf,
} from './minutesReader.ts';
import { type BlockPlace, checkHead, utcOffsetOf } from './blocks.ts';
import { DayBook } from './dayBook.ts';
import {
  damaged,
  type ReadOutline,
  type RecordedBase,
  type RecordedEvent,
  type Recording,
  RecordingError,
  type StockOutline,
} from './types.ts';
import { readEvents, type ReadOptions } from './events.ts';
import { LAST, MATCH_PRICE, MATCH_VOLUME, OPEN, SURPLUS, VOLUME } from './figures.ts';
import { openRecordingFile } from './recordingFile.ts';
import { recordingName } from './rules/recordingName.ts';
import type { StockTable } from './stockTable.ts';

type Read = { segment: number; block: number; table: StockTable; events: RecordedEvent[] };

/**
 * Reads events by block. It keeps the last block, so playing reads each block once; other moments start at
 * the base before.
 */
class EventsReader {
  private kept: Read | null = null;

  constructor(
    private readonly segments: readonly Segment[],
    private readonly readBlock: (place: BlockPlace) => Uint8Array,
  ) {}

  baseAt(wanted: number): RecordedBase {
    const segment = segmentAt(this.segments, wanted);
    const found = this.segmentOf(segment);
    const time = Math.max(found.base.from, wanted);
    const others: RecordedEvent[] = [];
    const at = this.begin(segment, found);
    for (const place of found.events) {
      if (place.from > time) break;
      // To continue from here the last block is read again from its beginning, not from the base.
      this.kept = { ...at, table: at.table.copy(), events: [] };
      const options = { isQuiet: true, until: time };
      others.push(...readEvents(this.readBlock(place), at.table, place.from, options));
      at.block += 1;
    }
    return stateOf(at.table, time, readRest(this.readBlock(found.base)), others);
  }

  *events(after: number, until: number): Generator<RecordedEvent> {
    for (let number = segmentAt(this.segments, after); number < this.segments.length; number += 1) {
      const { base, events } = this.segmentOf(number);
      if (base.from > until) return;
      for (const [block, place] of events.entries()) {
        if (place.until <= after) continue;
        for (const event of this.eventsOf(number, block)) {
          if (event.time > until) return;
          if (event.time > after) yield event;
        }
      }
    }
  }

  private segmentOf(number: number): Segment {
    const found = this.segments[number];
    if (!found) throw damaged();
    return found;
  }

  private begin(segment: number, { base }: Segment): Read {
    return { segment, block: -1, events: [], table: readTable(this.readBlock(base), base.from) };
  }

  private readNext(
    { segment, table, ...before }: Read,
    events: readonly BlockPlace[],
    isQuiet: boolean,
  ): Read {
    const block = before.block + 1;
    const place = events[block];
    if (!place) throw damaged();
    return {
      segment,
      block,
      table,
      events: readEvents(this.readBlock(place), table, place.from, { isQuiet }),
    };
  }

  private eventsOf(segment: number, block: number): RecordedEvent[] {
    const found = this.segmentOf(segment);
    const { kept } = this;
    if (kept?.segment === segment && kept.block === block) return kept.events;
    let at = kept?.segment === segment && kept.block < block ? kept : this.begin(segment, found);
    this.kept = null;
    while (at.block < block) at = this.readNext(at, found.events, at.block + 1 < block);
    this.kept = at;
    return at.events;
  }
}

const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

function outlineOf(table: StockTable, row: number): StockOutline | null {
  const texts = table.textsOf(row);
  const code = table.codeOf(row);
  if (texts === null || code === undefined) return null;
  const numbers = table.numbers();
  const offset = table.offsetOf(row);
  // Written out, because spread objects would be most of the work for millions.
  return {
    code,
    status: texts.status,
    preOpen: texts.preOpen,
    last: orNull(numbers[offset + LAST]),
    open: orNull(numbers[offset + OPEN]),
    volume: orNull(numbers[offset + VOLUME]),
    match_price: orNull(numbers[offset + MATCH_PRICE]),
    match_vol: orNull(numbers[offset + MATCH_VOLUME]),
    buy_surplus: orNull(numbers[offset + SURPLUS]),
    quoteTime: orNull(table.quoteTimeOf(row)),
  };
}

/** Reads auctions and statuses of a whole day, much faster than playing it. */
const createOutlineReader = (
  segments: readonly Segment[],
  readBlock: (place: BlockPlace) => Uint8Array,
): ReadOutline =>
  function* outline(tell) {
    for (const { base, events } of segments) {
      let table: StockTable | null = null;
      const options: ReadOptions = {
        isOutline: true,
        onStock(row, time) {
          const one = table && outlineOf(table, row);
          if (one) tell(one, time);
        },
      };
      table = readTable(readBlock(base), base.from, options);
      for (let row = 0; row < table.length; row += 1) options.onStock?.(row, base.from);
      yield base.from;
      for (const place of events) {
        readEvents(readBlock(place), table, place.from, options);
        yield place.until;
      }
    }
  };

/**
 * Opens a recording, even an incomplete one.
 * @param offsetOf Sydney's offset from UTC on a date, minutes; tests pass their own
 * @throws RecordingError with a sentence if it can't be played
 */
export function openRecording(path: string, offsetOf: (date: string) => number = utcOffsetOf): Recording {
  const file = openRecordingFile(path);
  try {
    const head = checkHead(file.head, offsetOf);
    const segments = segmentsOf(file.places);
    const [first] = segments;
    if (!first) throw new RecordingError(`The recording ${path} was cut off before its first prices.`);
    const lastBlock = Math.max(
      first.base.from,
      ...segments.flatMap(({ events }) => events.map(({ until }) => until)),
    );
    const until = Math.max(lastBlock, file.until ?? lastBlock);
    const reader = new EventsReader(segments, file.read);
    const minutes = new MinutesReader(file, segments, until);
    const day = new DayBook(head, createOutlineReader(segments, file.read));
    return {
      head,
      from: first.base.from,
      until,
      isCutOff: file.until === null,
      baseAt: (time) => reader.baseAt(time),
      events: (after, before) => reader.events(after, before),
      minutes: (code, before) => minutes.of(code, before),
      day,
      readAhead: () => minutes.readAhead() && day.readOn(),
      close: file.close,
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * Stores which recording the next start plays. @param file where it is stored
 * @param name of a recording in the data folder
 */
export const choosePlayed = (file: string, name: string): void => writeDurably(file, name, 0o600);

export const forgetPlayed = (file: string): void => rmSync(file, { force: true, recursive: true });

/** @returns the chosen recording; null if there is none, '' if the stored name is invalid */
export function playedName(file: string): string | null {
  try {
    return recordingName(readFileSync(file, 'utf8')) ?? '';
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? null : '';
  }
}

/** Why a symbolic link in the recordings folder is refused. */
export const LINKED =
  'It is a symbolic link, which is not followed. Put the file itself in the folder of recordings.';

/** Why it can't be played, as a sentence without its path; null if it can. */
export function whyNotPlayable(path: string): string | null {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return LINKED;
  try {
    const recording = openRecording(path);
    try {
      recording.baseAt(recording.from);
    } finally {
      recording.close();
    }
    return null;
  } catch (error) {
    if (error instanceof RecordingError) return error.message.replaceAll(` ${path}`, '');
    return `It can not be read (${error instanceof Error ? error.message : String(error)}).`;
  }
}
