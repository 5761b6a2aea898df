import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { freeBytes } from '#lib/files.ts';
import { humanSize } from '#lib/wording.ts';
import type { App } from '../../app.ts';
import { UpdateError } from './updateState.ts';

const MB = 1024 * 1024;

/** Bytes that an update needs, without the copies of the database. */
export type Need = { disk: number; memory: number };

/** Sources, 680 MB of libraries and two executables. A build uses 435 MB of memory at its peak. */
export const BUILD_NEED: Need = { disk: 1500 * MB, memory: 600 * MB };

export const RELEASE_NEED: Need = { disk: 400 * MB, memory: 200 * MB };

export type Room = { disk(folder: string): number | null; memory(): number | null };

const machineRoom: Room = {
  disk: freeBytes,
  memory: () => {
    try {
      const text = readFileSync('/proc/meminfo', 'utf8');
      const found = [...text.matchAll(/^(?:MemAvailable|SwapFree): {1,40}(\d{1,12})/gm)];
      const kilobytes = found.reduce((sum, [, size]) => sum + Number(size), 0);
      return kilobytes === 0 ? null : kilobytes * 1024;
    } catch {
      // The system is not Linux or has no /proc. A build without enough memory then fails anyway.
      return null;
    }
  },
};

function refuseSmall(free: number | null, needed: number, where: string, remedy: string): void {
  if (free === null || free >= needed) return;
  throw new UpdateError(
    `An update needs ${humanSize(needed)} ${where}, and there are ${humanSize(free)}. ${remedy}`,
  );
}

/** Refuses an update for which there is no room. @throws UpdateError with a sentence */
export function needRoom({ paths, program, room = machineRoom }: App, need: Need): void {
  const folder = dirname(program.executable);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new UpdateError(
      `The server may not write to ${folder}, the folder of its executable. Give that folder to the user it runs as, ` +
        'or update it by hand.',
    );
  }
  // A trial of the update makes copies of the database.
  const copies = 3 * (statSync(paths.database, { throwIfNoEntry: false })?.size ?? 0);
  refuseSmall(
    room.disk(paths.folder),
    need.disk + copies,
    'on the disk of the data folder',
    'Free some space and try again.',
  );
  refuseSmall(room.disk(folder), 300 * MB, 'next to the executable', 'Free some space and try again.');
  refuseSmall(room.memory(), need.memory, 'of free memory', 'Stop another program, or add swap.');
}
