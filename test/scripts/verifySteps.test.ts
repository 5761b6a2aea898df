import { describe, expect, test } from 'bun:test';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseSteps, runAll } from '../../scripts/verify.ts';
import packageJson from '../../package.json';
import { root } from '../support/guides.ts';
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
