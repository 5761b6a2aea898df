import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '#lib/errors.ts';
import { SERVICE_PATHS, type ServiceHost, serviceProblem, serviceUnit, unsetSettings } from './host.ts';

const SAYS = /^bellbird (\d{1,6}\.\d{1,6}\.\d{1,6}(?:[-+][\w.+-]{1,40})?) /;

/**
 * The version of the installed program. It runs as the user `nobody`, because the service may own the file, which
 * must not run as root.
 * @returns null if none is installed, or its output is unknown
 */
function installedVersion({ root, run }: Pick<ServiceHost, 'root' | 'run'>): string | null {
  const path = join(root, SERVICE_PATHS.program);
  if (!existsSync(path)) return null;
  const { code, out } = run(['timeout', '20', 'runuser', '-u', 'nobody', '--', path, 'version']);
  return code === 0 ? (SAYS.exec(out)?.[1] ?? null) : null;
}

/** @throws StartError if this executable is older than the installed one */
function refuseOlder(version: string, installed: string | null): void {
  if (installed === null || Bun.semver.order(version, installed) >= 0) return;
  throw new StartError(
    `Version ${installed} is installed, and this file is the older ${version}. Nothing was changed. ` +
      'An older version cannot open a database that a newer one has migrated. ' +
      'To install it anyway, add --older.',
  );
}

const LINK_TRIES = 60;
const BETWEEN_TRIES_MS = 500;
/** Once the server has printed its address, the link follows in the next lines or not at all. */
const TRIES_FOR_LINK = 4;

function must({ run }: ServiceHost, ...command: readonly string[]): void {
  const { code, out } = run(command);
  if (code !== 0) throw new StartError(`"${command.join(' ')}" failed: ${out.trim()}`);
}

function makeFolder(path: string): void {
  if (existsSync(path)) return;
  mkdirSync(path, { recursive: true });
  // By default the process creates folders for their owner only.
  chmodSync(path, 0o755);
}

/** Compares the sizes of two files first, because they are large. */
const isSame = (one: string, other: string): boolean =>
  one === other ||
  (statSync(one).size === statSync(other).size && readFileSync(one).equals(readFileSync(other)));

/** Copies this executable to the path of the unit. @returns whether the program changed */
function putProgram({ root, executable }: ServiceHost): boolean {
  const path = join(root, SERVICE_PATHS.program);
  makeFolder(dirname(path));
  if (existsSync(path) && isSame(executable, path)) return false;
  const temporary = `${path}.installing`;
  try {
    copyFileSync(executable, temporary);
    chmodSync(temporary, 0o755);
    // If the panel may update the program, the folder belongs to the service.
    const { uid, gid } = statSync(dirname(path));
    chownSync(temporary, uid, gid);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
  return true;
}

function putUnit({ root }: ServiceHost): boolean {
  const path = join(root, SERVICE_PATHS.unit);
  const text = serviceUnit(SERVICE_PATHS.program);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false;
  makeFolder(dirname(path));
  writeFileSync(path, text);
  chmodSync(path, 0o644);
  return true;
}

function putSettings({ root }: ServiceHost): void {
  const path = join(root, SERVICE_PATHS.settings);
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  writeFileSync(path, unsetSettings(), { mode: 0o600 });
}

function addUser(host: ServiceHost): void {
  if (host.run(['getent', 'passwd', 'bellbird']).code === 0) return;
  const home = ['--home-dir', SERVICE_PATHS.data, '--no-create-home', '--shell', '/usr/sbin/nologin'];
  must(host, 'useradd', '--system', '--user-group', ...home, 'bellbird');
}

/** Waits until the server prints its address and the link for the first administrator. */
async function printLink(host: ServiceHost, since: string): Promise<void> {
  let triesSinceStart = 0;
  for (let attempt = 0; attempt < LINK_TRIES; attempt += 1) {
    const { out } = host.run(['journalctl', '-u', 'bellbird', '-o', 'cat', '--no-pager', '--since', since]);
    const lines = out.split('\n');
    const from = lines.findLastIndex((line) => line.startsWith('Bellbird listens on '));
    const output = from < 0 ? [] : lines.slice(from, from + 3);
    if (output.length > 0) triesSinceStart += 1;
    if (output.some((line) => line.includes('setup='))) return void output.map((line) => host.print(line));
    if (triesSinceStart > TRIES_FOR_LINK) return host.print(output[0] ?? '');
    if (host.run(['systemctl', 'is-failed', '--quiet', 'bellbird']).code === 0) break;
    await host.pause(BETWEEN_TRIES_MS);
  }
  throw new StartError(
    'The service is installed but does not start. To see why, run: journalctl -u bellbird -n 20 -o cat',
  );
}

/** @throws StartError if an older version would replace it, unless that is allowed */
function putNewerProgram(host: ServiceHost, mayBeOlder: boolean): boolean {
  const { version, print } = host;
  const before = installedVersion(host);
  if (!mayBeOlder) refuseOlder(version, before);
  addUser(host);
  const isOther = putProgram(host);
  if (isOther && before !== null) print(`Replaced version ${before} with ${version}.`);
  return isOther;
}

type Wanted = {
  now: number;
  mayBeOlder?: boolean;
};

/**
 * Installs and starts a service: user, program, unit, settings and data folder. Prints the link for the first
 * administrator. Keeps existing files, but replaces another executable or unit and restarts the service. An older
 * executable is refused unless it is allowed.
 * @throws StartError with a sentence if it fails
 */
export async function installService(host: ServiceHost, { now, mayBeOlder = false }: Wanted): Promise<void> {
  const problem = serviceProblem(host);
  if (problem !== null) throw new StartError(problem);
  const isOther = [putNewerProgram(host, mayBeOlder), putUnit(host)].includes(true);
  putSettings(host);
  must(host, 'systemctl', 'daemon-reload');
  must(host, 'systemctl', 'enable', '--quiet', 'bellbird');
  const runs = host.run(['systemctl', 'is-active', '--quiet', 'bellbird']).code === 0;
  if (runs && !isOther) {
    host.print('The service is already installed and running.');
    return;
  }
  must(host, 'systemctl', 'restart', 'bellbird');
  await printLink(host, `@${Math.floor(now / 1000)}`);
  host.print(
    `Settings: ${SERVICE_PATHS.settings} (then run: systemctl restart bellbird). Data: ${SERVICE_PATHS.data}.`,
  );
}

/** Stops the service and removes its unit; everything else stays. @throws StartError with a sentence */
export function uninstallService(host: ServiceHost): void {
  const problem = serviceProblem(host);
  if (problem !== null) throw new StartError(problem);
  const path = join(host.root, SERVICE_PATHS.unit);
  if (!existsSync(path))
    throw new StartError(`There is no service to remove: ${SERVICE_PATHS.unit} does not exist.`);
  must(host, 'systemctl', 'disable', '--quiet', '--now', 'bellbird');
  rmSync(path);
  must(host, 'systemctl', 'daemon-reload');
  const { data, settings, program } = SERVICE_PATHS;
  host.print(
    `Removed the service. Data stay in ${data}, settings in ${settings}, the program in ${program}.`,
  );
}
