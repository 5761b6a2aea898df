import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { jsonExcess, parseJson } from '../../src/lib/json.ts';

const isTooDeep = (text: string, maxDepth: number): boolean => jsonExcess(text, { maxDepth }) === 'tooDeep';

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
        expect(isTooDeep(text, limit)).toBe(depthOf(made) > limit);
      }),
    );
  });

  test('ends with the first value, so that many lines are not one deep value', () => {
    expect(isTooDeep('{"a":1}\n'.repeat(100), 1)).toBe(false);
    expect(isTooDeep('[]'.repeat(100), 1)).toBe(false);
  });

  test('a text that never ends, in whatever state', () => {
    for (const text of ['', '"', '"\\', '"\\"', '[', '{"', '[[']) expect(isTooDeep(text, 2)).toBe(false);
    expect(isTooDeep('[[[', 2)).toBe(true);
  });
});

/** Members and entries of all lists and objects, less one of each that is not empty. */
function commasOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value);
  return Math.max(0, inside.length - 1) + inside.reduce((sum: number, one) => sum + commasOf(one), 0);
}

describe('values', () => {
  test('are counted wherever they stand, but not what texts hold', () =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 12 }), (made, maxCommas) => {
        const found = jsonExcess(JSON.stringify(made), { maxDepth: 99, maxCommas });
        expect(found).toBe(commasOf(made) > maxCommas ? 'tooMany' : null);
      }),
    ));
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
