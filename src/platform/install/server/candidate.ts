import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '#lib/json.ts';
import { readCount, readRecord, readText } from '#lib/read.ts';
import type { Program } from '../shared/program.ts';
import type { ProgramVersion } from '../shared/updateState.ts';
import { runCommand } from './runCommand.ts';
import { succeeded, TIME_LIMITS } from './tools.ts';
import { UpdateError } from '../shared/updateError.ts';
import { errorCode } from '#lib/errorCode.ts';

/** What a new executable found out about itself and this installation's data: `bellbird check --json`. */
export type CheckReport = ProgramVersion & {
  /** Migrations that it would apply to the database. */
  migrations: number;
};

/** The last line that is a JSON object. */
function readReport(stdout: string): CheckReport | null {
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  const parsed = parseJson(line);
  const record = readRecord(parsed.ok ? parsed.value : null);
  const version = readText(record.version);
  const commit = readText(record.commit);
  const migrations = readCount(record.migrations);
  return version === null || commit === null || migrations === null ? null : { version, commit, migrations };
}

/**
 * Lets a new executable check itself: with this installation's settings, on a copy of its database, which it migrates.
 *
 * @param folder of the update; the copy is made in it
 * @throws UpdateError when it does not do well
 */
export async function checkCandidate(
  path: string,
  { env, folder, signal }: Pick<Program, 'env'> & { folder: string; signal: AbortSignal },
): Promise<CheckReport> {
  const temporary = join(folder, 'check');
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  // Not the line to the process that started this one.
  const inherited = Object.entries(env).filter(([name]) => !name.startsWith('NODE_CHANNEL_'));
  // The system's own folder for temporary files is often in the memory, and small.
  const own = { ...Object.fromEntries(inherited), TMPDIR: temporary };
  const options = {
    cwd: process.cwd(),
    env: own as Record<string, string>,
    timeoutMs: TIME_LIMITS.check,
    signal,
  };
  const result = await runCommand([path, 'check', '--json'], options).catch((error: unknown) => {
    const code = errorCode(error);
    throw new UpdateError(`The new version can't be run on this machine (${code || String(error)}).`);
  });
  const stdout = succeeded(result, 'The new version does not pass its own check.', TIME_LIMITS.check);
  const report = readReport(stdout);
  if (report === null)
    throw new UpdateError('The new version does not say what it found at its check.', result.tail);
  return report;
}
