import { afterAll, describe, expect, test } from 'bun:test';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { resolveBreakpoints, resolveLineHeights } from '../../scripts/stylesPlugin.ts';
import { currentCommit, hashInputs } from '../../scripts/build/inputs.ts';
import { transformSignals } from '../../scripts/signalsPlugin.ts';
import { failuresIn, reasonIn } from '../../scripts/check/failures.ts';
import { countTests, skipsIn } from '../../scripts/verify.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function projectWith(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'bellbird-tooling-'));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await Bun.write(join(root, path), text);
  }
  return root;
}

describe('what decides whether a build is stale', () => {
  const files = { 'src/main.ts': 'a', 'web/main.tsx': 'b', 'migrations/1.sql': 'c', 'bun.lock': 'd' };

  test('the same contents give the same hash, wherever and whenever they were written', async () => {
    const [here, there] = [await projectWith(files), await projectWith(files)];
    expect(await hashInputs(here, 'x')).toBe(await hashInputs(there, 'x'));
  });

  test('any input, its name, and the commit change it; other files do not', async () => {
    const base = await hashInputs(await projectWith(files), 'x');
    const changes: Record<string, string>[] = [
      { 'src/main.ts': 'changed' },
      { 'web/styles/new.css': '' },
      { 'migrations/2.sql': 'e' },
      { 'bun.lock': 'changed' },
    ];
    for (const change of changes) {
      expect(await hashInputs(await projectWith({ ...files, ...change }), 'x')).not.toBe(base);
    }
    expect(await hashInputs(await projectWith(files), 'y')).not.toBe(base);
    const moved = { ...files, 'src/other.ts': 'a', 'src/main.ts': '' };
    expect(await hashInputs(await projectWith(moved), 'x')).not.toBe(base);
    const unrelated = { ...files, 'README.md': 'new', 'test/a.test.ts': 'new', 'data/bellbird.db': 'new' };
    expect(await hashInputs(await projectWith(unrelated), 'x')).toBe(base);
  });

  test('outside a checkout a build is known by its contents', async () => {
    const here = await currentCommit(await projectWith(files));
    expect(here).toMatch(/^source-[0-9a-f]{12}$/);
    expect(await currentCommit(await projectWith(files))).toBe(here);
    expect(await currentCommit(await projectWith({ ...files, 'src/main.ts': 'changed' }))).not.toBe(here);
  });
});

