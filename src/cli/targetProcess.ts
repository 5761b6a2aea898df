import {
  type ListJob,
  listBackupsAt,
  prepare,
  type PrepareJob,
  sendBackup,
  type SendJob,
} from '../admin/backups/server/targetJobs.ts';
import { isDiskFull, reasonOf, StartError } from '../lib/errors.ts';
import { writeBackupInto } from '../platform/db/backup.ts';
import { EXIT, type Io, UsageError } from './io.ts';

const REPORT_EVERY_MS = 500;

function progressReporter({ out, wall }: Io): (share: number) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (share) => {
    if (wall.monotonic() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = wall.monotonic();
    out(JSON.stringify({ progress: Math.round(share * 1000) / 1000 }));
  };
}

function write(
  { wall, about }: Io,
  { database, folder, name }: Record<'database' | 'folder' | 'name', string>,
) {
  try {
    return { bytes: writeBackupInto(database, folder, name, { at: wall.now(), version: about.version }) };
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new StartError(`Not enough disk space in ${folder}. Free some space and try again.`);
  }
}

const WORK = {
  'write-backup': async (io: Io, job: unknown) => write(io, job as Parameters<typeof write>[1]),
  'send-backup': (io: Io, job: unknown) => sendBackup(job as SendJob, progressReporter(io)),
  'list-target': ({ wall }: Io, job: unknown) => listBackupsAt(job as ListJob, wall.now()),
  'prepare-restore': (io: Io, job: unknown) => prepare(job as PrepareJob, progressReporter(io)),
};

/**
 * The slow and large parts of a backup, in their own process so they do not block the server. Reads the job
 * as JSON from standard input. Writes progress and the outcome as lines of JSON.
 */
export async function targetProcess(io: Io, name: keyof typeof WORK): Promise<number> {
  let job: unknown;
  try {
    job = JSON.parse(await Bun.stdin.text());
  } catch {
    throw new UsageError(`"${name}" is an internal command of the server.`);
  }
  try {
    io.out(JSON.stringify({ ok: true, ...(await WORK[name](io, job)) }));
    return EXIT.ok;
  } catch (error) {
    io.out(JSON.stringify({ ok: false, reason: reasonOf(error) }));
    return EXIT.failed;
  }
}
