import { accessSync, constants, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from './config.ts';
import { StartError } from '../lib/errors.ts';

export type DataPaths = ReturnType<typeof dataPaths>;

export function dataPaths(config: Config) {
  const folder = resolve(config.dataDir);
  return {
    folder,
    database: join(folder, 'bellbird.db'),
    backups: join(folder, 'backups'),
    recordings: join(folder, 'recordings'),
    sessions: join(folder, 'sessions'),
    /** A few rows of each source's last valid answer. */
    answers: join(folder, 'answers'),
    played: join(folder, 'played-recording'),
    logs: join(folder, 'logs'),
    public: join(folder, 'public'),
    jwtSecret: join(folder, 'jwt-secret'),
  };
}

function notWritable(folder: string, code: string | undefined): string {
  const repair =
    code === 'EROFS'
      ? 'Its disk is mounted read-only, possibly after a fault. Check the disk and mount it writable'
      : 'Make the user that runs Bellbird its owner';
  return `The data folder ${folder} can't be written (${code ?? 'unknown'}). ${repair}, or set BELLBIRD_DATA to another folder.`;
}

/** Creates the data folder with access for the owner only. @throws StartError if it can't be written */
export function makeDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The data folder ${folder} can't be created (${reason}). Set BELLBIRD_DATA to another folder.`;
    throw new StartError(message, { cause });
  }
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new StartError(notWritable(folder, (cause as { code?: string }).code), { cause });
  }
}
