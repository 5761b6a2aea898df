import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Greatest } from '../../../../src/subjects/glance/rules/greatest.ts';

type Item = { code: string; size: number };

const MOST = 3;
const CODES = Array.from({ length: 14 }, (_one, at) => `C${String.fromCharCode(65 + at)}`);

/** All of them in order, and the first few. */
const byLooking = (items: Iterable<Item>): Item[] =>
  [...items].sort((a, b) => b.size - a.size || (a.code < b.code ? -1 : 1)).slice(0, MOST);

const anyItem = fc.record<Item>({ code: fc.constantFrom(...CODES), size: fc.integer({ min: 0, max: 9 }) });
const anyStep = fc.oneof(
  { weight: 5, arbitrary: anyItem.map((put) => ({ put, drop: null })) },
  { weight: 1, arbitrary: fc.constantFrom(...CODES).map((drop) => ({ put: null, drop })) },
);

test('the greatest are those that a look at all finds, after any puts and drops and however seldom they are asked for', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (steps, every) => {
      const greatest = new Greatest<Item>(({ size }) => size, MOST);
      const all = new Map<string, Item>();
      steps.forEach(({ put, drop }, at) => {
        if (put) {
          all.set(put.code, put);
          greatest.put(put);
        } else {
          all.delete(drop);
          greatest.drop(drop);
        }
        expect(greatest.size).toBe(all.size);
        if (at % every === 0) expect(greatest.list()).toEqual(byLooking(all.values()));
      });
      expect(greatest.list()).toEqual(byLooking(all.values()));
    }),
    { numRuns: 2000 },
  );
});

test('an item that becomes less makes room for one that was never among them', () => {
  const greatest = new Greatest<Item>(({ size }) => size, 1);
  for (const [at, code] of CODES.entries()) greatest.put({ code, size: 100 - at });
  for (const [at, code] of CODES.entries()) {
    expect(greatest.list()).toEqual([{ code, size: 100 - at }]);
    greatest.put({ code, size: 0 });
  }
});
