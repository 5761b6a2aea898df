import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { functionLengths } from '../support/functionLengths.ts';

const root = join(import.meta.dir, '..', '..');

/** Lines that a function may have. */
const LONG = 40;

test(`no function of the product has more than ${LONG} lines, counted with what stands in it`, async () => {
  const tooLong: string[] = [];
  for await (const path of new Bun.Glob('{src,web}/**/*.{ts,tsx}').scan({ cwd: root })) {
    const text = await Bun.file(join(root, path)).text();
    if (text.split('\n').length <= LONG) continue;
    const long = functionLengths(path, text).filter(({ lines }) => lines > LONG);
    tooLong.push(...long.map(({ name }) => `${path} ${name}`));
  }
  // Split those that are named.
  expect(tooLong).toEqual([]);
});

test('a function is counted with what stands in it, by the name of what holds it', () => {
  const code = [
    'const a = () => {',
    '  function b() {',
    '    return 1;',
    '  }',
    '};',
    'const c = {',
    '  d() {},',
    '};',
  ];
  expect(functionLengths('a.ts', code.join('\n'))).toEqual([
    { path: 'a.ts', name: 'a', lines: 5 },
    { path: 'a.ts', name: 'b', lines: 3 },
    { path: 'a.ts', name: 'd', lines: 1 },
  ]);
});
