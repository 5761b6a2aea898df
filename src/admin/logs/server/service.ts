import { constants, closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Static } from 'elysia';
import { TAIL_LINES } from '../rules/logTail.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { Log } from '../../../lib/log.ts';
import type { OwnLogFile } from '../../../lib/logging.ts';
import type { Audit } from '../../audit/server/service.ts';
import { bytesOf } from './download.ts';
import { isMissing, listFiles, NO_FILE, requireListed } from './files.ts';
import { newIn, type Place, tailOf } from './follow.ts';
import type { logsAnswer, tailAnswer } from './model.ts';

/** The folder of the log files. */
export type LogFolder = {
  folder: string;
  /** The file that this process writes; null where it writes none. */
  file: OwnLogFile | null;
};

export type LogsDeps = {
  logs: LogFolder;
  log: Log;
  audit: Pick<Audit, 'record'>;
  /** All or nothing; the callback must not await. */
  inTransaction<T>(work: () => T): T;
};

type Administrator = { id: number; username: string };

function openToWrite(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw isMissing(error) ? new AppError(404, NO_FILE) : error;
  }
}

/** Empties a file that this process does not write. @throws AppError 404 */
function empty(path: string): void {
  const file = openToWrite(path);
  try {
    if (!fstatSync(file).isFile()) throw new AppError(404, NO_FILE);
    ftruncateSync(file, 0);
  } finally {
    closeSync(file);
  }
}

/** What administrators do with the log files. Files are named as the folder lists them; nothing else is opened. */
export function createLogsService({ logs, log, audit, inTransaction }: LogsDeps) {
  const { folder, file: own } = logs;
  return {
    async list(): Promise<Static<typeof logsAnswer>['logs']> {
      own?.flush();
      const files = await listFiles(folder);
      return files
        .map(({ name, size, mtimeMs }) => ({ name, size, mtimeMs, current: name === own?.name }))
        .sort((a, b) => Number(b.current) - Number(a.current) || b.mtimeMs - a.mtimeMs);
    },

    /**
     * The last lines of a file, or what came since an earlier answer.
     *
     * @throws AppError 404
     */
    async tail(
      name: string,
      lines: number = TAIL_LINES.default,
      place: Place | null = null,
    ): Promise<Static<typeof tailAnswer>> {
      own?.flush();
      const read = place ? newIn(folder, name, place) : tailOf(folder, name, lines);
      const { text, file, end, isCut, isRestarted } = await read;
      return { text, file, end, cut: isCut, restarted: isRestarted };
    },

    /** @returns the bytes of a file, to be taken piece by piece @throws AppError 404 */
    async download(admin: Administrator, name: string): Promise<ReadableStream<Uint8Array>> {
      own?.flush();
      const bytes = await bytesOf(folder, name);
      audit.record({ userId: admin.id, action: 'download log', target: name });
      return bytes;
    },

    /** Empties a file; the one that is written goes on from its beginning. @throws AppError 404 */
    async clear(admin: Administrator, name: string): Promise<void> {
      await requireListed(folder, name);
      // From here on nothing waits, so the file can't be put aside in between.
      inTransaction(() => {
        audit.record({ userId: admin.id, action: 'clear log', target: name });
        if (own?.name === name) own.clear();
        else empty(join(folder, name));
      });
      log.info('A log file was cleared', { file: name, by: admin.username });
    },
  };
}

export type Logs = ReturnType<typeof createLogsService>;
