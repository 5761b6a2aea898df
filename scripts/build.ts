import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildExecutable } from './build/executable.ts';
import { currentBranch, currentCommit, hashInputs } from './build/inputs.ts';
import { buildWeb, type WebReport } from './build/web.ts';

/** Bytes that a browser must download before it can show the first page, compressed with brotli. */
const INITIAL_BUDGET = 107.6 * 1024;

type Stamp = { inputs: string; size: number };

const root = dirname(import.meta.dir);
const dist = join(root, 'dist');
const outfile = join(dist, 'bellbird');
const stampFile = join(dist, 'stamp.json');

/** Builds the web application and the executable. With `--if-stale`, only if an input changed. */
async function main(flags: readonly string[]): Promise<void> {
  const started = performance.now();
  const commit = await currentCommit(root);
  const inputs = await hashInputs(root, commit);
  if (flags.includes('--if-stale') && (await isFresh(inputs))) {
    console.log('dist/bellbird is up to date.');
    return;
  }
  // Built next to the old one and renamed at the end: a running executable cannot be overwritten, and a failed build
  // must not destroy the old one.
  const next = join(dist, `.next-${process.pid}`);
  await mkdir(next, { recursive: true });
  try {
    const webFolder = join(next, 'web');
    const report = await buildWeb({ root, outdir: webFolder, commit });
    printSizes(report);
    const branch = await currentBranch(root);
    await buildExecutable({ root, outfile: join(next, 'bellbird'), webFolder, commit, branch });
    await rm(join(dist, 'web'), { recursive: true, force: true });
    await rename(webFolder, join(dist, 'web'));
    await rename(join(next, 'bellbird'), outfile);
  } finally {
    await rm(next, { recursive: true, force: true });
  }
  const { size } = Bun.file(outfile);
  await Bun.write(stampFile, JSON.stringify({ inputs, size } satisfies Stamp));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`dist/bellbird: ${(size / 1024 / 1024).toFixed(0)} MB, built in ${seconds} s.`);
}

async function isFresh(inputs: string): Promise<boolean> {
  const executable = Bun.file(outfile);
  if (!(await executable.exists())) return false;
  const stamp = (await Bun.file(stampFile)
    .json()
    .catch(() => null)) as Stamp | null;
  return stamp?.inputs === inputs && stamp.size === executable.size;
}

function printSizes({ initial, lazy }: WebReport): void {
  const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`.padStart(9);
  const print = (sizes: Map<string, number>): number => {
    for (const [url, bytes] of sizes) console.log(`  ${kilobytes(bytes)}  ${url}`);
    return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  };
  console.log('Web application, brotli, needed for the first page:');
  const total = print(initial);
  if (lazy.size > 0) {
    console.log('Loaded when needed:');
    print(lazy);
  }
  console.log(`First page: ${kilobytes(total).trim()} of at most ${kilobytes(INITIAL_BUDGET).trim()}.`);
  if (total > INITIAL_BUDGET) {
    throw new Error('The first page is over its budget: load what it does not need with import().');
  }
}

function faultText(fault: unknown): string {
  const { position } = fault instanceof BuildMessage || fault instanceof ResolveMessage ? fault : {};
  return position ? `${position.file}:${position.line}:${position.column}: ${String(fault)}` : String(fault);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof AggregateError ? error.errors.map(faultText).join('\n') : String(error));
  process.exit(1);
}
