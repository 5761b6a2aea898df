import { existsSync } from 'node:fs';
import { cpus, release, totalmem, uptime } from 'node:os';
import { resolve } from 'node:path';
import { ownAddress } from '../../admin/selfCheck/server/service.ts';
import { type Config, loadConfig } from '../../config.ts';
import { dataPaths } from '../../dataPaths.ts';
import type { Finding } from '../../lib/finding.ts';
import { createHttpClient } from '../../lib/httpClient/client.ts';
import { humanSize } from '../../lib/humanSize.ts';
import { createRedactor } from '../../lib/redact.ts';
import { StartError } from '../../lib/startError.ts';
import { writeDurably } from '../../lib/writeDurably.ts';
import type { Assets } from '../../platform/http/assets.ts';
import { allFindings } from '../check/index.ts';
import { EXIT, type Io, UsageError } from '../io.ts';
import { databaseFacts, dataSizes, lastLogLines, updateFacts } from './data.ts';
import { settingLines } from './settingLines.ts';

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

function system({ about, program }: Io): object {
  const { version, commit } = about;
  return {
    ...{ version, commit, isStandalone: program.isStandalone, bun: Bun.version },
    ...{ platform: process.platform, arch: process.arch, system: release() },
    ...{ processors: cpus().length, memory: totalmem(), upSeconds: Math.round(uptime()) },
  };
}

const FIGURE = /\b(?:HTTP \d{3}|E[A-Z_]{3,30}|\d{1,9} (?:days|hours|minutes|seconds)|[\d.]{1,9} [KMGT]B)\b/g;

/** What was looked at and how it is, with figures and codes: the sentences hold names, paths and what others answered. */
const checkLine = ({ what, state, says }: Finding): string =>
  `${state.padEnd(9)}${what}: ${(says.match(FIGURE) ?? []).join(', ') || state}`;

const METRIC =
  /^(?:# (?:HELP|TYPE) .{1,300}|bellbird_\w{1,80}(?:\{(?:[a-z]{1,20}="[\w.+-]{1,60}",?){1,3}\})? [\d.e+-]{1,30})$/;

/** The figures of the running server; a sentence where there are none. */
async function metrics(io: Io, config: Config): Promise<string> {
  if (config.metricsKey === null) return 'None: BELLBIRD_METRICS_KEY is not set.\n';
  const outcome = await createHttpClient({ clock: io.wall }).text({
    method: 'GET',
    url: `${ownAddress(config)}/metrics`,
    endpoint: 'own/metrics',
    headers: { authorization: `Bearer ${config.metricsKey}` },
    ...{ timeoutMs: 8000, maxBytes: 4 * 1024 * 1024 },
  });
  if (outcome.kind !== 'ok') return 'None: the server does not answer.\n';
  return lines(outcome.body.split('\n').filter((line) => METRIC.test(line) && !line.includes('relay=')));
}

/** Every file of the archive by its name. */
async function contents(io: Io, assets: Assets, network: boolean): Promise<Record<string, string>> {
  const { config } = loadConfig(io.env);
  const paths = dataPaths(config);
  const { findings } = await allFindings(io, assets, network);
  const files = {
    'system.json': json(system(io)),
    'settings.txt': lines(settingLines(io.env)),
    'check.txt': lines(findings.map(checkLine)),
    'database.json': json(readable(() => databaseFacts(paths.database))),
    'sizes.json': json(readable(() => dataSizes(paths))),
    'update.json': json(readable(() => updateFacts(paths))),
    'log.txt': lines(lastLogLines(paths)),
    'metrics.txt': await metrics(io, config),
  };
  const redactor = createRedactor(config.secrets);
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, redactor.text(text)]));
}

/**
 * `support [FILE]`: one archive for a bug report, without secrets, people and what they wrote. What goes in is what is
 * known to be harmless, so that nothing depends on what a secret looks like.
 *
 * @returns the exit code, 0 when it is written
 * @throws ConfigError or StartError with the sentence to print
 */
export async function support(io: Io, assets: Assets, args: readonly string[]): Promise<number> {
  const offline = args.includes('--offline');
  const [file, more] = args.filter((arg) => arg !== '--offline');
  if (more !== undefined) throw new UsageError('support takes one file at most.');
  if (file?.startsWith('-')) throw new UsageError(`support has no option "${file}".`);
  const day = new Date(io.wall.now()).toISOString().slice(0, 10);
  const target = resolve(file ?? `bellbird-support-${day}.tar.gz`);
  if (existsSync(target)) throw new StartError(`There is a file ${target} already; name another one.`);
  const files = await contents(io, assets, !offline);
  const bytes = await new Bun.Archive(files, { compress: 'gzip' }).bytes();
  writeDurably(target, bytes, 0o600);
  io.out(`Written: ${target} (${humanSize(bytes.byteLength)}).`);
  io.out(
    `It holds ${Object.keys(files).join(', ')}: no secrets, no people, nothing that they wrote. Look into it with "tar -xzf".`,
  );
  return EXIT.ok;
}
