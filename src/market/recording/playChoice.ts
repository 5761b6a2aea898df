import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { recordingName } from './rules/recordingName.ts';
import { writeDurably } from '#lib/files.ts';
import { RecordingError } from './errors.ts';
import { openRecording } from './open.ts';
import { errorCode } from '#lib/errors.ts';

/** Keeps which recording the next start plays. @param file where that is kept @param name of one in the data folder */
export const choosePlayed = (file: string, name: string): void => writeDurably(file, name, 0o600);

/** Has the next start take the source of the settings again. */
export const forgetPlayed = (file: string): void => rmSync(file, { force: true, recursive: true });

/** @returns the name of the recording that was chosen; null when none was, '' when what is kept is no name */
export function playedName(file: string): string | null {
  try {
    return recordingName(readFileSync(file, 'utf8')) ?? '';
  } catch (error) {
    // Whatever else lies there in its place is no name.
    return errorCode(error) === 'ENOENT' ? null : '';
  }
}

/** Why a symbolic link in the folder of recordings is neither played nor downloaded. */
export const LINKED =
  'It is a symbolic link, which is not followed. Put the file itself in the folder of recordings.';

/** Why a recording can't be played from its beginning, a sentence without its path; null when it can. */
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
