import { describe, expect, test } from 'bun:test';
import {
  boolean,
  choice,
  integer,
  list,
  map,
  nothing,
  number,
  orNull,
  text,
} from '../../src/lib/contract/fields.ts';
import { misfitOf } from '../../src/lib/contract/misfit.ts';
import { object, optional } from '../../src/lib/contract/objects.ts';
import { sent } from '../../src/lib/contract/requests.ts';

const { form } = object({
  name: sent(text, { maxLength: 5 }),
  kind: choice(['a', 'b']),
  parts: sent(list(object({ count: integer, price: orNull(number) })), { maxItems: 2 }),
  by: optional(map(boolean)),
  none: nothing,
});
const GOOD = { name: 'BHP', kind: 'a', parts: [{ count: 1, price: null }], none: null };

describe('where a value is not in its form', () => {
  test('nothing is said of one that is', () => {
    expect(misfitOf(form, GOOD)).toBeNull();
    expect(misfitOf(form, { ...GOOD, by: { x: true }, more: 1 })).toBeNull();
  });

  const cases: [change: object, path: string, isTooMuch: boolean][] = [
    [{ name: 'too long' }, 'name', true],
    [{ name: 7 }, 'name', false],
    [{ name: undefined }, 'name', false],
    [{ kind: 'c' }, 'kind', false],
    [{ parts: {} }, 'parts', false],
    [{ parts: [GOOD.parts[0], GOOD.parts[0], GOOD.parts[0]] }, 'parts', true],
    [{ parts: [{ count: 1.5, price: 1 }] }, 'parts[0].count', false],
    [{ parts: [{ count: 1 }] }, 'parts[0].price', false],
    [{ parts: [{ count: 1, price: Number.NaN }] }, 'parts[0].price', false],
    [{ by: [] }, 'by', false],
    [{ by: { x: 'yes' } }, 'by.x', false],
    [{ none: 0 }, 'none', false],
  ];
  test.each(cases)('%p is at fault at %s', (change, path, isTooMuch) => {
    expect(misfitOf(form, { ...GOOD, ...change })).toEqual({ path, isTooMuch });
  });

  test('members of the prototype count for nothing', () => {
    expect(misfitOf(object({ toString: text }).form, {})).toEqual({ path: 'toString', isTooMuch: false });
  });
});
