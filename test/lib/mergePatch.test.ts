import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { diffPatch, mergePatch, withoutNulls } from '../../src/lib/mergePatch.ts';

/** JSON objects with few distinct keys, so that random pairs overlap. */
const json = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, 0, 1, 1.5, 'a', 'b', true, false),
    fc.array(fc.constantFrom<unknown>(null, 1, { a: null }), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'toString', 'constructor'), tie('value'), {
    maxKeys: 4,
  }),
})).object;

/** RFC 7396 section 2, word for word. */
function reference(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = reference(Object.hasOwn(result, key) ? result[key] : undefined, value);
  }
  return result;
}

describe('mergePatch', () => {
  test("gives the RFC's own examples", () => {
    expect(mergePatch({ a: 'b' }, { a: 'c' })).toEqual({ a: 'c' });
    expect(mergePatch({ a: 'b', b: 'c' }, { a: null })).toEqual({ b: 'c' });
    expect(mergePatch({ a: ['b'] }, { a: 'c' })).toEqual({ a: 'c' });
    expect(mergePatch({ a: [{ b: 'c' }] }, { a: [1] })).toEqual({ a: [1] });
    expect(mergePatch({ a: 'foo' }, 'bar')).toBe('bar');
    expect(mergePatch({ e: null }, { a: 1 })).toEqual({ e: null, a: 1 });
    expect(mergePatch([1, 2], { a: 'b', c: null })).toEqual({ a: 'b' });
    expect(mergePatch({}, { a: { bb: { ccc: null } } })).toEqual({ a: { bb: {} } });
  });

  test('agrees with the RFC for any target and patch, and changes neither', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        expect(mergePatch(target, patch)).toEqual(reference(target, patch));
        expect(JSON.stringify([target, patch])).toBe(before);
      }),
    );
  });

  test('returns what did not change as the identical object', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const result = mergePatch(target, patch) as Record<string, unknown>;
        if (Bun.deepEquals(result, target, true)) expect(result).toBe(target);
        for (const key of Object.keys(target)) {
          if (!Object.hasOwn(patch, key)) expect(result[key]).toBe(target[key]);
        }
      }),
    );
  });

  test('cannot be used to change a prototype', () => {
    const patch = JSON.parse('{"__proto__":{"polluted":1},"a":1}') as Record<string, unknown>;
    const result = mergePatch({}, patch) as Record<string, unknown>;
    expect(result.polluted).toBeUndefined();
    expect(Object.keys(result)).toEqual(['a']);
  });
});

describe('diffPatch', () => {
  test('applied to the old value gives the new one', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const patch = diffPatch(before, after);
        const result = patch === undefined ? before : mergePatch(before, patch);
        expect(withoutNulls(result)).toEqual(withoutNulls(after));
      }),
    );
  });

  test('is empty exactly when nothing differs, null and absent being the same', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const equal = Bun.deepEquals(withoutNulls(before), withoutNulls(after), true);
        expect(diffPatch(before, after) === undefined).toBe(equal);
      }),
    );
  });

  test('names changed members only', () => {
    const before = { last: 1, name: 'A', indicators: { D: { RSI: { now: 1, prev: 2 } } }, open: 3 };
    const after = { last: 2, name: 'A', indicators: { D: { RSI: { now: 5, prev: 2 } } }, open: null };
    expect(diffPatch(before, after)).toEqual({ last: 2, indicators: { D: { RSI: { now: 5 } } }, open: null });
  });
});
