import { describe, expect, test } from 'bun:test';
import {
  anyOf,
  boolean,
  choice,
  type Known,
  list,
  listOrNone,
  map,
  nothing,
  number,
  or,
  orNull,
  readBy,
  text,
  trimmed,
  where,
  type Wire,
  words,
} from '../../src/lib/contract/fields.ts';
import { always, object, optional, whereKnown, withMore } from '../../src/lib/contract/objects.ts';
import { byRules, inWords, sent, sentAs } from '../../src/lib/contract/requests.ts';

const price = object({ at: words, price: number, note: orNull(text) }, ['price']);

describe('an object', () => {
  test('has the members that it names; what can not be read is null', () => {
    expect(price.read({ price: '12.5', note: 7, novelty: {} })).toEqual({ at: null, price: 12.5, note: '7' });
  });

  test('is null without what it needs, and for what is none', () => {
    for (const given of [{}, { price: 'much' }, null, [], 'price']) expect(price.read(given)).toBeNull();
  });

  test('that is always read has its members even where there is none', () => {
    const person = always(object({ display: or(words, '–') }));
    for (const given of [undefined, null, 7, [], {}, { display: '' }]) {
      expect(person.read(given)).toEqual({ display: '–' });
    }
  });

  test('shows more members where those of them that are needed are there, and else none of them', () => {
    const more = withMore(price, object({ status: choice(['new', 'old']), by: orNull(words) }, ['status']));
    expect(more.read({ price: 1, status: 'NEW' })).toEqual({
      ...{ at: null, price: 1, note: null },
      ...{ status: 'new', by: null },
    });
    expect(more.read({ price: 1, status: 'lost', by: 'x' })).toEqual({ at: null, price: 1, note: null });
    expect(more.read({ status: 'new' })).toBeNull();
  });

  test('takes nothing from the prototype of what it reads', () => {
    const given: unknown = JSON.parse('{"price": 1, "__proto__": {"at": "x"}}');
    expect(price.read(given)).toEqual({ at: null, price: 1, note: null });
  });
});

test('a list and a map leave out what can not be read, and are empty for what is none', () => {
  expect(
    list(price)
      .read([{ price: 1 }, {}, 7, { price: 2 }])
      .map((one) => one.price),
  ).toEqual([1, 2]);
  expect(list(number).read({ 0: 1 })).toEqual([]);
  expect(map(number).read({ a: '1', b: 'x' })).toEqual({ a: 1 });
  expect(map(number).read([1])).toEqual({});
});

test('text that is empty says nothing, where something is to be said', () => {
  expect([text.read(''), words.read(''), words.read(' '), trimmed.read(' ')]).toEqual(['', null, ' ', null]);
  expect(trimmed.read(' a ')).toBe('a');
});

test('what is read and not right counts as not read', () => {
  const even = where(number, (known) => known % 2 === 0);
  expect([even.read('4'), even.read(3), even.read('x')]).toEqual([4, null, null]);
});

test('a value of several forms is told apart by a reader of its own', () => {
  const either = anyOf([nothing, boolean, number], (value) => (value === true ? 'yes' : number.read(value)));
  expect(either.form).toEqual({ is: 'anyOf', of: [{ is: 'null' }, { is: 'boolean' }, { is: 'number' }] });
  expect([either.read(true), either.read('7')]).toEqual(['yes', 7]);
  expect(readBy(number, () => 'another').read(1)).toBe('another');
});

test('what is sent is one thing to the route and another to its documentation', () => {
  const told = { description: 'AUD' };
  expect(sent(number, { minimum: 1 }).form).toEqual({
    ...{ is: 'sent', of: { is: 'number' } },
    ...{ check: { minimum: 1 }, tell: { minimum: 1 } },
  });
  expect(byRules(number, told).form).toEqual({ is: 'sent', of: { is: 'number' }, check: null, tell: told });
  expect(sentAs(choice(['a', 'b']), text, { maxLength: 3 }).form).toEqual({
    ...{ is: 'sent', of: { is: 'choice', of: ['a', 'b'] }, checkedAs: { is: 'text' } },
    ...{ check: { maxLength: 3 }, tell: {} },
  });
});

test('words of the documentation change nothing of what is read', () => {
  const told = inWords(price, { price: 'AUD' });
  expect(told.read({ price: '2' })).toEqual(price.read({ price: '2' }));
  expect(told.form).toEqual({
    is: 'object',
    of: {
      ...price.members,
      price: {
        ...price.members.price,
        form: { is: 'sent', of: { is: 'number' }, check: {}, tell: { description: 'AUD' } },
      },
    },
  } as typeof told.form);
});

test('a member is left out where it is not known, and what is no list is none', () => {
  const found = object({ least: whereKnown(number), names: listOrNone(text) });
  const known: Known<typeof found> = { names: null };
  expect(found.read({ least: 'much', names: {} })).toStrictEqual(known);
  expect(found.read({ least: '1', names: ['a', {}] })).toStrictEqual({ least: 1, names: ['a'] });
});

test('types of both sides come of the one schema', () => {
  const both = object({ id: words, side: optional(choice(['buy', 'sell'])), sizes: list(number) }, ['id']);
  const promised: Wire<typeof both> = { id: 'a', sizes: [1] };
  const known: Known<typeof both> = { id: 'a', side: null, sizes: [1] };
  // @ts-expect-error no such side
  const wrong: Wire<typeof both> = { id: 'a', side: 'hold', sizes: [] };
  expect([promised, wrong].map((one) => both.read(one))).toEqual([known, { ...known, sizes: [] }]);
});
