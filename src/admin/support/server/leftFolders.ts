import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const MINUTE_MS = 60_000;

/**
 * Temporary folders of this program by their names, each with the age after which nobody uses it any more: a support file is
 * made within a minute, a check of a large database on a slow card may take long.
 */
const KINDS: readonly { name: RegExp; afterMs: number }[] = [
  { name: /^bellbird-support-[A-Za-z0-9]{6}$/, afterMs: 10 * MINUTE_MS },
  { name: /^bellbird-check-[A-Za-z0-9]{6}$/, afterMs: 24 * 60 * MINUTE_MS },
];

type Place = {
  /** The system's temporary folder, where others have theirs too. */
  folder: string;
  /** Whose they must be. */
  uid: number | undefined;
};

/** A folder of ours that is old enough; what only bears such a name, as a link of somebody else, is none. */
function isLeft(path: string, afterMs: number, { uid }: Place, now: number): boolean {
  const info = lstatSync(path, { throwIfNoEntry: false });
  return info?.isDirectory() === true && info.uid === uid && now - info.mtimeMs > afterMs;
}

/**
 * Removes the temporary folders that a process left which was killed while it made a support file or a check.
 *
 * @param now epoch ms
 * @returns how many
 * @throws what the file system says
 */
export function dropLeftFolders(place: Place, now: number): number {
  const left = readdirSync(place.folder).filter((name) => {
    const kind = KINDS.find((one) => one.name.test(name));
    return kind !== undefined && isLeft(join(place.folder, name), kind.afterMs, place, now);
  });
  for (const name of left) rmSync(join(place.folder, name), { recursive: true, force: true });
  return left.length;
}
