import type { SourceFile } from '#support/sourceGraph.ts';

/** A file of tests, and through how many imports it reaches something that was changed; 0 for one that was changed itself. */
export type Reached = { path: string; distance: number };

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

/**
 * The files of tests that run something that was changed, the nearest first.
 *
 * @param files of the whole project
 * @param changed paths, relative to the project
 */
export function testsThatReach(files: readonly SourceFile[], changed: readonly string[]): Reached[] {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of files) {
    for (const target of imports) importers.set(target, [...(importers.get(target) ?? []), path]);
  }
  const distances = new Map(changed.map((path) => [path, 0]));
  // A map goes on with what is added while it is walked.
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

/** What a file takes that was not measured yet, as in a new clone: components take longer. */
const usualSeconds = (path: string): number => (path.endsWith('.tsx') ? 3 : 1);

/**
 * As many of the nearest as fit into a time: those that were changed themselves always, of the others no file that takes
 * longer than is left.
 *
 * @param seconds what each file took last
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
