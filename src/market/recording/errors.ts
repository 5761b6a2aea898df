import { StartError } from '#lib/errors.ts';

/** A recording can't be read or written; the message is a sentence for who asked for it. */
export class RecordingError extends StartError {
  override name = 'RecordingError';
}

/** What a part of a file holds does not fit together. */
export const damaged = (): RecordingError =>
  new RecordingError('The recording is damaged here. Play another part of it, or record again.');
