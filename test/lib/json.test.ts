import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { jsonExcess, parseJson } from '#lib/json.ts';
import { diffPatch, mergePatch, withoutNulls } from '#lib/mergePatch.ts';
import { ByteReader, ByteWriter } from '#lib/pack.ts';

const isTooDeep = (text: string, maxDepth: number): boolean => jsonExcess(text, { maxDepth }) === 'tooDeep';

const depthOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
};

test('depth is that of the parsed value, whatever brackets and quotes its texts contain', () => {
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

/** Members and entries of all lists and objects, minus one for each that is not empty. */
function commasOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value);
  return Math.max(0, inside.length - 1) + inside.reduce((sum: number, one) => sum + commasOf(one), 0);
}

test('values are counted at every depth, but not inside texts', () =>
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 12 }), (made, maxCommas) => {
      const found = jsonExcess(JSON.stringify(made), { maxDepth: 99, maxCommas });
      expect(found).toBe(commasOf(made) > maxCommas ? 'tooMany' : null);
    }),
  ));

test.each([
  ['invalid JSON', '{"a":', 'malformed'],
  ['two values', '[] []', 'malformed'],
  ['nothing', '', 'malformed'],
  ['33 lists', `${'['.repeat(33)}${']'.repeat(33)}`, 'tooDeep'],
  ['33 lists that never end', '['.repeat(33), 'tooDeep'],
  ['33 objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 'tooDeep'],
] as const)('parsing external input rejects %s', (_name, text, error) => {
  expect(parseJson(text)).toEqual({ ok: false, error });
});

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
  test('agrees with the RFC for any target and patch, and changes neither', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        expect(mergePatch(target, patch)).toEqual(reference(target, patch));
        expect(JSON.stringify([target, patch])).toBe(before);
      }),
    );
  });

  test('returns unchanged parts as the identical object', () => {
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

test('diffPatch applied to the old value gives the new one', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const patch = diffPatch(before, after);
      const result = patch === undefined ? before : mergePatch(before, patch);
      expect(withoutNulls(result)).toEqual(withoutNulls(after));
    }),
  );
});

const hex = (write: (writer: ByteWriter) => void): string => {
  const writer = new ByteWriter();
  write(writer);
  return Buffer.from(writer.written()).toString('hex');
};

describe('bytes', () => {
  test('have one form per kind of value', () => {
    expect(hex((to) => to.varint(300))).toBe('ac02');
    expect(hex((to) => to.varint(Number.MAX_SAFE_INTEGER))).toBe('ffffffffffffff0f');
    expect(hex((to) => [null, 0, -1, 1].forEach((value) => to.nullable(value)))).toBe('00010203');
    expect(hex((to) => to.float(1.5))).toBe('000000000000f83f');
    expect(hex((to) => to.text('ü'))).toBe('02c3bc');
    expect(hex((to) => to.json([1]))).toBe('035b315d');
    expect(hex((to) => to.near(50.6, 50.5, 1000))).toBe('ca01');
    expect(hex((to) => to.near(Number.NaN, 1, 1))).toBe('00');
    expect(hex((to) => to.near(1 / 3, 1, 1000))).toBe('01555555555555d53f');
  });

  test('are read as they were written', () => {
    const value = fc.record({
      whole: fc.maxSafeNat(),
      signed: fc.option(fc.integer()),
      near: fc.double({ noNaN: false }),
      expected: fc.double({ noNaN: false }),
      text: fc.string({ unit: 'binary' }),
    });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), (values) => {
        const writer = new ByteWriter();
        for (const { whole, signed, near, expected, text } of values) {
          writer.varint(whole);
          writer.nullable(signed);
          writer.near(near, expected, 1000);
          writer.text(text);
        }
        const reader = new ByteReader(writer.written());
        for (const { whole, signed, near, expected, text } of values) {
          expect(reader.varint()).toBe(whole);
          expect(reader.nullable()).toBe(signed === null ? null : signed + 0);
          expect(reader.near(expected, 1000)).toBe(near);
          expect(reader.text()).toBe(text);
        }
        expect(reader.isAtEnd).toBe(true);
      }),
    );
  });

  test('that are cut short or malformed throw the given error', () => {
    const of = (...bytes: number[]) => new ByteReader(new Uint8Array(bytes), () => new Error('damaged'));
    expect(() => of(200).varint()).toThrow('damaged');
    expect(() => of(255, 255, 255, 255, 255, 255, 255, 127).varint()).toThrow('damaged');
    expect(() => of(255, 255, 255, 255, 255, 255, 255, 255, 0).varint()).toThrow('damaged');
    expect(() => of(1, 2).float()).toThrow('damaged');
    expect(() => of(3, 65).text()).toThrow('damaged');
    expect(() => of(1, 65).json()).toThrow('damaged');
    expect(() => of(1).bytes(2)).toThrow('damaged');
    expect(() => new ByteReader(new Uint8Array()).varint()).toThrow(RangeError);
  });
});
