import {
  type ListJob,
  listBackupsAt,
  prepare,
  type PrepareJob,
  sendBackup,
  type SendJob,
} from '../admin/backups/server/targetJobs.ts';
import { reasonOf } from '../lib/errors.ts';
import { EXIT, type Io, UsageError } from './io.ts';

/** How often it says how far it is, ms. */
const TELL_EVERY_MS = 500;

/** Says how far it is, not more often than anybody looks. */
function teller({ out, wall }: Io): (share: number) => void {
  let told = Number.NEGATIVE_INFINITY;
  return (share) => {
    if (wall.monotonic() - told < TELL_EVERY_MS) return;
    told = wall.monotonic();
    out(JSON.stringify({ progress: Math.round(share * 1000) / 1000 }));
  };
}

/** What each hidden command does with its job. */
const WORK = {
  // The server made the job itself: it is of its form.
  'send-backup': (io: Io, job: unknown) => sendBackup(job as SendJob, teller(io)),
  'list-target': ({ wall }: Io, job: unknown) => listBackupsAt(job as ListJob, wall.now()),
  'prepare-restore': (io: Io, job: unknown) => prepare(job as PrepareJob, teller(io)),
};

/**
 * The parts of a backup that take time and memory, for the server, whose event loop they must not hold up. The job comes
 * as JSON by the standard input; how far it is and what became of it go out as lines of JSON.
 */
export async function targetProcess(io: Io, name: keyof typeof WORK): Promise<number> {
  let job: unknown;
  try {
    job = JSON.parse(await Bun.stdin.text());
  } catch {
    throw new UsageError(`${name} is a command of the server alone.`);
  }
  try {
    io.out(JSON.stringify({ ok: true, ...(await WORK[name](io, job)) }));
    return EXIT.ok;
  } catch (error) {
    io.out(JSON.stringify({ ok: false, reason: reasonOf(error) }));
    return EXIT.failed;
  }
}
