import { basename, join } from 'node:path';
import type { Build } from 'bun';
import { readMigrations } from '#platform/db/migrations.ts';

export type ExecutableOptions = {
  root: string;
  /** The program's first module; the server's own when left out. */
  entrypoint?: string;
  /** Where the executable is written; its folder exists. */
  outfile: string;
  /** The built web application, embedded whole under its folder's name. */
  webFolder: string;
  commit: string;
  /** The branch that is checked out; null in a release. */
  branch?: string | null;
  /** Another machine's kind; without it, this machine's. */
  target?: Build.CompileTarget;
};

/**
 * How many times as often code has to run before it is compiled. A start runs most code once, and what a server compiles
 * it keeps: some 10 MB less with 20 indicator columns. Commands take it back (src/main.ts): each has one thing to do.
 */
const COMPILE_LATER = 8;

/** The public key that stands in the repository; '' where there is none. */
const releaseKey = (root: string): Promise<string> =>
  Bun.file(join(root, 'release-key.pub'))
    .text()
    .catch(() => '');

/** Compiles the server, its migrations and the web application into one file that needs nothing beside it. */
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
    entrypoints: [entrypoint],
    files: {
      [join(root, 'src/platform/db/migrations.ts')]:
        `export const MIGRATIONS = ${JSON.stringify(readMigrations(join(root, 'migrations')))};`,
    },
    target: 'bun',
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: 'none',
    // Parsed ahead of time, so that a start takes two thirds of the time.
    bytecode: true,
    format: 'esm',
    // What is imported when it is needed is read then: the parent of the server holds a third of what it did.
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
      // A folder that somebody happens to start it in must not change what it does.
      autoloadDotenv: false,
      autoloadBunfig: false,
      jitPolicy: COMPILE_LATER,
      ...(target ? { target } : {}),
    },
  });
}
