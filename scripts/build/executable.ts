import { basename, join } from 'node:path';
import type { Build } from 'bun';
import { WORKER_MODULES } from '#lib/workers.ts';
import { readMigrations } from '#platform/db/migrations.ts';

export type ExecutableOptions = {
  root: string;
  /** The program's first module; the server's own if omitted. */
  entrypoint?: string;
  outfile: string;
  /** The built web application, which is embedded under its folder's name. */
  webFolder: string;
  commit: string;
  branch?: string | null;
  target?: Build.CompileTarget;
};

/**
 * Factor by which just-in-time compilation is delayed. A start runs most code once, and compiled code stays in memory:
 * this saves some 10 MB with 20 indicator columns. Commands reset it (src/main.ts), because each has one task.
 */
const COMPILE_LATER = 8;

const releaseKey = (root: string): Promise<string> =>
  Bun.file(join(root, 'release-key.pub'))
    .text()
    .catch(() => '');

/** Compiles the server, its workers, its migrations and the web application into one self-contained file. */
export async function buildExecutable({
  root,
  entrypoint = join(root, 'src', 'main.ts'),
  outfile,
  webFolder,
  commit,
  branch = null,
  target,
}: ExecutableOptions): Promise<void> {
  if (basename(webFolder) !== 'web') throw new Error('The server looks for a folder named web.');
  await Bun.build({
    entrypoints: [entrypoint, ...WORKER_MODULES.map((module) => join(root, 'src', `${module}.ts`))],
    // The path of each worker in the executable, whatever the first module is.
    root: join(root, 'src'),
    files: {
      [join(root, 'src/platform/db/migrations.ts')]:
        `export const MIGRATIONS = ${JSON.stringify(readMigrations(join(root, 'migrations')))};`,
    },
    target: 'bun',
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: 'none',
    // Parsed ahead of time, which saves a third of the start.
    bytecode: true,
    format: 'esm',
    // Late imports are read when they are used, which saves two thirds of the supervisor's memory.
    splitting: true,
    define: {
      'process.env.NODE_ENV': '"production"',
      BELLBIRD_BUILD_COMMIT: JSON.stringify(commit),
      BELLBIRD_BUILD_BRANCH: JSON.stringify(branch),
      BELLBIRD_RELEASE_KEY: JSON.stringify(await releaseKey(root)),
    },
    compile: {
      outfile,
      assets: [webFolder],
      autoloadDotenv: false,
      autoloadBunfig: false,
      jitPolicy: COMPILE_LATER,
      ...(target ? { target } : {}),
    },
  });
}
