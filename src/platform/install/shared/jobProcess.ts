import { readText } from '#lib/http.ts';
import { isRecord, parseJson } from '#lib/json.ts';
import { lowerPriority, ownCommand } from '#lib/processes.ts';
import type { App } from '#platform/app.ts';

/** The result of a job. `reason` is a sentence. */
export type JobReport = ({ ok: true } & Record<string, unknown>) | { ok: false; reason: string };

export type JobRun = {
  finished: Promise<JobReport>;
  cancel(): void;
};

/** Runs a job in a process of its own. @param onProgress from 0 to 1 */
export type JobRunner = (job: Record<string, unknown>, onProgress: (share: number) => void) => JobRun;

/** A job that prints nothing for this long is killed. */
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
    let silence = setTimeout(end, SILENT_MS);
    let last: Record<string, unknown> | null = null;
    const lines = readLines(child.stdout, (line) => {
      clearTimeout(silence);
      silence = setTimeout(end, SILENT_MS);
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
const TIMEOUT_MS = 60 * 60_000;
const MAX_REPORT_BYTES = 4096;

const BACKUP_INTERRUPTED: BackupReport = {
  ok: false,
  reason: 'The backup was interrupted before it was complete.',
};

function readReport(text: string | null): BackupReport {
  const parsed = text === null ? null : parseJson(text);
  if (!parsed?.ok || !isRecord(parsed.value)) return BACKUP_INTERRUPTED;
  const { ok, bytes, reason } = parsed.value;
  if (ok === true && typeof bytes === 'number') return { ok, bytes };
  return typeof reason === 'string' ? { ok: false, reason } : BACKUP_INTERRUPTED;
}

/** @param database the file of the running server's database */
export function createBackupWriter(
  database: string,
  command: (...args: readonly string[]) => readonly string[] = ownCommand,
): BackupWriter {
  return (folder, name) => {
    const child = Bun.spawn([...command('write-backup', database, folder, name)], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
      // Passes on none of the server's settings, because the job needs no secrets.
      env: { DO_NOT_TRACK: '1', BUN_ENABLE_CRASH_REPORTING: '0' },
      cwd: '/',
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    lowerPriority(child);
    const finished = Promise.all([readText(child.stdout, MAX_REPORT_BYTES), child.exited]).then(
      ([text]) => readReport(text),
      () => BACKUP_INTERRUPTED,
    );
    return { finished, cancel: () => child.kill('SIGKILL') };
  };
}
