import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type TimedTest = { file: string; name: string; seconds: number };

/** Times measured on this machine by every `bun run verify`. */
const FILE = join('node_modules', '.cache', 'test-seconds.json');

/**
 * Reads the time of every test in the output of `bun test`: a line with the file's path, then its tests with
 * milliseconds.
 */
export function timesIn(text: string): TimedTest[] {
  const tests: TimedTest[] = [];
  let file = '';
  for (const line of Bun.stripANSI(text).split('\n')) {
    const [, path] = /^(?:\.\/)?(test\/[^ :]{1,200}\.tsx?):$/.exec(line) ?? [];
    if (path !== undefined) file = path;
    const [, name, ms] = /^\((?:pass|fail)\) (.{1,500}) \[(\d{1,9}\.\d{2})ms\]$/.exec(line) ?? [];
    if (name !== undefined) tests.push({ file, name, seconds: Number(ms) / 1000 });
  }
  return tests;
}

export function secondsByFile(tests: readonly TimedTest[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { file, seconds } of tests) sums[file] = (sums[file] ?? 0) + seconds;
  return sums;
}

export const slowest = (tests: readonly TimedTest[], count: number): string[] =>
  tests
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, name, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${file}: ${name.slice(0, 100)}`);

export async function keepTimes(root: string, tests: readonly TimedTest[]): Promise<void> {
  const path = join(root, FILE);
  await mkdir(dirname(path), { recursive: true });
  await Bun.write(path, JSON.stringify({ ...(await keptTimes(root)), ...secondsByFile(tests) }));
}

export async function keptTimes(root: string): Promise<Record<string, number>> {
  const file = Bun.file(join(root, FILE));
  if (!(await file.exists())) return {};
  return (await file.json()) as Record<string, number>;
}
