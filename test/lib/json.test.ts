import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isDeeperThan, parseJson } from '../../src/lib/json.ts';

const depthOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
};

describe('depth', () => {
  test('is that of the parsed value, whatever brackets and quotes its texts hold', () => {
    const texts = fc.stringMatching(/^[[\]{}"\\a]{0,8}$/);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        texts,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(texts, tie('value'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 7 }), fc.boolean(), (made, limit, wide) => {
        const text = JSON.stringify(made, null, wide ? 2 : 0);
        expect(isDeeperThan(text, limit)).toBe(depthOf(made) > limit);
      }),
    );
  });

  test('ends with the first value, so that many lines are not one deep value', () => {
    expect(isDeeperThan('{"a":1}\n'.repeat(100), 1)).toBe(false);
    expect(isDeeperThan('[]'.repeat(100), 1)).toBe(false);
  });

  test('a text that never ends, in whatever state', () => {
    for (const text of ['', '"', '"\\', '"\\"', '[', '{"', '[[']) expect(isDeeperThan(text, 2)).toBe(false);
    expect(isDeeperThan('[[[', 2)).toBe(true);
  });
});

describe('parsing what comes from outside', () => {
  test('gives the value', () => {
    expect(parseJson(' {"a":[1,null]} ')).toEqual({ ok: true, value: { a: [1, null] } });
  });
  test.each([
    ['no JSON', '{"a":', 'malformed'],
    ['two values', '[] []', 'malformed'],
    ['nothing', '', 'malformed'],
    ['33 lists', `${'['.repeat(33)}${']'.repeat(33)}`, 'tooDeep'],
    ['33 lists that never end', '['.repeat(33), 'tooDeep'],
    ['33 objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 'tooDeep'],
  ] as const)('refuses %s', (_name, text, error) => {
    expect(parseJson(text)).toEqual({ ok: false, error });
  });
  test('32 lists pass, and another limit where it is given', () => {
    expect(parseJson(`${'['.repeat(32)}${']'.repeat(32)}`).ok).toBe(true);
    expect(parseJson('[[1]]', { maxDepth: 1 })).toEqual({ ok: false, error: 'tooDeep' });
  });
});
