import type { Log } from '../../../lib/log.ts';
import { StartError } from '../../../lib/startError.ts';
import { openRecording } from '../../../market/recording/open.ts';
import type { Recording } from '../../../market/recording/types.ts';

/**
 * Opens the recording that is to be played.
 *
 * @param path as it was given; relative to the working directory
 * @throws StartError with a sentence that says why it can't be played
 */
export function openToReplay(path: string | null, log: Log): Recording {
  if (path === null) throw new StartError('BELLBIRD_REPLAY_FILE must be set when BELLBIRD_FEED is replay.');
  const recording = openRecording(path);
  if (recording.isCutOff) {
    log.warn('The recording was cut off; what is whole of it is played', { file: path });
  }
  return recording;
}
