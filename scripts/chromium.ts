import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Functions of the machine that are needed to provide a browser; tests pass their own. */
export type Machine = {
  candidates(): readonly string[];
  /** Whether a browser starts: false for a stub, or if a system library is missing. */
  works(path: string): Promise<boolean>;
  /** Downloads Playwright's own Chromium. @returns whether that succeeded */
  download(): Promise<boolean>;
  install: (() => Promise<boolean>) | null;
  print(line: string): void;
};

export type Provided = { ok: true; path: string } | { ok: false; error: string };

const none = (last: string): Provided => ({
  ok: false,
  error:
    `No Chromium starts on this machine, Playwright's own could not be downloaded or does not start, and ${last}: ` +
    'install one (on Debian: apt-get install chromium) and run this again, or skip the browser tests with --no-browser.',
});

async function firstThatWorks(machine: Machine): Promise<string | null> {
  for (const path of machine.candidates()) if (await machine.works(path)) return path;
  return null;
}

/**
 * Finds a working Chromium. If there is none, downloads Playwright's own, and if that does not work, installs Debian's
 * package, provided that this needs no password.
 * @returns its path, or a sentence with the attempts and what to do
 */
export async function provideChromium(machine: Machine): Promise<Provided> {
  const here = await firstThatWorks(machine);
  if (here !== null) return { ok: true, path: here };
  machine.print("There is no Chromium here yet: downloading Playwright's own.");
  const downloaded = (await machine.download()) ? await firstThatWorks(machine) : null;
  if (downloaded !== null) return { ok: true, path: downloaded };
  if (machine.install === null) return none("Debian's package may only be installed by root or with sudo");
  machine.print("That does not work here: installing Debian's package chromium.");
  const installed = (await machine.install()) ? await firstThatWorks(machine) : null;
  return installed === null ? none("Debian's package did not help") : { ok: true, path: installed };
}

const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const USUAL = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'];
const DOWNLOADED = ['chromium_headless_shell-*/*/*headless*shell', 'chromium-*/chrome-linux*/chrome'];

/** Every Chromium that is found: the configured one, on the path, in usual places, Playwright's own. */
export function chromiumCandidates(env: Record<string, string | undefined> = process.env): string[] {
  const own = env['PLAYWRIGHT_BROWSERS_PATH'] || join(env['HOME'] || homedir(), '.cache', 'ms-playwright');
  const downloaded = existsSync(own)
    ? DOWNLOADED.flatMap((glob) =>
        [...new Bun.Glob(glob).scanSync({ cwd: own, absolute: true })].sort().reverse(),
      )
    : [];
  const found = [
    env['CHROMIUM_PATH'],
    ...NAMES.map((name) => Bun.which(name, { PATH: env['PATH'] ?? '' })),
    ...USUAL.flatMap((folder) => NAMES.map((name) => join(folder, name))),
    ...downloaded,
  ];
  return [...new Set(found)].filter((path): path is string => Boolean(path) && existsSync(path ?? ''));
}

const exitCodeOf = (command: string[], stdio: 'ignore' | 'inherit', timeout: number): Promise<number> => {
  try {
    return Bun.spawn(command, {
      cwd: dirname(import.meta.dir),
      stdin: 'ignore',
      stdout: stdio,
      stderr: stdio,
      timeout,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).exited;
  } catch {
    // The file is not a program that can run.
    return Promise.resolve(-1);
  }
};

/** Names of Debian's package; the shell has its own package since release 12. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];
const FONTS = ['fonts-liberation', 'fonts-dejavu-core'];
const MINUTE = 60_000;

async function asRoot(): Promise<string[] | null> {
  if (process.getuid?.() === 0) return [];
  if (!Bun.which('sudo')) return null;
  return (await exitCodeOf(['sudo', '-n', 'true'], 'ignore', MINUTE)) === 0 ? ['sudo', '-n'] : null;
}

export async function thisMachine(): Promise<Machine> {
  const root = Bun.which('apt-get') ? await asRoot() : null;
  const install = async (): Promise<boolean> => {
    if (root === null) return false;
    const apt = [...root, 'apt-get', '-qq'];
    const updated = await exitCodeOf([...apt, 'update'], 'inherit', 10 * MINUTE);
    if (updated !== 0) return false;
    const rest = ['install', '-y', '--no-install-recommends', ...FONTS];
    for (const browser of PACKAGES)
      if ((await exitCodeOf([...apt, ...rest, browser], 'inherit', 20 * MINUTE)) === 0) return true;
    return false;
  };
  const playwright = join('node_modules', 'playwright-core', 'cli.js');
  return {
    candidates: () => chromiumCandidates(),
    works: async (path) => (await exitCodeOf([path, '--version'], 'ignore', MINUTE)) === 0,
    download: async () =>
      (await exitCodeOf(
        [process.execPath, playwright, 'install', 'chromium', '--only-shell'],
        'inherit',
        20 * MINUTE,
      )) === 0,
    install: root === null ? null : install,
    print: (line) => console.log(line),
  };
}

if (import.meta.main) {
  const provided = await provideChromium(await thisMachine());
  if (provided.ok) console.log(`The browser is ${provided.path}.`);
  else console.error(provided.error);
  process.exit(provided.ok ? 0 : 1);
}
