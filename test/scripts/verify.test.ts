import { expect, test } from 'bun:test';
import packageJson from '../../package.json' with { type: 'json' };
import { chooseSteps } from '#scripts/verify.ts';
import { root } from '../support/guides.ts';

const named = (steps: readonly { name: string }[]) => steps.map(({ name }) => name);

/** The files in `test` that `chooseSteps` runs: from the paths and patterns of a command or package.json script. */
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

test('bun run verify and its fault tests run each test file once', () => {
  const files = [...new Bun.Glob('test/**/*.{test,e2e}.{ts,tsx}').scanSync({ cwd: root })];
  expect([...testsRun([]), ...testsRun(['--drills'])].sort()).toEqual(files.sort());
  expect(testsRun([]).filter((path) => /executable|liveRelays|Kills|browser\//.test(path))).toEqual([]);
});

test('bun run verify and its fault tests skip browser tests only with the flag, and list skipped steps', () => {
  expect(chooseSteps([]).leftOut).toEqual([]);
  expect(chooseSteps(['--no-browser']).leftOut).toEqual(['browser', 'journeys']);
  expect(chooseSteps(['--drills', '--no-browser']).leftOut).toEqual(['browser', 'browser tests']);
  expect(named(chooseSteps(['--no-browser']).steps)).toEqual(named(chooseSteps([]).steps).slice(1, -1));
  expect(() => chooseSteps(['--no-tests'])).toThrow('"--no-tests"');
});
