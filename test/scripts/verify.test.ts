import { describe, expect, test } from 'bun:test';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { failuresIn } from '../../scripts/check/failures.ts';
import { testsThatReach, thatFit } from '../../scripts/check/reached.ts';
import { mutantsIn, withMutant } from '../../scripts/mutations/mutants.ts';
import { chooseSteps, countTests, runAll } from '../../scripts/verify.ts';
import { root } from '../support/guides.ts';
import { parseSource } from '../support/sourceGraph.ts';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();

/** Steps that note when they begin and end; one named `waits` ends once all that are alongside it have. */
function stage() {
  const path = join(folder(), 'noted');
  appendFileSync(path, '');
  const read = (): string[] => readFileSync(path, 'utf8').trim().split('\n').filter(Boolean);
  const step = (name: string, code = '') => ({
    name,
    command: [
      process.execPath,
      '-e',
      `const { appendFileSync, readFileSync } = require('node:fs');
       const note = (text) => appendFileSync(${JSON.stringify(path)}, text + '\\n');
       const noted = () => readFileSync(${JSON.stringify(path)}, 'utf8');
       note('${name} begins'); ${code}; note('${name} ends');`,
    ],
  });
  return { read, step };
}

test('what is alongside a step runs one after the other while it runs, and the next step after all', async () => {
  const { read, step } = stage();
  const outcomes = await runAll([
    step('long', "while (!noted().includes('second ends')) await Bun.sleep(5)"),
    { ...step('first'), alongside: true },
    { ...step('second'), alongside: true },
    step('last'),
  ]);
  const order = read();
  expect(order.filter((line) => !line.startsWith('long'))).toEqual(
    ['first', 'second', 'last'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
  expect(order.indexOf('long ends')).toBeLessThan(order.indexOf('last begins'));
  expect(outcomes.map(({ step: { name }, ok }) => [name, ok])).toEqual(
    ['long', 'first', 'second', 'last'].map((name) => [name, true]),
  );
});

test('a failure alongside is one, and only what needs the step is left out', async () => {
  const { read, step } = stage();
  const outcomes = await runAll([
    step('one'),
    { ...step('broken', 'console.error("what is broken"); process.exit(3)'), alongside: true },
    { ...step('needing'), needs: ['broken'] },
    step('other'),
    { ...step('needing too'), needs: ['broken'], alongside: true },
  ]);
  expect(outcomes.map(({ ok, skipped }) => [ok, skipped])).toEqual([
    [true, false],
    [false, false],
    [false, true],
    [false, true],
    [true, false],
  ]);
  expect(outcomes.map(({ failures }) => failures)).toEqual([[], ['what is broken'], [], [], []]);
  expect(read().filter((line) => line.startsWith('needing'))).toEqual([]);
  expect(read()).toContain('other ends');
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
});

const mutated = (source: string, path = 'a.ts'): string[] =>
  mutantsIn(path, source).map((mutant) => withMutant(source, mutant));

test('each operator, condition, value and statement gives a fault of its own', () => {
  expect(mutated('const a = b < c;')).toEqual(['const a = b <= c;']);
  expect(mutated('a(!b && c);').toSorted()).toEqual(['a(!b || c);', 'a(b && c);', '{}'].toSorted());
  expect(mutated('if (a) b = 1;')).toEqual(['if (!(a)) b = 1;', 'if (a) b = 2;']);
  expect(mutated('const a = <B on={true} />;', 'a.tsx')).toEqual(['const a = <B on={false} />;']);
});

test('texts that are joined, types and imports give none', () => {
  const source = "import { a } from 'b';\ntype C = 1 | true;\nconst d: 2 = a;\nconst e = 'f' + a + 'g';";
  expect(mutated(source)).toEqual([]);
});

test('the operator is found behind a comment that names it too', () => {
  expect(mutated('const a = (b) /* < */ < c;')).toEqual(['const a = (b) /* < */ <= c;']);
});

const files = [
  parseSource('src/rule.ts', 'export const rule = 1;'),
  parseSource('src/service.ts', "import { rule } from './rule.ts';\nexport const service = rule;"),
  parseSource('src/other.ts', 'export const other = 1;'),
  parseSource('test/rule.test.ts', "import { rule } from '../src/rule.ts';\nconsole.log(rule);"),
  parseSource('test/service.test.ts', "import { service } from '../src/service.ts';\nconsole.log(service);"),
  parseSource('test/other.test.ts', "import { other } from '../src/other.ts';\nconsole.log(other);"),
];

describe('the tests that a change reaches', () => {
  test('are those that run the changed file, through others too, the nearest first', () => {
    expect(testsThatReach(files, ['src/rule.ts'])).toEqual([
      { path: 'test/rule.test.ts', distance: 1 },
      { path: 'test/service.test.ts', distance: 2 },
    ]);
  });

  test('include a changed file of tests, and not one that is gone', () => {
    expect(testsThatReach(files, ['test/other.test.ts', 'test/gone.test.ts', 'README.md'])).toEqual([
      { path: 'test/other.test.ts', distance: 0 },
    ]);
  });
});

test('of many as many run as fit into the time, changed ones always', () => {
  const reached = [
    { path: 'changed', distance: 0 },
    { path: 'slow', distance: 1 },
    { path: 'quick', distance: 2 },
    { path: 'unknown', distance: 2 },
  ];
  const seconds = { changed: 8, slow: 5, quick: 1 };
  expect(thatFit(reached, seconds, 10)).toEqual(['changed', 'quick', 'unknown']);
  expect(thatFit(reached, seconds, 1)).toEqual(['changed']);
  expect(thatFit(reached, seconds, 100)).toHaveLength(4);
});

const named = (steps: readonly { name: string }[]) => steps.map(({ name }) => name);

/** What `chooseSteps` runs of `test`: paths and patterns of a command, or of the script of package.json that it runs. */
function testsRun(flags: readonly string[]): string[] {
  const scripts: Record<string, string> = packageJson.scripts;
  const words = chooseSteps(flags).steps.flatMap(({ command }) =>
    command.flatMap((word, at) => (command[at - 1] === 'run' ? (scripts[word] ?? '').split(' ') : word)),
  );
  const asPath = (word: string): string => (/^(journeys|browser)\/$/.test(word) ? `test/${word}` : word);
  const targets = words.map(asPath).filter((word) => /^(\.\/)?test\/(?!support\/)/.test(word));
  return targets.flatMap((target) => {
    const path = target.replace(/^\.\//, '').replace(/\/$/, '');
    const pattern = /\.tsx?$/.test(path) ? path : `${path}/**/*.{test,e2e}.{ts,tsx}`;
    return [...new Bun.Glob(pattern).scanSync({ cwd: root })];
  });
}

describe('bun run verify, and its drills', () => {
  test('run each file of tests, once', () => {
    const files = [...new Bun.Glob('test/**/*.{test,e2e}.{ts,tsx}').scanSync({ cwd: root })];
    expect([...testsRun([]), ...testsRun(['--drills'])].sort()).toEqual(files.sort());
    expect(testsRun([]).filter((path) => /executable|liveRelays|Kills|browser\//.test(path))).toEqual([]);
  });

  test('leave out what needs a browser only when told to, and know what they left out', () => {
    expect(chooseSteps([]).leftOut).toEqual([]);
    expect(chooseSteps(['--no-browser']).leftOut).toEqual(['browser', 'journeys']);
    expect(chooseSteps(['--drills', '--no-browser']).leftOut).toEqual(['browser', 'browser tests']);
    expect(named(chooseSteps(['--no-browser']).steps)).toEqual(named(chooseSteps([]).steps).slice(1, -1));
    expect(() => chooseSteps(['--no-tests'])).toThrow('"--no-tests"');
  });
});
