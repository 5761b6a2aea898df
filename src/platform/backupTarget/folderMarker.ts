import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '#lib/writeDurably.ts';
import type { TargetUse } from './target.ts';

/** Left in a folder with the first backup. If it is missing later, the folder may be an empty mount point. */
const MARKER = 'bellbird-target.txt';
const TEXT =
  'Bellbird keeps backups in this folder. Leave this file here: without it none are sent, because the disk may not be mounted.\n';

/** The disk of a folder; undefined if there is no such folder. */
const deviceOf = (folder: string): number | undefined => statSync(folder, { throwIfNoEntry: false })?.dev;

/**
 * Says why a folder may not be the one that backups belong in. An empty mount point looks like any other folder, but
 * what is written there fills the disk of the data and is lost with it.
 *
 * @returns a sentence; null if nothing is doubtful
 * @throws an error of the file system if the folder can't be read
 */
export function folderDoubt(folder: string, { dataFolder, prefix, isKnown }: TargetUse): string | null {
  const names = readdirSync(folder);
  if (names.includes(MARKER)) return null;
  const remedy = `To use the folder as it is, make an empty file ${MARKER} in it.`;
  if (deviceOf(folder) === deviceOf(dataFolder))
    return `The folder ${folder} is on the same disk as the data. If it belongs to another disk or to a share, mount that. ${remedy}`;
  if (!isKnown || names.some((name) => name.startsWith(prefix))) return null;
  return `The folder ${folder} does not hold the backups that were sent there. Mount its disk or share. ${remedy}`;
}

export function leaveMarker(folder: string): void {
  if (!existsSync(join(folder, MARKER))) writeDurably(join(folder, MARKER), TEXT, 0o600);
}
