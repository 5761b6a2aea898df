import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trial } from '#platform/install/shared/processControl.ts';
import { readUpdateState, type UpdateState } from '#platform/install/shared/updateState.ts';
import { createTestApp, type TestAppOptions } from './testApp.ts';
import { waitUntil } from './waitUntil.ts';

const IDENTITY = { GIT_AUTHOR_NAME: 'Tess', GIT_AUTHOR_EMAIL: 'tess@example.com' };
const COMMITTER = { GIT_COMMITTER_NAME: 'Tess', GIT_COMMITTER_EMAIL: 'tess@example.com' };

/** Runs git and returns its output. @throws with its error output if it fails */
export function git(folder: string, ...args: string[]): string {
  const env = { ...process.env, ...IDENTITY, ...COMMITTER, GIT_CONFIG_GLOBAL: '/dev/null' };
  const run = Bun.spawnSync(['git', '-c', 'init.defaultBranch=main', ...args], { cwd: folder, env });
  if (run.exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${run.stderr.toString()}`);
  return run.stdout.toString().trim();
}

/** The reaction of a small product’s executable to `check`. */
export type Behaviour = {
  /** The migrations that it reports as pending. */
  migrations?: number;
  checkExit?: number;
  /** The build ends with this instead of creating a file. */
  buildFailure?: string;
  /** The build creates a file named `building` here and waits until it is removed. */
  holdIn?: string;
  /** A commit that the executable reports instead of its own. */
  claims?: string;
  /** The executable is a copy of this one that reports its own commit. */
  copyOf?: { path: string; commit: string };
  /** What a shell does before the copy runs as a server. */
  asServer?: string;
};

/** The state of an update to version 2, on trial. */
export const anUpdateState = (more: Partial<UpdateState> = {}): UpdateState => ({
  id: 'an update',
  startedAt: 1,
  by: 'admin',
  executable: '/x',
  previous: null,
  from: { version: '1', commit: 'old' },
  to: { version: '2', commit: 'new' },
  migrations: 1,
  database: null,
  checkout: null,
  phase: 'trial',
  starts: 0,
  steps: [],
  failure: null,
  logTail: [],
  ...more,
});

/** Builds a shell script that answers `check --json` and reports its version. */
const BUILD = `
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const behaviour = JSON.parse(readFileSync('behaviour.json', 'utf8'));
if (Object.keys(process.env).some((name) => name.startsWith('BELLBIRD_'))) throw new Error('a setting leaked');
if (behaviour.holdIn) {
  writeFileSync(behaviour.holdIn + '/building', String(process.pid));
  while (existsSync(behaviour.holdIn + '/building')) await Bun.sleep(5);
}
if (behaviour.buildFailure) {
  console.error(behaviour.buildFailure);
  process.exit(1);
}
const commit = behaviour.claims ?? Bun.spawnSync(['git', 'rev-parse', 'HEAD']).stdout.toString().trim();
const report = JSON.stringify({ version: '1.0.0', commit, migrations: behaviour.migrations ?? 0 });
mkdirSync('dist', { recursive: true });
writeFileSync('dist/stamp.json', JSON.stringify({ inputs: commit }));
if (behaviour.copyOf) {
  const { path, commit: other } = behaviour.copyOf;
  const bytes = readFileSync(path);
  for (let at = bytes.indexOf(other); at >= 0; at = bytes.indexOf(other, at)) bytes.write(commit, at);
  const { asServer = ':', migrations } = behaviour;
  const isWrapped = [behaviour.asServer, migrations].some((given) => given !== undefined);
  const copy = isWrapped ? process.env.HOME + '/' + commit : 'dist/bellbird';
  writeFileSync(copy, bytes, { mode: 0o755 });
  const claim = '"' + copy + '" "$@" | sed \\'s/"migrations":0/"migrations":' + migrations + '/\\'; exit';
  const check = migrations === undefined ? ':' : claim;
  const lines = ['#!/bin/sh', 'case "$1" in', 'server)', asServer, ';;', 'check)', check, ';;', 'esac'];
  lines.push('exec "' + copy + '" "$@"', '');
  if (isWrapped) writeFileSync('dist/bellbird', lines.join('\\n'), { mode: 0o755 });
  process.exit(0);
}
writeFileSync('dist/bellbird', "#!/bin/sh\\necho checking >&2\\ncd \\"$TMPDIR\\" && echo '" + report + "'\\nexit " + (behaviour.checkExit ?? 0) + "\\n");
chmodSync('dist/bellbird', 0o755);
`;

/** Writes files and commits them. @returns the commit */
export function commit(folder: string, subject: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', subject);
  return git(folder, 'rev-parse', 'HEAD');
}

const source = (behaviour: Behaviour): Record<string, string> => ({
  'behaviour.json': JSON.stringify(behaviour),
});

/** A product of few files with its origin, and a running checkout of it. */
export function createCheckout(base: string) {
  const origin = join(base, 'origin');
  const folder = join(base, 'checkout');
  mkdirSync(origin, { recursive: true });
  git(origin, 'init', '--quiet');
  const first = commit(origin, 'The first', {
    '.gitignore': '/dist/\n/data/\n/node_modules/\n',
    'package.json': JSON.stringify({ name: 'small', version: '1.0.0' }),
    'scripts/build.ts': BUILD,
    ...source({}),
  });
  git(base, 'clone', '--quiet', origin, folder);
  const executable = join(folder, 'dist', 'bellbird');
  mkdirSync(join(folder, 'dist'));
  writeFileSync(executable, '#!/bin/sh\necho the first\n');
  chmodSync(executable, 0o755);
  return {
    origin,
    folder,
    executable,
    first,
    /** A new commit in the origin, whose executable has this behaviour. */
    publish: (subject: string, behaviour: Behaviour = {}, files: Record<string, string> = {}): string =>
      commit(origin, subject, { ...source(behaviour), ...files }),
    head: (): string => git(folder, 'rev-parse', 'HEAD'),
  };
}

export type UpdateAppOptions = {
  executable: string;
  running: { version: string; commit: string };
  data: string;
  releaseKey?: string;
  env?: Record<string, string>;
  supervisor?: 'parent' | 'none';
  trial?: Trial;
} & Pick<NonNullable<TestAppOptions['runtime']>, 'room'>;

/** The whole server in memory, as the process of an installed executable. */
export function createUpdateApp(options: UpdateAppOptions) {
  const { executable, running, data, releaseKey = null, env = {}, room, trial } = options;
  mkdirSync(data, { recursive: true });
  let restarts = 0;
  const restart = (): void => {
    restarts += 1;
  };
  const app = createTestApp({
    env,
    config: { dataDir: data },
    runtime: {
      about: { pid: 1, startedAt: 0, ...running },
      control: { supervisor: options.supervisor ?? 'parent', restart, ...(trial && { trial }) },
      program: { executable, isStandalone: true, releaseKey, env: process.env },
      ...(room && { room }),
    },
  });
  const isOver = (): boolean =>
    !['preparing', undefined].includes(app.parts.updates.service.state().update?.phase);
  return {
    app,
    data,
    restarts: () => restarts,
    update: () => app.request('POST', '/api/admin/server/update-and-restart', { as: 'admin' }),
    check: () => app.request('POST', '/api/admin/server/update/check', { as: 'admin' }),
    /** The state of the update, as the next process would read it. */
    kept: () => readUpdateState(data),
    /** Waits until the update in this process is over, and returns its state. */
    ended: async (): Promise<UpdateState> => {
      await waitUntil('the end of the update', () => isOver() && !app.parts.updates.service.isRunning());
      const state = readUpdateState(data);
      if (state === null) throw new Error('No update was stored.');
      return state;
    },
    stop: async () => {
      await app.parts.updates.stop();
      app.close();
    },
  };
}

export type UpdateApp = ReturnType<typeof createUpdateApp>;

export const versionOf = (executable: string): string =>
  existsSync(executable) ? readFileSync(executable, 'utf8') : 'there is none';
