import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capitalised } from '#lib/capitalised.ts';
import { machineFindings, networkFindings } from '#admin/selfCheck/server/service.ts';
import { type Config, loadConfig } from '#src/config.ts';
import { dataPaths } from '#src/dataPaths.ts';
import { bad, doubtful, type Finding, good, isAnyWrong } from '#lib/finding.ts';
import { createHttpClient } from '#lib/httpClient/client.ts';
import { openFileLimit } from '#lib/openFiles.ts';
import { createRedactor } from '#lib/redact.ts';
import { StartError } from '#lib/startError.ts';
import type { Assets } from '#platform/http/assets.ts';
import { createJobRunner, jobsWith } from '#platform/install/shared/jobProcess.ts';
import { EXIT, type Io, UsageError } from '../io.ts';
import { checkDatabase, checkRecording, checkStart } from './copy.ts';
import { findingLines, summaryLine } from './lines.ts';

/** @property network whether other machines are asked; an update asks for JSON alone, and then none is */
export type CheckOptions = { asJson: boolean; network: boolean };

const OPTIONS: ReadonlySet<string> = new Set(['--json', '--network', '--offline']);

/** @throws UsageError for what is no option of it */
export function checkOptions(args: readonly string[]): CheckOptions {
  const unknown = args.find((arg) => !OPTIONS.has(arg));
  if (unknown !== undefined) {
    throw new UsageError(`check takes --json, --network and --offline, but "${unknown}" was given.`);
  }
  const [asJson, network, offline] = ['--json', '--network', '--offline'].map((name) => args.includes(name));
  if (network && offline) throw new UsageError('check takes one of --network and --offline.');
  return { asJson: asJson === true, network: network === true || (asJson !== true && offline !== true) };
}

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
const sentence = (text: string): string => ended(capitalised(text));

/** A step that ends with a sentence where it fails. */
async function step(
  what: string,
  remedy: string,
  run: () => string | null | Promise<string | null>,
): Promise<Finding[]> {
  try {
    const found = await run();
    return found === null ? [] : [good(what, sentence(found))];
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [bad(what, error.message, remedy)];
  }
}

/** What is to be said of the settings. @param warnings of `loadConfig` */
export function settingsFindings(warnings: readonly string[]): Finding[] {
  if (warnings.length === 0) return [good('Settings', 'All that are set are understood.')];
  const remedy = 'Correct it where the settings stand; "bellbird --help" prints them all.';
  return warnings.map((warning) => doubtful('Settings', warning, remedy));
}

/** Recording, database, migrations and a start, all on a copy in a folder that is removed afterwards. */
async function copyFindings(io: Io, config: Config, assets: Assets) {
  const folder = mkdtempSync(join(tmpdir(), 'bellbird-check-'));
  let migrations = 0;
  try {
    const findings = [
      ...(await step('Recording', 'Choose another recording.', () => checkRecording(config))),
      ...(await step('Database', 'Where a sentence names no other way, restore the last backup.', () => {
        const database = checkDatabase(io, dataPaths(config).database, join(folder, 'bellbird.db'));
        migrations = database.migrations;
        return database.found;
      })),
    ];
    // What could not be copied would be begun anew, which says nothing.
    if (isAnyWrong(findings)) return { findings, migrations };
    const start = await step('Server', 'Look at the log; the sentence says what stands in the way.', () =>
      checkStart(io, config, folder, assets),
    );
    return { findings: [...findings, ...start], migrations };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What an update asks the new executable: it asks no other machine, and ends with the first thing that is wrong. */
async function checkForUpdate(io: Io, assets: Assets): Promise<number> {
  const { config, warnings } = loadConfig(io.env);
  for (const warning of warnings) io.err(warning);
  io.err(`Settings: good${warnings.length > 0 ? ', with the warnings above' : ''}.`);
  const folder = mkdtempSync(join(tmpdir(), 'bellbird-check-'));
  try {
    const recording = checkRecording(config);
    if (recording !== null) io.err(`Recording: ${recording}.`);
    const database = checkDatabase(io, dataPaths(config).database, join(folder, 'bellbird.db'));
    io.err(`Database: ${database.found}.`);
    io.err(`Server: ${await checkStart(io, config, folder, assets)}.`);
    const { version, commit } = io.about;
    io.out(JSON.stringify({ version, commit, migrations: database.migrations }));
    return EXIT.ok;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Everything that is looked at, in the order in which it is read; no text of it holds a secret. */
export async function allFindings(io: Io, assets: Assets, network: boolean) {
  const { config, warnings } = loadConfig(io.env, null, openFileLimit());
  const http = createHttpClient({ clock: io.wall });
  const { database } = dataPaths(config);
  const runList = jobsWith(createJobRunner('list-target', io.env), { database });
  const asked = network ? networkFindings(config, { http, clock: io.wall, runList }) : [];
  const machine = machineFindings(dataPaths(config));
  const { findings: copied, migrations } = await copyFindings(io, config, assets);
  const redactor = createRedactor(config.secrets);
  const hidden = [...settingsFindings(warnings), ...machine, ...copied, ...(await asked)].map((finding) => ({
    ...finding,
    says: redactor.text(finding.says),
    remedy: finding.remedy && redactor.text(finding.remedy),
  }));
  return { findings: hidden, migrations };
}

/**
 * `check`: settings, rights, disk, memory, database, migrations and a start on a copy, and whether what is configured
 * elsewhere can be used. The running server and its data stay as they are, and nothing is sent to anybody.
 *
 * @param options.asJson one line of JSON on the standard output: version, commit, migrations that would be applied, and
 *   with `network` what was found; without it no other machine is asked, as an update needs it
 * @returns the exit code, `failed` when something is wrong; what is only worth a look does not count
 * @throws ConfigError with the sentences to print; with JSON alone also StartError
 */
export async function check(io: Io, assets: Assets, { asJson, network }: CheckOptions): Promise<number> {
  if (asJson && !network) return checkForUpdate(io, assets);
  const { findings, migrations } = await allFindings(io, assets, network);
  const { version, commit } = io.about;
  if (asJson) io.out(JSON.stringify({ version, commit, migrations, findings }));
  else {
    for (const line of findingLines(findings, io.hasColours === true)) io.out(line);
    io.out(summaryLine(findings));
  }
  return isAnyWrong(findings) ? EXIT.failed : EXIT.ok;
}
