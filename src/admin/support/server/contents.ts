import { cpus, release, totalmem, uptime } from 'node:os';
import type { About } from '#src/about.ts';
import type { Config } from '#src/config.ts';
import type { Setting } from '#src/configSetting.ts';
import type { DataPaths } from '#src/dataPaths.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { Finding } from '#lib/finding.ts';
import { createHttpClient } from '#lib/httpClient/client.ts';
import { createRedactor } from '#lib/redact.ts';
import { ownAddress } from '#lib/hostAddress.ts';
import { databaseFacts, dataSizes, lastAnswers, lastLogLines, updateFacts } from './data.ts';
import { settingLines } from './settingLines.ts';

/** What the archive is made of besides the data folder. */
export type SupportNeeds = {
  env: Record<string, string | undefined>;
  /** What `env` was read as, and by which settings. */
  config: Config;
  settings: Readonly<Record<string, Setting<unknown>>>;
  paths: DataPaths;
  wall: SystemClock;
  about: Pick<About, 'version' | 'commit'>;
  program: { isStandalone: boolean };
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const lines = (list: readonly string[]): string => `${list.join('\n')}\n`;

/** What can't be read costs the file nothing else; why stands in the check. */
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

/** A word with a slash: an address or a path. */
const PLACE = /\S{0,200}\/\S{0,500}/g;

/** What was looked at and how it is, with figures and codes: the sentences hold names, paths and what others answered. */
const checkLine = ({ what, state, says }: Finding): string =>
  `${state.padEnd(9)}${what}: ${(says.replace(PLACE, ' ').match(FIGURE) ?? []).join(', ') || state}`;

const METRIC =
  /^(?:# (?:HELP|TYPE) .{1,300}|bellbird_\w{1,80}(?:\{(?:[a-z]{1,20}="[\w.+-]{1,60}",?){1,3}\})? [\d.e+-]{1,30})$/;

/** The figures of the running server; a sentence where there are none. */
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
  if (outcome.kind !== 'ok') return 'None: the server does not answer.\n';
  return lines(outcome.body.split('\n').filter((line) => METRIC.test(line) && !line.includes('relay=')));
}

/**
 * Every file of the archive by its name: only what is known to be harmless, so that nothing depends on what a secret looks
 * like.
 * @param findings of a check
 */
export async function supportFiles(
  needs: SupportNeeds,
  findings: readonly Finding[],
): Promise<Record<string, string>> {
  const { config, env, paths, settings } = needs;
  const files = {
    'system.json': json(system(needs)),
    'settings.txt': lines(settingLines(settings, env)),
    'check.txt': lines(findings.map(checkLine)),
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

/** The files as one archive, packed. */
export const supportArchive = (files: Record<string, string>): Promise<Uint8Array<ArrayBuffer>> =>
  new Bun.Archive(files, { compress: 'gzip' }).bytes();
