import { Database } from 'bun:sqlite';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineCheckResults, networkCheckResults } from '#admin/selfCheck/server/service.ts';
import { StartError } from '#lib/errors.ts';
import { openFileLimit } from '#lib/files.ts';
import {
  bad,
  doubtful,
  type CheckResult,
  type CheckResultState,
  good,
  isAnyWrong,
} from '#lib/checkResult.ts';
import { createHttpClient } from '#lib/httpClient/client.ts';
import { createLog } from '#lib/log.ts';
import { createRedactor } from '#lib/redact.ts';
import { capitalised } from '#lib/wording.ts';
import { DatabaseError, migrationState, toDatabaseError } from '#platform/db/migrate.ts';
import { openDb } from '#platform/db/open.ts';
import type { Assets } from '#platform/http/assets.ts';
import { createJobRunner, jobsWith } from '#platform/install/shared/jobProcess.ts';
import { chosenRecording } from '#sources/quotes/choose.ts';
import { type Config, loadConfig } from '#src/config/config.ts';
import { dataPaths } from '#src/config/dataPaths.ts';
import { startServer } from '#src/server.ts';
import { formatTime } from '#texts/format.ts';
import { EXIT, type Io, UsageError } from './io.ts';

/**
 * Copies the database, also while the server runs, and migrates the copy.
 * @returns the text after "Database:", and the number of migrations applied
 * @throws DatabaseError with a sentence
 */
function checkDatabase(io: Io, path: string, copy: string): { found: string; migrations: number } {
  if (!existsSync(path)) return { found: 'there is none yet; the first start creates it', migrations: 0 };
  const client = new Database(path, { readonly: true, strict: true });
  let pending: number;
  try {
    client.run('PRAGMA busy_timeout = 5000');
    const result = client.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()?.quick_check;
    if (result !== 'ok')
      throw new DatabaseError(`The database ${path} is damaged (${result}). Restore a backup.`);
    pending = migrationState(client).pending.length;
    client.query('VACUUM INTO ?1').run(copy);
  } catch (error) {
    throw toDatabaseError(path, error);
  } finally {
    client.close();
  }
  openDb({ path: copy, copyFolder: null, now: io.wall.now() }).db.$client.close();
  const found =
    pending === 0 ? 'no damage; up to date' : `no damage; ${pending} migrations succeeded on a copy`;
  return { found, migrations: pending };
}

/** Settings for a server that contacts nothing, because the copied outbox belongs to the running server. */
export const quietly = (config: Config, dataDir: string): Config => ({
  ...config,
  dataDir,
  host: '127.0.0.1',
  port: 0,
  feed: 'ingest',
  releases: null,
  news: { ...config.news, source: 'off' },
  calendar: { ...config.calendar, source: 'off' },
  ai: { ...config.ai, url: null },
  telegram: { ...config.telegram, token: null },
  discord: { ...config.discord, token: null },
  // Otherwise the copy would serve the relays of the running server.
  relays: { ...config.relays, engineUrl: null, secret: null },
});

/** The recording to play; null if there is none. @throws StartError with a sentence if it can't be played */
function checkRecording(config: Config): string | null {
  const silent = createLog(() => {});
  const recording = chosenRecording(config, silent);
  if (recording === null) return null;
  recording.close();
  const span = `${formatTime(recording.from)} to ${formatTime(recording.until)} Sydney time`;
  const end = recording.isCutOff ? '; the end is missing, the rest can be played' : '';
  return `the session of ${recording.head.date}, ${span}${end}`;
}

/**
 * Starts the whole server on the copied data and checks its health. It does not contact the market source.
 */
async function checkStart(io: Io, config: Config, folder: string, assets: Assets): Promise<string> {
  const quiet = quietly(config, folder);
  const log = createLog(({ level, message }) => {
    if (level === 'error') io.err(message);
  });
  const server = await startServer(quiet, {
    wall: io.wall,
    log,
    assets,
    about: io.about,
    control: { supervisor: 'none', restart: () => {} },
    program: io.program,
    announce: () => {},
  });
  try {
    const health = await fetch(`${server.url}/healthz`).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new StartError(`The server did not respond to its health check (${reason}).`, { cause });
    });
    if (!health.ok) throw new StartError(`The server responded to its health check with ${health.status}.`);
    const page = await fetch(`${server.url}/`);
    await page.body?.cancel();
    if (page.ok) return 'starts, is healthy and serves the web app';
    if (Bun.isStandaloneExecutable) throw new StartError('The web app is missing from this executable.');
    return 'starts and is healthy; the web app is not built';
  } finally {
    await server.stop();
  }
}

const WORDS: Readonly<Record<CheckResultState, string>> = { ok: 'ok', warning: 'warning', wrong: 'wrong' };
const COLOURS: Readonly<Record<CheckResultState, string>> = { ok: '32', warning: '33', wrong: '31' };
const GAP = 2;
const CONTROLS = /\p{Cc}/gu;

const clean = (text: string): string => text.replace(CONTROLS, ' ');
const widest = (words: readonly string[]): number => Math.max(0, ...words.map((word) => word.length)) + GAP;

