import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ByteReader, ByteWriter } from '../../src/lib/pack/bytes.ts';
import { packJson, unpackJson, unpackJsonOrNull } from '../../src/lib/pack/packedJson.ts';

const hex = (write: (writer: ByteWriter) => void): string => {
  const writer = new ByteWriter();
  write(writer);
  return Buffer.from(writer.written()).toString('hex');
};

describe('bytes', () => {
  test('each kind of value has one form', () => {
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

  test('what was written is read again', () => {
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

  test('what is no whole number is refused', () => {
    for (const value of [-1, 0.5, Number.NaN, 2 ** 53])
      expect(() => new ByteWriter().varint(value)).toThrow();
  });

  test('bytes that end too early, or are of another form, are told by the error that was asked for', () => {
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

describe('packed JSON', () => {
  test('comes back as it was; of what can’t be read there is none', () => {
    const value = { codes: ['BHP', 'Ünï'], last: [44.5, null] };
    expect(unpackJson(packJson(value))).toEqual(value);
    expect(unpackJson(packJson(value, 6), 1000)).toEqual(value);
    expect(() => unpackJson(packJson('x'.repeat(2000)), 1000)).toThrow();
    expect(unpackJsonOrNull(new Uint8Array([1, 2, 3]))).toBeNull();
  });
});
