import { resolve } from 'node:path';

type Importing = { imports: readonly { path: string; kind: string }[] };

/**
 * The given files and all files that they import statically, directly or indirectly; absolute paths.
 * @param files by path, relative to the working directory
 * @throws Error if one of the roots is missing
 */
export function reachedFrom(
  roots: readonly string[],
  files: Readonly<Record<string, Importing>>,
): Set<string> {
  const imports = new Map(
    Object.entries(files).map(([path, file]) => [
      resolve(path),
      file.imports.filter(({ kind }) => kind !== 'dynamic-import').map((one) => resolve(one.path)),
    ]),
  );
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const next of imports.get(path) ?? []) visit(next);
  };
  for (const root of roots) {
    if (!imports.has(root)) throw new Error(`${root} is not part of the web application.`);
    visit(root);
  }
  return found;
}
