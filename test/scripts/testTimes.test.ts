import { expect, test } from 'bun:test';
import { keepTimes, keptTimes, secondsByFile, slowest, timesIn } from '../../scripts/check/testTimes.ts';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();

const RUN = [
  'bun test v1.4.5',
  '',
  'test/lib/a.test.ts:',
  '(pass) one [1200.00ms]',
  'something that a test printed',
  '\u001b[31m(fail) group > two\u001b[0m [300.50ms]',
  '(skip) three',
  '',
  'test/web/b.test.tsx:',
  '(pass) with [brackets] [2.00ms]',
  ' 2 pass',
].join('\n');

test('the time of each test is read from what a run prints, and added up by file', () => {
  const tests = timesIn(RUN);
  expect(tests).toEqual([
    { file: 'test/lib/a.test.ts', name: 'one', seconds: 1.2 },
    { file: 'test/lib/a.test.ts', name: 'group > two', seconds: 0.3005 },
    { file: 'test/web/b.test.tsx', name: 'with [brackets]', seconds: 0.002 },
  ]);
  expect(secondsByFile(tests)).toEqual({ 'test/lib/a.test.ts': 1.5005, 'test/web/b.test.tsx': 0.002 });
  expect(slowest(tests, 2)).toEqual([
    '   1.2 s  test/lib/a.test.ts: one',
    '   0.3 s  test/lib/a.test.ts: group > two',
  ]);
});

test('times are kept beside those of files that did not run, and there are none at first', async () => {
  const root = folder();
  expect(await keptTimes(root)).toEqual({});
  await keepTimes(root, timesIn(RUN));
  await keepTimes(root, [{ file: 'test/lib/a.test.ts', name: 'one', seconds: 1 }]);
  expect(await keptTimes(root)).toEqual({ 'test/lib/a.test.ts': 1, 'test/web/b.test.tsx': 0.002 });
});
