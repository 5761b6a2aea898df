import { expect, test } from 'bun:test';
import { failed, ok, refuse, type Result } from '../../src/lib/result.ts';

const half = (value: number): Result<number> =>
  value % 2 === 0 ? ok(value / 2) : refuse('An odd number has no half.', 'value');

test('a result is its value or why there is none, told apart by one member', () => {
  const read = (result: Result<number>) => (result.ok ? result.value : result.error.message);
  expect([half(4), half(3)].map(read)).toEqual([2, 'An odd number has no half.']);
});

test('a refusal names its field, or none when the whole is at fault', () => {
  expect(half(3)).toEqual({ ok: false, error: { field: 'value', message: 'An odd number has no half.' } });
  expect(refuse('The list is full.')).toEqual(failed({ field: null, message: 'The list is full.' }));
});