describe('counting tests', () => {
  test('adds up several runs, with and without colours, and nothing else', () => {
    const first = 'expected 3 pass\n 19 pass\n 2 skip\n 1 todo\n 0 fail\n 54 expect() calls\n';
    const second = '\u001b[32m 7 pass\u001b[0m\n\u001b[31m 3 fail\u001b[0m\n(pass) 9 pass\n';
    expect(countTests(first + second)).toEqual({ pass: 26, fail: 3, skip: 3 });
    expect(countTests('')).toEqual({ pass: 0, fail: 0, skip: 0 });
  });

  test('gives what was printed of each failed test, and neither of others nor twice', () => {
    const run =
      '(pass) one [1.00ms]\nerror: \u001b[31mnot two\u001b[0m\n  at b.test.ts:2\n(fail) two [2.00ms]\n' +
      '(pass) three\n\n1 tests failed:\n(fail) two [2.00ms]\n\n 2 pass\n 1 fail\nRan 3 tests\n';
    const failure = 'error: not two\n  at b.test.ts:2\n(fail) two [2.00ms]';
    expect(failuresIn(run)).toEqual([failure]);
    expect(failuresIn(run + run)).toEqual([failure, failure]);
    const long = `${'a line\n'.repeat(500)}(fail) long\n`;
    expect(failuresIn(long)[0]?.split('\n')).toHaveLength(60);
    expect(failuresIn('(pass) one\n 1 pass\n 0 fail\n')).toEqual([]);
  });

  test('says in a few lines why a test failed, and where in its own file', () => {
    const place = (path: string) => `      at <anonymous> (/a/project/test/${path}:143:18)`;
    const lines = [
      '31 |   await box.waitFor();',
      '       ^',
      'error: expect(received).toBe(expected)',
      '',
      'Expected: true',
      'Received: false',
      '',
      place('support/stage.ts'),
      place('browser/palette.e2e.ts'),
      '(fail) Ctrl+K [7.40ms]',
    ];
    expect(reasonIn(lines.join('\n'))).toEqual([
      '(fail) Ctrl+K [7.40ms]',
      '  error: expect(received).toBe(expected)',
      '  Expected: true',
      '  Received: false',
      '  at <anonymous> (/a/project/test/browser/palette.e2e.ts:143:18)',
    ]);
  });

  test('of a long comparison it says what differs, and of an error of another name its first lines', () => {
    const alike = Array.from({ length: 40 }, (_, index) => `      "alike": ${index},`);
    const long = [
      'error: expect(received).toEqual(expected)',
      '  [',
      ...alike,
      '-   "one",',
      '+   "two",',
      '  ]',
    ];
    expect(reasonIn([...long, '- Expected  - 1', '+ Received  + 1', '(fail) long'].join('\n'))).toEqual([
      '(fail) long',
      '  error: expect(received).toEqual(expected)',
      '  -   "one",',
      '  +   "two",',
      '  - Expected  - 1',
      '  + Received  + 1',
    ]);
    const timeout = ['TimeoutError: Evaluate: 90000ms', 'Call log:', ...Array(9).fill('- waiting for a row')];
    expect(reasonIn([...timeout, '(fail) late'].join('\n'))).toEqual([
      '(fail) late',
      '  TimeoutError: Evaluate: 90000ms',
      '  - waiting for a row',
      ...Array(4).fill('  - waiting for a row'),
    ]);
    expect(reasonIn('It broke before it could say anything.')).toEqual([]);
  });

  test('gives what was printed of an error between tests, before a test and at the end', () => {
    const error = (name: string): string => `# Unhandled error between tests\n---\nerror: ${name}\n---`;
    const run = `a.test.ts:\n${error('one')}\n(pass) first\n(pass) second\n${error('two')}\n\n 2 pass\n 2 fail\n`;
    expect(failuresIn(run)).toEqual([`a.test.ts:\n${error('one')}\n(pass) first`, error('two')]);
  });
});

test('the signals transform reaches components and hooks, and leaves other code alone', async () => {
  const code = await transformSignals(
    `import { signal } from '@preact/signals-react';
     const count = signal<number>(1);
     export function Probe() { return <b>{count.value}</b>; }
     export const useProbe = (): number => count.value;
     export const helper = (): number => count.value;`,
    'web/Probe.tsx',
  );
  expect(code.match(/_useSignals\(\d\)/g)).toHaveLength(2);
  expect(code).toMatch(/helper = \(\): number => count\.value/);
  const plain = 'export const one: number = 1;';
  expect(await transformSignals(plain, 'web/plain.ts')).toBe(plain);
});

test('named breakpoints become media queries; a name that does not exist is refused', () => {
  const style = (name: string) => `.a { @media (${name}) and (hover) { color: red } }`;
  expect(resolveBreakpoints(style('--phone'), 'a.css')).toContain('@media (max-width: 640px) and (hover)');
  expect(resolveBreakpoints('.a { width: var(--phone) }', 'a.css')).toBe('.a { width: var(--phone) }');
  expect(() => resolveBreakpoints(style('--tiny'), 'a.css')).toThrow('a.css: there is no breakpoint --tiny.');
});

test('named line heights become pixels; a name that does not exist is refused', () => {
  const style = (name: string) => `.a { --row-height: env(${name}) }`;
  expect(resolveLineHeights(style('--touch-row'), 'a.css')).toBe('.a { --row-height: 41px }');
  expect(resolveLineHeights(style('safe-area-inset-top'), 'a.css')).toBe(style('safe-area-inset-top'));
  expect(() => resolveLineHeights(style('--tall-row'), 'a.css')).toThrow(
    'a.css: there is no line height --tall-row.',
  );
});

test('what was skipped is named, as its name says why', () => {
  const text =
    '(pass) one [1.00ms]\n(skip) days: skipped, as they are absent\n(fail) three\n 1 skip\n\n1 test skipped:\n(skip) days: skipped, as they are absent\n';
  expect(skipsIn(text)).toEqual(['days: skipped, as they are absent']);
});
