import { readText } from '#lib/http.ts';
import { isRecord, parseJson } from '#lib/json.ts';
import { lowerPriority, ownCommand } from '#lib/processes.ts';

/** What became of a backup; `reason` is a sentence. */
export type BackupReport = { ok: true; bytes: number } | { ok: false; reason: string };

/** A backup that is being written. */
export type BackupRun = {
  /** Never rejects. */
  finished: Promise<BackupReport>;
  /** Ends it; what was written is removed with the next backup. */
  cancel(): void;
};

/** Writes a backup into a folder under a name, in a process of its own. */
export type BackupWriter = (folder: string, name: string) => BackupRun;

/** A card that takes longer for it is about to fail. */
const TIMEOUT_MS = 60 * 60_000;
const MAX_REPORT_BYTES = 4096;

const INTERRUPTED: BackupReport = {
  ok: false,
  reason: 'The backup was interrupted before it was complete.',
};

function readReport(text: string | null): BackupReport {
  const parsed = text === null ? null : parseJson(text);
  if (!parsed?.ok || !isRecord(parsed.value)) return INTERRUPTED;
  const { ok, bytes, reason } = parsed.value;
  if (ok === true && typeof bytes === 'number') return { ok, bytes };
  return typeof reason === 'string' ? { ok: false, reason } : INTERRUPTED;
}

/**
 * @param database the file of the running server's database
 * @param command for tests
 */
export function createBackupWriter(
  database: string,
  command: (...args: readonly string[]) => readonly string[] = ownCommand,
): BackupWriter {
  return (folder, name) => {
    const child = Bun.spawn([...command('write-backup', database, folder, name)], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
      // None of the server's settings: it needs no secret of them.
      env: { DO_NOT_TRACK: '1', BUN_ENABLE_CRASH_REPORTING: '0' },
      cwd: '/',
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    lowerPriority(child);
    const finished = Promise.all([readText(child.stdout, MAX_REPORT_BYTES), child.exited]).then(
      ([text]) => readReport(text),
      () => INTERRUPTED,
    );
    return { finished, cancel: () => child.kill('SIGKILL') };
  };
}
