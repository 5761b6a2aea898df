/**
 * Puts small faults into copies of the product, one at a time, and names those that no test finds: five in
 * each part, chosen by a seed. Usage: bun scripts/mutationTest.ts [seed] [how many in each part] [pattern of
 * paths instead of the parts]. Faults that only browser tests or the executable can find are listed too and
 * must be tried with them.
 */
import { types } from '@babel/core';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseSource } from '#support/parseSource.ts';
import { createRandom } from '../src/lib/random.ts';
import { readSources, type SourceFile } from '../test/support/sourceGraph.ts';
import { testsThatReach } from './check/reached.ts';
import { bunTest, byKind, needsExecutable } from './check/testRuns.ts';

/** A small fault: `text` replaces the range from `start` to `end`. */
type Mutant = { start: number; end: number; text: string };

type Node = types.Node;

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};

const COMMENTS = /\/\*[^]*?\*\/|\/\/.*/g;

const isText = (node: Node): boolean =>
  types.isStringLiteral(node) ||
  types.isTemplateLiteral(node) ||
  (types.isBinaryExpression(node) && (isText(node.left) || isText(node.right)));

function mutantsOf(node: Node, source: string): Mutant[] {
  const textOf = ({ start, end }: Node): string => source.slice(start ?? 0, end ?? 0);
  const replaced = ({ start, end }: Node, text: string): Mutant[] => [
    { start: start ?? 0, end: end ?? 0, text },
  ];
  if (types.isBinaryExpression(node) || types.isLogicalExpression(node)) {
    const operator = OPERATORS[node.operator];
    if (operator === undefined || (node.operator === '+' && isText(node))) return [];
    const between = source
      .slice(node.left.end ?? 0, node.right.start ?? 0)
      .replaceAll(COMMENTS, (comment) => ' '.repeat(comment.length));
    const start = (node.left.end ?? 0) + between.indexOf(node.operator);
    return [{ start, end: start + node.operator.length, text: operator }];
  }
  if (types.isUnaryExpression(node, { operator: '!' })) return replaced(node, textOf(node.argument));
  if (types.isIfStatement(node)) return replaced(node.test, `!(${textOf(node.test)})`);
  if (types.isBooleanLiteral(node)) return replaced(node, String(!node.value));
  if (types.isNumericLiteral(node)) return replaced(node, `${node.value + 1}`);
  if (
    types.isExpressionStatement(node) &&
    (types.isCallExpression(node.expression) || types.isAwaitExpression(node.expression))
  )
    return replaced(node, '{}');
  return [];
}

/**
 * Every possible fault in a source text, except in types and imports.
 * @param path its ending shows whether the text has JSX
 */
function mutantsIn(path: string, source: string): Mutant[] {
  const ast = parseSource(path, source);
  const inTypes: { start: number; end: number }[] = [];
  const found: Mutant[] = [];
  types.traverseFast(ast, (node) => {
    if (types.isTypeScript(node) && !types.isExpression(node))
      inTypes.push({ start: node.start ?? 0, end: node.end ?? 0 });
    found.push(...mutantsOf(node, source));
  });
  return found.filter(({ start, end }) => !inTypes.some((type) => type.start <= start && end <= type.end));
}

const withMutant = (source: string, { start, end, text }: Mutant): string =>
  source.slice(0, start) + text + source.slice(end);

const root = dirname(import.meta.dir);

const PARTS: Readonly<Record<string, RegExp>> = {
  rules: /^src\/.*\/rules\//,
  server: /^src\/(market|platform\/http|(subjects|admin)\/\w+\/server)\//,
  screen: /^(web\/(ui|app)|src\/.*\/web)\//,
  stream: /^(src\/platform\/sse|src\/market\/stream|web\/live)\//,
  outbox: /^src\/platform\/(outbox|chatClients|telegram|discord)\//,
  update: /^src\/platform\/install\//,
};

/** Limit of test files; tests that are farther away find a fault only by chance. */
const MOST_FILES = 200;
const AT_A_TIME = 15;

type Chosen = { part: string; path: string; mutant: Mutant };

async function choose(
  files: readonly SourceFile[],
  seed: number,
  count: number,
  parts: Readonly<Record<string, RegExp>>,
): Promise<Chosen[]> {
  const random = createRandom(seed);
  const oneOf = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const chosen: Chosen[] = [];
  for (const [part, pattern] of Object.entries(parts)) {
    const paths = files.map(({ path }) => path).filter((path) => pattern.test(path));
    if (paths.length === 0) throw new Error(`No source file matches ${pattern}.`);
    for (let done = 0; done < count; ) {
      const path = oneOf(paths) ?? '';
      const mutant = oneOf(mutantsIn(path, await Bun.file(join(root, path)).text()));
      if (mutant === undefined) continue;
      chosen.push({ part, path, mutant });
      done += 1;
    }
  }
  return chosen;
}

async function succeeds(command: string[], cwd: string): Promise<boolean> {
  const child = Bun.spawn(command, {
    cwd,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    timeout: 600_000,
  });
  return (await child.exited) === 0;
}

async function findIn(folder: string, tests: readonly string[]): Promise<number | null> {
  for (let from = 0; from < tests.length; from += AT_A_TIME) {
    const some = tests.slice(from, from + AT_A_TIME);
    const runs = byKind(some);
    for (const kind of ['others', 'web'] as const) {
      if (runs[kind].length === 0) continue;
      if (!(await succeeds(bunTest(kind, runs[kind], '--bail=1'), folder))) return from + some.length;
    }
  }
  return null;
}

const lineOf = (source: string, at: number): number => source.slice(0, at).split('\n').length;

async function main(seed: number, count: number, only?: string): Promise<number> {
  const parts = only === undefined ? PARTS : { chosen: new RegExp(only) };
  const folder = await mkdtemp(join(tmpdir(), 'bellbird-mutants-'));
  // Mutates a clone, so that nothing stays in this checkout even if the run is stopped.
  if (!(await succeeds(['git', 'clone', '--quiet', '--shared', root, folder], root)))
    throw new Error(`${root} cannot be cloned.`);
  let unfound = 0;
  try {
    for (const name of ['node_modules', 'dist']) await symlink(join(root, name), join(folder, name));
    const files = await readSources(folder, ['src', 'web', 'scripts', 'test']);
    for (const { part, path, mutant } of await choose(files, seed, count, parts)) {
      const source = await Bun.file(join(folder, path)).text();
      const tests = testsThatReach(files, [path])
        .map((reached) => reached.path)
        .filter((test) => !needsExecutable(test))
        .slice(0, MOST_FILES);
      await Bun.write(join(folder, path), withMutant(source, mutant));
      const ran = await findIn(folder, tests);
      await Bun.write(join(folder, path), source);
      if (ran === null) unfound += 1;
      const was = source.slice(mutant.start, mutant.end).replaceAll(/\s+/g, ' ').slice(0, 80);
      const what = `${path}:${lineOf(source, mutant.start)} ${was} → ${mutant.text.replaceAll(/\s+/g, ' ').slice(0, 80)}`;
      console.log(`${ran === null ? `NOT FOUND (${tests.length} files)` : 'found'} ${part}: ${what}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.log(`${unfound} not found (seed ${seed}).`);
  return unfound === 0 ? 0 : 1;
}

process.exit(await main(Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 5), process.argv[4]));