/** One aligned line per finding, with its fix below. @param hasColours whether the state is coloured */
export function resultLines(results: readonly CheckResult[], hasColours: boolean): string[] {
  const stateWidth = widest(Object.values(WORDS));
  const whatWidth = widest(results.map(({ what }) => what));
  return results.flatMap(({ what, state, says, remedy }) => {
    const word = WORDS[state].padEnd(stateWidth);
    const shown = hasColours ? `\u001b[${COLOURS[state]}m${word}\u001b[0m` : word;
    const line = `${shown}${what.padEnd(whatWidth)}${clean(says)}`;
    const indent = ' '.repeat(stateWidth + whatWidth);
    return remedy === null ? [line] : [line, `${indent}→ ${clean(remedy)}`];
  });
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export function summaryLine(results: readonly CheckResult[]): string {
  const wrong = results.filter(({ state }) => state === 'wrong').length;
  const warnings = results.filter(({ state }) => state === 'warning').length;
  const problems = wrong === 0 ? 'No problems found' : counted(wrong, 'problem', 'problems');
  return `${problems}${warnings === 0 ? '' : `, ${counted(warnings, 'warning', 'warnings')}`}.`;
}

/** `network`: contact other servers too. False when an update asks for JSON. */
export type CheckOptions = { asJson: boolean; network: boolean };

const OPTIONS: ReadonlySet<string> = new Set(['--json', '--network', '--offline']);

export function checkOptions(args: readonly string[]): CheckOptions {
  const unknown = args.find((arg) => !OPTIONS.has(arg));
  if (unknown !== undefined) {
    throw new UsageError(`"check" takes --json, --network and --offline, but got "${unknown}".`);
  }
  const [asJson, network, offline] = ['--json', '--network', '--offline'].map((name) => args.includes(name));
  if (network && offline) throw new UsageError('Use either --network or --offline.');
  return { asJson: asJson === true, network: network === true || (asJson !== true && offline !== true) };
}

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
const sentence = (text: string): string => ended(capitalised(text));

async function step(
  what: string,
  remedy: string,
  run: () => string | null | Promise<string | null>,
): Promise<CheckResult[]> {
  try {
    const found = await run();
    return found === null ? [] : [good(what, sentence(found))];
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [bad(what, error.message, remedy)];
  }
}

export function settingsCheckResults(warnings: readonly string[]): CheckResult[] {
  if (warnings.length === 0) return [good('Settings', 'All settings are valid.')];
  const remedy = 'Correct the setting. "bellbird --help" lists all settings.';
  return warnings.map((warning) => doubtful('Settings', warning, remedy));
}

async function copyCheckResults(io: Io, config: Config, assets: Assets) {
  const folder = mkdtempSync(join(tmpdir(), 'bellbird-check-'));
  let migrations = 0;
  try {
    const results = [
      ...(await step('Recording', 'Choose another recording.', () => checkRecording(config))),
      ...(await step('Database', 'If the message gives no other advice, restore the last backup.', () => {
        const database = checkDatabase(io, dataPaths(config).database, join(folder, 'bellbird.db'));
        migrations = database.migrations;
        return database.found;
      })),
    ];
    // A failed copy would start with an empty database, which proves nothing.
    if (isAnyWrong(results)) return { findings: results, migrations };
    const start = await step('Server', 'Fix the problem in the message. The log has the details.', () =>
      checkStart(io, config, folder, assets),
    );
    return { findings: [...results, ...start], migrations };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The check of a new executable during an update. It contacts no other server and stops at the first failure.
 */
async function checkForUpdate(io: Io, assets: Assets): Promise<number> {
  const { config, warnings } = loadConfig(io.env);
  const { findings, migrations } = await copyCheckResults(io, config, assets);
  for (const { what, says } of [...settingsCheckResults(warnings), ...findings]) io.err(`${what}: ${says}`);
  if (isAnyWrong(findings)) return EXIT.failed;
  const { version, commit } = io.about;
  io.out(JSON.stringify({ version, commit, migrations }));
  return EXIT.ok;
}

export async function allCheckResults(io: Io, assets: Assets, network: boolean) {
  const { config, warnings } = loadConfig(io.env, null, openFileLimit());
  const http = createHttpClient({ clock: io.wall });
  const { database } = dataPaths(config);
  const runList = jobsWith(createJobRunner('list-target', io.env), { database });
  const asked = network ? networkCheckResults(config, { http, clock: io.wall }, runList) : [];
  const machine = machineCheckResults(dataPaths(config));
  const { findings: copied, migrations } = await copyCheckResults(io, config, assets);
  const redactor = createRedactor(config.secrets);
  const hidden = [...settingsCheckResults(warnings), ...machine, ...copied, ...(await asked)].map(
    (result) => ({
      ...result,
      says: redactor.text(result.says),
      remedy: result.remedy && redactor.text(result.remedy),
    }),
  );
  return { findings: hidden, migrations };
}

/**
 * `check`: settings, permissions, disk, memory, database, migrations, a start on a copy, and the configured
 * services. It changes nothing and sends no messages.
 * @param options.asJson prints one line of JSON: version, commit, pending migrations, and findings if
 * `network` is set
 * @returns the exit code, `failed` if something is wrong; warnings do not count
 * @throws ConfigError with the sentences to print; with JSON but no network also StartError
 */
export async function check(io: Io, assets: Assets, { asJson, network }: CheckOptions): Promise<number> {
  if (asJson && !network) return checkForUpdate(io, assets);
  const { findings, migrations } = await allCheckResults(io, assets, network);
  const { version, commit } = io.about;
  if (asJson) io.out(JSON.stringify({ version, commit, migrations, findings }));
  else {
    for (const line of resultLines(findings, io.hasColours === true)) io.out(line);
    io.out(summaryLine(findings));
  }
  return isAnyWrong(findings) ? EXIT.failed : EXIT.ok;
}
