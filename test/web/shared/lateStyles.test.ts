import { afterEach, beforeEach, expect, test } from 'bun:test';
import { dirname, join } from 'node:path';
import { isLoadFailure } from '../../../web/app/failure/isLoadFailure.ts';
import { withStyles } from '../../../web/shared/lateStyles.ts';

const ADDRESS = '/assets/late-1.css';
const { dataset } = document.documentElement;
const { append } = document.head;
let linked: Element[] = [];

beforeEach(() => {
  linked = [];
  // The sheet itself stays out: there is no server to ask for it.
  document.head.append = (...nodes) => {
    for (const node of nodes) if (node instanceof Element) linked.push(node);
  };
});
afterEach(() => {
  document.head.append = append;
  delete dataset.lateStyles;
});

test('code that came waits for its styles, which are linked once; those that failed are asked for again', async () => {
  dataset.lateStyles = ADDRESS;
  const failed = withStyles(Promise.resolve('code'));
  linked[0]?.dispatchEvent(new Event('error'));
  const problem: unknown = await failed.catch((error: unknown) => error);
  expect(isLoadFailure(problem)).toBe(true);

  let shown: string | null = null;
  const first = withStyles(Promise.resolve('code')).then((code) => {
    shown = code;
  });
  const second = withStyles(Promise.resolve('more'));
  await Promise.resolve();
  expect(linked.map((element) => element.getAttribute('href'))).toEqual([ADDRESS, ADDRESS]);
  expect(shown).toBeNull();
  linked[1]?.dispatchEvent(new Event('load'));
  await first;
  expect(shown as string | null).toBe('code');
  expect(await second).toBe('more');
  expect(linked).toHaveLength(2);
});

test('what stands on the page first fetches components with their styles alone', async () => {
  const root = join(import.meta.dir, '..', '..', '..');
  const scanners = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) };
  const bare: string[] = [];
  const seen = new Set<string>();
  const visit = async (path: string): Promise<void> => {
    if (seen.has(path) || !/^.*\/web\/.*\.tsx?$/.test(path)) return;
    seen.add(path);
    const source = await Bun.file(path).text();
    // The screens are wrapped where they are all made.
    const fetched = path.endsWith('/app/screens.tsx')
      ? []
      : source.matchAll(/(withStyles\(\s*)?import\(\s*'([^']+\.tsx)'/g);
    for (const [, styled, file] of fetched) if (styled === undefined) bare.push(`${path}: ${file}`);
    const scanner = scanners[path.endsWith('x') ? 'tsx' : 'ts'];
    const imports = scanner.scanImports(source).filter(({ kind }) => kind === 'import-statement');
    for (const one of imports) await visit(join(dirname(path), one.path));
  };
  await visit(join(root, 'web', 'main.tsx'));
  await visit(join(root, 'src', 'subjects', 'scanners', 'web', 'ScannerPage.tsx'));
  expect(seen.size).toBeGreaterThan(100);
  expect(bare).toEqual([]);
});
