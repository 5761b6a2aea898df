import { cpus, release, totalmem, uptime } from 'node:os';
import type { About } from '#platform/install/about.ts';
import type { Config } from '#src/config/config.ts';
import type { Setting } from '#src/config/setting.ts';
import type { DataPaths } from '#src/config/dataPaths.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { CheckResult } from '#lib/checkResult.ts';
import { createHttpClient } from '#lib/httpClient/client.ts';
import { createRedactor } from '#lib/redact.ts';
import { ownAddress } from '#lib/addresses.ts';
import { Database } from 'bun:sqlite';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withFiles } from '#lib/files.ts';
import { parseJson } from '#lib/json.ts';
import { formOf } from '#sources/answerForm.ts';
import { readUpdateState } from '#platform/install/shared/updateState.ts';

/** Facts with harmless values. Other facts are kept without their value. */
const KEPT_FACTS: ReadonlySet<string> = new Set([
  'version',
  'commit',
  'feed',
  'signal',
  'method',
  'status',
  'ms',
  'count',
  'failures',
  'seconds',
  'free',
  'migrations',
  'durationMs',
  'part',
  'code',
  'stocks',
  'rows',
  'bytes',
]);
const KEPT_VALUE = /^[\w.+-]{1,40}$/;

const HEAD = /^(\d{4}-[\d:.TZ-]{6,30}) ([A-Z]{4,8}) ([\w.]{1,60}): /;
/** A fact starts with its name. The text before the first fact is the sentence. */
const FACT = / ([A-Za-z]{1,40})=/g;
/** The position in the code in a stack trace, without message and folders. */
const FRAME = /^ {1,8}at [^\r\n]{0,400}?([\w.-]{1,60}\.(?:js|ts|tsx):\d{1,9}:\d{1,9})\)?$/;
const PLAIN_WORD = /^[A-Za-z’']{1,20}(?:-[A-Za-z]{1,20}){0,3}[,;:.)]?$/;

const plain = (sentence: string): string =>
  sentence
    .slice(0, 500)
    .split(' ')
    .map((word) => (PLAIN_WORD.test(word) ? word : '…'))
    .join(' ');

function keptFacts(text: string): string {
  const found = [...text.matchAll(FACT)];
  return found
    .map((match, index) => {
      const [whole, name = ''] = match;
      const value = text.slice(match.index + whole.length, found[index + 1]?.index);
      return ` ${name}=${KEPT_FACTS.has(name) && KEPT_VALUE.test(value) ? value : '…'}`;
    })
    .join('');
}

/**
 * The harmless parts of a log line: time, level, part, words of its sentence, figures. Anything unknown is left out, so
 * that safety does not depend on recognising secrets.
 * @returns null if nothing remains
 */
function harmlessLine(line: string): string | null {
  const head = HEAD.exec(line);
  if (head === null) {
    const place = FRAME.exec(line.slice(0, 600))?.[1];
    return place === undefined ? null : `    at ${place}`;
  }
  const rest = line.slice(head[0].length, head[0].length + 20_000);
  const first = rest.search(FACT);
  const [sentence, facts] = first < 0 ? [rest, ''] : [rest.slice(0, first), rest.slice(first)];
  return `${head[0]}${plain(sentence)}${keptFacts(facts)}`;
}

const LOG_BYTES = 2 * 1024 * 1024;
const MAX_ANSWER_BYTES = 64 * 1024;
const REAL_SOURCES = ['tradingview', 'asx', 'fxstreet'];
const MAX_LINES = 5000;
const TABLE = /^\w{1,80}$/;

/** The number of rows per table, and the applied migrations. */
function databaseFacts(path: string): object {
  if (!existsSync(path)) return { found: false };
  const client = new Database(path, { readonly: true, strict: true });
  try {
    client.run('PRAGMA busy_timeout = 5000');
    const names = client
      .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all()
      .map(({ name }) => name)
      .filter((name) => TABLE.test(name));
    const count = (name: string): number =>
      client.query<{ n: number }, []>(`SELECT count(*) AS n FROM "${name}"`).get()?.n ?? 0;
    const rows = Object.fromEntries(names.map((name) => [name, count(name)]));
    const last = client
      .query<{ at: number | null }, []>('SELECT max(created_at) AS at FROM __drizzle_migrations')
      .get();
    return { found: true, rows, lastMigration: last?.at ?? null };
  } finally {
    client.close();
  }
}

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Sizes of the data, without names, because users may have chosen them. */
function dataSizes(paths: DataPaths): object {
  const folder = (path: string) => {
    const files = withFiles(path).slice(1);
    return { files: files.length, bytes: files.reduce((sum, file) => sum + bytesOf(file), 0) };
  };
  return {
    database: bytesOf(paths.database),
    log: bytesOf(`${paths.database}-wal`),
    backups: folder(paths.backups),
    recordings: folder(paths.recordings),
    logs: folder(paths.logs),
  };
}

/** The state of the last update, without user, paths, addresses and output. */
function updateFacts(paths: DataPaths): object | null {
  const state = readUpdateState(paths.folder);
  if (state === null) return null;
  const { phase, startedAt, starts, migrations, failure, steps } = state;
  const ended = steps.map((step) => ({
    outcome: step.outcome,
    ms: (step.endedAt ?? step.startedAt) - step.startedAt,
  }));
  return { phase, startedAt, starts, migrations, hasFailure: failure !== null, steps: ended };
}

/**
 * The structure of each source's last good answer before its format changed: fields, figures and times, without texts.
 * Skips unreadable ones.
 */
function lastAnswers(paths: DataPaths): object {
  const found = REAL_SOURCES.flatMap((source) => {
    const path = join(paths.answers, `${source}.json`);
    if (!existsSync(path) || bytesOf(path) > MAX_ANSWER_BYTES) return [];
    const parsed = parseJson(readFileSync(path, 'utf8'));
    return parsed.ok ? [[source, formOf(parsed.value)] as const] : [];
  });
  return Object.fromEntries(found);
}

function lastLogLines(paths: DataPaths): string[] {
  const files = ['bellbird.log.1', 'bellbird.log']
    .map((name) => join(paths.logs, name))
    .filter((path) => existsSync(path));
  return files
    .flatMap((path) => readFileSync(path).subarray(-LOG_BYTES).toString('utf8').split('\n'))
    .slice(-MAX_LINES)
    .flatMap((line) => harmlessLine(line) ?? []);
}

const WORDS: ReadonlySet<string> = new Set([
  'BELLBIRD_FEED',
  'BELLBIRD_NEWS',
  'BELLBIRD_CALENDAR',
  'BELLBIRD_SUPERVISED',
  'BELLBIRD_SIM_START',
]);

function shownValue(name: string, setting: Setting<unknown>, raw: string): string {
  if (setting.secret) return 'set';
  const parsed = setting.parse(raw);
  if (!parsed.ok) return 'set, but invalid';
  const { value } = parsed;
  const isFigure = typeof value === 'number' || typeof value === 'boolean';
  return isFigure || WORDS.has(name) ? String(value) : 'set';
}

/** Each setting that is set: figures and known words with their value, others as *set*. */
function settingLines(
  settings: Readonly<Record<string, Setting<unknown>>>,
  env: Record<string, string | undefined>,
): string[] {
  return Object.entries(settings).flatMap(([name, setting]) => {
    const raw = [name, setting.also ?? name]
      .map((one) => env[one] ?? '')
      .find((value) => value.trim() !== '');
    return raw === undefined ? [] : [`${name}: ${shownValue(name, setting, raw)}`];
  });
}

export type SupportNeeds = {
  env: Record<string, string | undefined>;
  config: Config;
  settings: Readonly<Record<string, Setting<unknown>>>;
  paths: DataPaths;
  wall: SystemClock;
  about: Pick<About, 'version' | 'commit'>;
  program: { isStandalone: boolean };
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const lines = (list: readonly string[]): string => `${list.join('\n')}\n`;

/** Reads a part; if it is unreadable, the others are not affected. The check reports the reason. */
function readable(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return { unreadable: error instanceof Error ? error.name : 'unknown' };
  }
}

function system({ about, program }: SupportNeeds): object {
  const { version, commit } = about;
  return {
    version,
    commit,
    isStandalone: program.isStandalone,
    bun: Bun.version,
    platform: process.platform,
    arch: process.arch,
    system: release(),
    processors: cpus().length,
    memory: totalmem(),
    upSeconds: Math.round(uptime()),
  };
}

const FIGURE = /\b(?:HTTP \d{3}|E[A-Z_]{3,30}|\d{1,9} (?:days|hours|minutes|seconds)|[\d.]{1,9} [KMGT]B)\b/g;

const PLACE = /\S{0,200}\/\S{0,500}/g;

/** The result of a check with figures and codes only, because its sentences contain names, paths and external text. */
const checkLine = ({ what, state, says }: CheckResult): string =>
  `${state.padEnd(9)}${what}: ${(says.replace(PLACE, ' ').match(FIGURE) ?? []).join(', ') || state}`;

const METRIC =
  /^(?:# (?:HELP|TYPE) .{1,300}|bellbird_\w{1,80}(?:\{(?:[a-z]{1,20}="[\w.+-]{1,60}",?){1,3}\})? [\d.e+-]{1,30})$/;

async function metrics({ config, wall }: SupportNeeds): Promise<string> {
  if (config.metricsKey === null) return 'None: BELLBIRD_METRICS_KEY is not set.\n';
  const outcome = await createHttpClient({ clock: wall }).text({
    method: 'GET',
    url: `${ownAddress(config)}/metrics`,
    endpoint: 'own/metrics',
    headers: { authorization: `Bearer ${config.metricsKey}` },
    timeoutMs: 8000,
    maxBytes: 4 * 1024 * 1024,
  });
  if (outcome.kind !== 'ok') return 'None: the server did not answer.\n';
  return lines(outcome.body.split('\n').filter((line) => METRIC.test(line) && !line.includes('relay=')));
}

/**
 * The files of the archive by name. They contain only what is known to be harmless, so that safety does not depend on
 * recognising secrets.
 */
export async function supportFiles(
  needs: SupportNeeds,
  results: readonly CheckResult[],
): Promise<Record<string, string>> {
  const { config, env, paths, settings } = needs;
  const files = {
    'system.json': json(system(needs)),
    'settings.txt': lines(settingLines(settings, env)),
    'check.txt': lines(results.map(checkLine)),
    'database.json': json(readable(() => databaseFacts(paths.database))),
    'sizes.json': json(readable(() => dataSizes(paths))),
    'answers.json': json(readable(() => lastAnswers(paths))),
    'update.json': json(readable(() => updateFacts(paths))),
    'log.txt': lines(lastLogLines(paths)),
    'metrics.txt': await metrics(needs),
  };
  const redactor = createRedactor(config.secrets);
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, redactor.text(text)]));
}

export const supportArchive = (files: Record<string, string>): Promise<Uint8Array<ArrayBuffer>> =>
  new Bun.Archive(files, { compress: 'gzip' }).bytes();
