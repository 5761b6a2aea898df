import type { SourceFile } from '#support/sourceGraph.ts';

export type Reached = { path: string; distance: number };

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

/**
 * The test files that run changed code, the nearest first.
 * @param files of the whole project
 * @param changed paths, relative to the project
 */
export function testsThatReach(files: readonly SourceFile[], changed: readonly string[]): Reached[] {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of files) {
    for (const target of imports) importers.set(target, [...(importers.get(target) ?? []), path]);
  }
  const distances = new Map(changed.map((path) => [path, 0]));
  // Iterating a map includes entries added during the loop.
  for (const [path, distance] of distances) {
    for (const importer of importers.get(path) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  const known = new Set(files.map(({ path }) => path));
  return [...distances]
    .filter(([path]) => isTest(path) && known.has(path))
    .map(([path, distance]) => ({ path, distance }))
    .sort((a, b) => a.distance - b.distance || (a.path < b.path ? -1 : 1));
}

/** Estimate for files without a measurement, as in a new clone; component tests take longer. */
const usualSeconds = (path: string): number => (path.endsWith('.tsx') ? 3 : 1);

/**
 * As many of the nearest tests as fit into the time. Tests that changed always run.
 * @param seconds of each file's last run
 * @param budget s
 */
export function thatFit(
  reached: readonly Reached[],
  seconds: Readonly<Record<string, number>>,
  budget: number,
): string[] {
  let left = budget;
  return reached
    .filter(({ path, distance }) => {
      const takes = seconds[path] ?? usualSeconds(path);
      if (distance > 0 && takes > left) return false;
      left -= takes;
      return true;
    })
    .map(({ path }) => path);
}
