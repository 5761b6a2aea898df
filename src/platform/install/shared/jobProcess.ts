import { isRecord, parseJson } from '#lib/json.ts';
import { lowerPriority, ownCommand } from '#lib/processes.ts';
import { readCount } from '#lib/read.ts';
import type { App } from '#platform/app.ts';

/** The result of a job. `reason` is a sentence. */
export type JobReport = ({ ok: true } & Record<string, unknown>) | { ok: false; reason: string };

export type JobRun = {
  finished: Promise<JobReport>;
  cancel(): void;
};

/** Runs a job in a process of its own. @param onProgress from 0 to 1 */
export type JobRunner = (job: Record<string, unknown>, onProgress: (share: number) => void) => JobRun;

/** By default, a job that prints nothing for this long is killed. */
const SILENT_MS = 15 * 60_000;
const MAX_LINE = 1_000_000;

const INTERRUPTED: JobReport = { ok: false, reason: 'The job was interrupted before it was complete.' };

async function readLines(
  output: ReadableStream<Uint8Array>,
  onLine: (value: Record<string, unknown>) => void,
) {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const parsed = parseJson(text.slice(0, end));
      if (parsed.ok && isRecord(parsed.value)) onLine(parsed.value);
      text = text.slice(end + 1);
    }
    if (text.length > MAX_LINE) return;
  }
}

function toReport(line: Record<string, unknown> | null): JobReport {
  if (line?.['ok'] === true) return { ...line, ok: true };
  const reason = line?.['reason'];
  return typeof reason === 'string' ? { ok: false, reason } : INTERRUPTED;
}

export const jobsWith =
  (run: JobRunner, more: Record<string, unknown>): JobRunner =>
  (job, onProgress) =>
    run({ ...job, ...more }, onProgress);

type Env = Readonly<Record<string, string | undefined>>;

/** Further trusted certificates. A network disk at home often uses its own. */
const TRUST = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'SSL_CERT_FILE', 'SSL_CERT_DIR'] as const;

const trustOf = (env: Env): Record<string, string> =>
  Object.fromEntries(TRUST.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

/**
 * Runs one of this program's hidden commands. The job goes to its input as JSON, so that secrets are not in the
 * list of processes. The output is lines of JSON: progress, and the result last.
 * @param env only its settings for certificates are passed on
 */
export function createJobRunner(
  name: string,
  env: Env,
  command: (...args: readonly string[]) => readonly string[] = ownCommand,
  silentMs = SILENT_MS,
): JobRunner {
  return (job, onProgress) => {
    const child = Bun.spawn([...command(name)], {
      stdin: new TextEncoder().encode(JSON.stringify(job)),
      stdout: 'pipe',
      stderr: 'ignore',
      cwd: '/',
      env: { ...trustOf(env), DO_NOT_TRACK: '1', BUN_ENABLE_CRASH_REPORTING: '0' },
    });
    lowerPriority(child);
    const end = (): void => child.kill('SIGKILL');
    let silence = setTimeout(end, silentMs);
    let last: Record<string, unknown> | null = null;
    const lines = readLines(child.stdout, (line) => {
      clearTimeout(silence);
      silence = setTimeout(end, silentMs);
      if (typeof line['progress'] === 'number') onProgress(line['progress']);
      else last = line;
    });
    const finished = Promise.all([lines, child.exited]).then(
      () => toReport(last),
      () => INTERRUPTED,
    );
    void finished.then(() => clearTimeout(silence));
    return { finished, cancel: end };
  };
}

export const listTarget = ({ program, paths }: App): JobRunner =>
  jobsWith(createJobRunner('list-target', program.env), { database: paths.database });

export type BackupReport = { ok: true; bytes: number } | { ok: false; reason: string };

export type BackupRun = {
  finished: Promise<BackupReport>;
  /** Kills the process. The next backup removes the partial file. */
  cancel(): void;
};

export type BackupWriter = (folder: string, name: string) => BackupRun;

/** A card that takes longer is about to fail. */
const BACKUP_MS = 60 * 60_000;

/** @param database the file of the running server's database */
export function createBackupWriter(database: string, command = ownCommand): BackupWriter {
  // Passes on none of the server's settings, because the job needs no secrets.
  const run = createJobRunner('write-backup', {}, command, BACKUP_MS);
  return (folder, name) => {
    const { finished, cancel } = run({ database, folder, name }, () => undefined);
    const report = finished.then(
      (done): BackupReport => (done.ok ? { ok: true, bytes: readCount(done['bytes']) ?? 0 } : done),
    );
    return { finished: report, cancel };
  };
}
