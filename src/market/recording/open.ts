import { createDayBook } from './dayBook.ts';
import { RecordingError } from './errors.ts';
import { createEventsReader } from './eventsReader.ts';
import { checkHead, utcOffsetOf } from './head.ts';
import { createMinutesReader } from './minutesReader.ts';
import { createOutlineReader } from './outlineReader.ts';
import { openRecordingFile } from './recordingFile.ts';
import { segmentsOf } from './segments.ts';
import type { Recording } from './types.ts';

/**
 * Opens a recording, also one whose recorder was killed: what is whole in it is there.
 * @param offsetOf Sydney's offset from UTC on a date, minutes; by this machine's time zone data unless a test says otherwise
 * @throws RecordingError with a sentence for what can't be played here
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
    const reader = createEventsReader(segments, file.read);
    const minutes = createMinutesReader(file, segments, until);
    const day = createDayBook(head, createOutlineReader(segments, file.read));
    return {
      head,
      from: first.base.from,
      until,
      isCutOff: file.until === null,
      baseAt: reader.baseAt,
      events: reader.events,
      minutes: minutes.of,
      day,
      readAhead: () => minutes.readAhead() && day.readOn(),
      close: file.close,
    };
  } catch (error) {
    file.close();
    throw error;
  }
}
