import { describe, expect, test } from 'bun:test';
import { testsThatReach, thatFit } from '../../scripts/check/reached.ts';
import { parseSource } from '../support/sourceGraph.ts';

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
