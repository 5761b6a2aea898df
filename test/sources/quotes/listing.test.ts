import { describe, expect, test } from 'bun:test';
import { createLog } from '../../../src/lib/log.ts';
import { keptLength, Listing } from '../../../src/sources/quotes/tradingview/listing.ts';

const MINUTE = 60_000;
const codes = (count: number): ReadonlySet<string> =>
  new Set(Array.from({ length: count }, (_, index) => `S${index}`));

function setUp() {
  let passed = 0;
  const listing = new Listing(() => passed);
  /** What is taken off by an answer with this many stocks, a minute after the last one. */
  const answer = (count: number): number => {
    passed += MINUTE;
    return listing.missing(codes(count)).length;
  };
  return { listing, answer };
}

test('a listing is gone after three answers without it, and may come back', () => {
  const listing = new Listing(() => 0);
  expect(listing.missing(new Set(['BHP', 'OLD']))).toEqual([]);
  expect(listing.missing(new Set(['BHP']))).toEqual([]);
  expect(listing.missing(new Set(['BHP']))).toEqual([]);
  expect(listing.missing(new Set(['BHP', 'NEW']))).toEqual(['OLD']);
  expect(listing.missing(new Set(['BHP', 'NEW', 'OLD']))).toEqual([]);
  expect(listing.missing(new Set(['BHP', 'NEW']))).toEqual([]);
});

describe('a list that shrinks by more than a tenth', () => {
  test('takes nothing off, however often it comes, until it is whole again', () => {
    const { listing, answer } = setUp();
    answer(2000);
    for (let poll = 0; poll < 50; poll += 1) expect(answer(60)).toBe(0);
    expect(listing.shortList()).toEqual({ listed: 60, expected: 2000 });
    expect([answer(2000), answer(2000), answer(2000)]).toEqual([0, 0, 0]);
    expect(listing.shortList()).toBeNull();
  });

  test('is believed after an hour', () => {
    const { listing, answer } = setUp();
    answer(2000);
    for (let poll = 0; poll < 60; poll += 1) expect(answer(60)).toBe(0);
    expect([answer(60), answer(60), answer(60)]).toEqual([0, 0, 1940]);
    expect(listing.shortList()).toBeNull();
  });

  test('has to be short for an hour without a break', () => {
    const { answer } = setUp();
    answer(2000);
    for (let poll = 0; poll < 59; poll += 1) answer(60);
    answer(1990);
    for (let poll = 0; poll < 60; poll += 1) expect(answer(60)).toBe(0);
  });

  test('in many small steps is short as well', () => {
    const { listing, answer } = setUp();
    let length = 2000;
    let gone = 0;
    for (let poll = 0; poll < 50; poll += 1) {
      gone += answer(length);
      length = Math.floor(length * 0.95);
    }
    expect(gone).toBeLessThanOrEqual(200);
    expect(listing.shortList()?.expected).toBe(2000);
  });

  test('a tenth less is a matter of three answers, as ever', () => {
    const { answer } = setUp();
    answer(2000);
    expect([answer(1800), answer(1800), answer(1800)]).toEqual([0, 0, 200]);
  });
});

describe('over a restart', () => {
  const log = createLog(() => undefined);
  const memoryOf = (value: unknown) => {
    const written: (string | null)[] = [];
    const memory = {
      read: () => written.at(-1) ?? value,
      write: (_: string, text: string | null) => void written.push(text),
    };
    return { written, open: () => new Listing(() => 0, keptLength(memory, log)) };
  };

  test('a list is measured by the length of before', () => {
    const { open, written } = memoryOf(null);
    const before = open();
    before.missing(codes(2000));
    before.missing(codes(2000));
    before.missing(codes(1995));
    expect(written).toEqual(['2000']);
    const after = open();
    after.missing(codes(60));
    expect(after.shortList()).toEqual({ listed: 60, expected: 2000 });
    after.missing(codes(2001));
    expect([after.shortList(), written]).toEqual([null, ['2000', '2001']]);
  });

  test.each([[null], ['x'], ['-5'], ['1e99'], ['2.5'], [{}]])(
    'what can’t be read (%p) measures nothing',
    (kept) => {
      const listing = memoryOf(kept).open();
      listing.missing(codes(3));
      expect(listing.shortList()).toBeNull();
    },
  );

  test('a memory that can’t be written costs this run nothing', () => {
    let lines = 0;
    const memory = {
      read: () => null,
      write() {
        throw new Error('full');
      },
    };
    const listing = new Listing(
      () => 0,
      keptLength(
        memory,
        createLog(() => void (lines += 1)),
      ),
    );
    listing.missing(codes(2000));
    listing.missing(codes(60));
    expect(listing.shortList()).toEqual({ listed: 60, expected: 2000 });
    expect(lines).toBe(1);
  });
});
