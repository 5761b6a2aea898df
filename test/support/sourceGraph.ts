import { dirname, join, normalize, relative } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

/** One source file: its code without comments and types, and its value imports. */
export type SourceFile = {
  /** Relative to the project, with `/`. */
  path: string;
  code: string;
  /** Project files it imports as values, relative to the project; packages as written. */
  imports: string[];
  /** The same with type-only imports. */
  allImports: string[];
};

export type Rule = (from: string, to: string) => string | null;

export async function readSources(root: string, folders: readonly string[]): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const folder of folders) {
    const glob = new Bun.Glob(`${folder}/**/*.{ts,tsx}`);
    for await (const path of glob.scan({ cwd: root, onlyFiles: true })) {
      files.push(parseSource(path, await Bun.file(join(root, path)).text()));
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const ROOMS = Object.entries(packageJson.imports).map(
  ([name, folder]) => [name.replace('*', ''), folder.slice(2).replace('*', '')] as const,
);

/** The path of an imported file, relative to the project; the name of a package as written. */
function wholePath(importer: string, target: string): string {
  if (target.startsWith('.')) return relative('', normalize(join(dirname(importer), target)));
  const room = ROOMS.find(([name]) => target.startsWith(name));
  return room ? target.replace(...room) : target;
}

/** @param path relative to the project */
export function parseSource(path: string, text: string): SourceFile {
  const transpiler = new Bun.Transpiler({ loader: path.endsWith('x') ? 'tsx' : 'ts' });
  const resolve = (target: string): string => wholePath(path, target);
  // The transpiler drops type-only imports: they cost nothing at run time.
  const imports = transpiler.scanImports(text).map(({ path: target }) => resolve(target));
  const written = [...text.matchAll(/^(?:import|export) [^;]*?from '([^']+)'/gm)];
  const allImports = [...new Set([...imports, ...written.map(([, target = '']) => resolve(target))])];
  const code = transpiler.transformSync(text);
  return { path, code, imports, allImports };
}

/** Every import that the rule refuses, as one sentence each. @param which value imports only, or type imports too */
export function brokenRules(
  files: readonly SourceFile[],
  rule: Rule,
  which: 'values' | 'with types' = 'values',
): string[] {
  return files.flatMap(({ path, imports, allImports }) =>
    (which === 'values' ? imports : allImports).flatMap((target) => {
      const reason = rule(path, target);
      return reason === null ? [] : [`${path} imports ${target}: ${reason}`];
    }),
  );
}

/** The files at these paths and all they import, directly or indirectly. */
export function reachableFrom(files: readonly SourceFile[], paths: readonly string[]): SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found = new Map<string, SourceFile>();
  const visit = (path: string): void => {
    const file = byPath.get(path);
    if (!file || found.has(path)) return;
    found.set(path, file);
    for (const target of file.imports) visit(target);
  };
  for (const path of paths) visit(path);
  return [...found.values()];
}

/** Import cycles between files, each once, written as a path. */
export function findCycles(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) cycles.push([...trail.slice(at), path].join(' → '));
    if (at >= 0 || done.has(path)) return;
    for (const target of byPath.get(path)?.imports ?? []) {
      if (byPath.has(target)) visit(target, [...trail, path]);
    }
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return cycles;
}

/** Places where the code matches, as `path: match`, outside the allowed files. */
export function findUses(
  files: readonly SourceFile[],
  pattern: RegExp,
  allowed: readonly string[] = [],
): string[] {
  const every = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`);
  return files
    .filter(({ path }) => !allowed.includes(path))
    .flatMap(({ path, code }) => [...code.matchAll(every)].map(([match]) => `${path}: ${match}`));
}
