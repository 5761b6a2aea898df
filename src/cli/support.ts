import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { machineCheckResults } from '#admin/selfCheck/server/service.ts';
import { supportArchive, supportFiles, type SupportNeeds } from '#admin/support/server/contents.ts';
import { StartError } from '#lib/errors.ts';
import { writeDurably } from '#lib/files.ts';
import { humanSize } from '#lib/wording.ts';
import type { Assets } from '#platform/http/assets.ts';
import { loadConfig, SETTINGS } from '#src/config/config.ts';
import { dataPaths } from '#src/config/dataPaths.ts';
import { allCheckResults, settingsCheckResults } from './check.ts';
import { EXIT, type Io, UsageError } from './io.ts';

const needsOf = (io: Io): SupportNeeds => {
  const { config } = loadConfig(io.env);
  return { ...io, config, settings: SETTINGS, paths: dataPaths(config) };
};

/**
 * `support [FILE]`: one archive for a bug report, without secrets or personal data. It contains only parts
 * known to be harmless, so it does not depend on recognising secrets.
 * @returns the exit code, 0 when it is written
 * @throws ConfigError or StartError with the sentence to print
 */
export async function support(io: Io, assets: Assets, args: readonly string[]): Promise<number> {
  const offline = args.includes('--offline');
  const [file, more] = args.filter((arg) => arg !== '--offline');
  if (more !== undefined) throw new UsageError('"support" takes at most one file.');
  if (file?.startsWith('-')) throw new UsageError(`"support" has no option "${file}".`);
  const day = new Date(io.wall.now()).toISOString().slice(0, 10);
  const target = resolve(file ?? `bellbird-support-${day}.tar.gz`);
  if (existsSync(target)) throw new StartError(`The file ${target} already exists. Choose another name.`);
  const { findings } = await allCheckResults(io, assets, !offline);
  const files = await supportFiles(needsOf(io), findings);
  const bytes = await supportArchive(files);
  writeDurably(target, bytes, 0o600);
  io.out(`Wrote ${target} (${humanSize(bytes.byteLength)}).`);
  io.out(
    `It contains ${Object.keys(files).join(', ')}, but no secrets and no user data. To review it, unpack it with "tar -xzf".`,
  );
  return EXIT.ok;
}

export async function writeSupport(io: Io, args: readonly string[]): Promise<number> {
  const [file, more] = args;
  if (file === undefined || more !== undefined)
    throw new UsageError('"write-support" is an internal command of the server.');
  const { config, warnings } = loadConfig(io.env);
  const results = [...settingsCheckResults(warnings), ...machineCheckResults(dataPaths(config))];
  writeDurably(file, await supportArchive(await supportFiles(needsOf(io), results)), 0o600);
  return EXIT.ok;
}
