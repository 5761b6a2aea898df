import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { compareNoted, readNoted } from '#subjects/calls/rules/ledger/words.ts';
import { committedText, type LedgerRow, entryText, NO_HASH } from '#subjects/calls/rules/ledger/entry.ts';
import { sha256 } from '#subjects/calls/server/ledger/ledger.ts';
import { checked, madeLedger } from '#support/ledgerFixture.ts';
import { latestOfRows, latestRow, entryRow, MAX_ROWS, readRows } from '#subjects/calls/rules/ledger/rows.ts';

const LENGTH = 12;
const GOOD = madeLedger(LENGTH);

/** The ledger with one row replaced. */
const withRow = (index: number, change: Partial<LedgerRow>): LedgerRow[] =>
  GOOD.map((row, at) => (at === index ? { ...row, ...change } : row));

const changedByte = (text: string, at: number, by: number): string => {
  const bytes = new TextEncoder().encode(text);
  const place = at % bytes.length;
  bytes[place] = ((bytes[place] ?? 0) + by) % 128;
  return new TextDecoder().decode(bytes);
};

test('an unchanged ledger verifies', () => {
  const check = checked(GOOD);
  expect(check.fault).toBeNull();
  expect(check.head).toEqual({ number: LENGTH, hash: GOOD.at(-1)?.hash as string });
});

test('finds any changed byte in any entry', () => {
  fc.assert(
    fc.property(fc.nat(LENGTH - 1), fc.nat(), fc.integer({ min: 1, max: 127 }), (index, at, by) => {
      const line = changedByte(GOOD[index]?.line ?? '', at, by);
      expect(checked(withRow(index, { line })).fault).toMatchObject({ number: index + 1, of: 'hash' });
    }),
    { numRuns: 500 },
  );
});

test('finds a changed entry with a new hash by the next entry, and the last one by a saved hash', () => {
  fc.assert(
    fc.property(fc.nat(LENGTH - 1), fc.nat(), (index, at) => {
      // A digit of a price or of the time, so that the entry stays well-formed.
      const line = (GOOD[index]?.line ?? '').replaceAll('2026', String(2027 + (at % 70)));
      const check = checked(withRow(index, { line, hash: sha256(line) }));
      if (index + 1 < LENGTH) {
        expect(check.fault).toMatchObject({ number: index + 2, of: 'previous', expected: sha256(line) });
      } else {
        expect(check.fault).toBeNull();
        const noted = { number: LENGTH, hash: GOOD[index]?.hash ?? '' };
        const chain = {
          checked: check.checked,
          isWhole: true,
          hashOf: (number: number) => check.hashOf(number),
        };
        expect(compareNoted(noted, chain).isWell).toBe(false);
      }
    }),
  );
});

test('finds a missing entry', () => {
  expect(checked(GOOD.toSpliced(4, 1)).fault).toMatchObject({
    number: 5,
    of: 'number',
    expected: '5',
    found: '6',
  });
});

test('finds a ledger that begins with another entry', () => {
  const line = entryText(1, 0, { kind: 'paused', call: 'c' }, 'f'.repeat(64));
  const rows = [{ line, hash: sha256(line), openings: [] }];
  expect(checked(rows).fault).toMatchObject({
    number: 1,
    of: 'previous',
    expected: NO_HASH,
    found: 'f'.repeat(64),
  });
});

test('refuses an entry that is not a JSON object', () => {
  for (const line of ['', 'x', '1', 'null', '[]']) {
    expect(checked([{ line, hash: sha256(line), openings: [] }]).fault).toMatchObject({
      number: 1,
      of: 'form',
    });
  }
});

test('finds a name that does not match its hash', () => {
  const name = sha256(committedText('salt', 'Anna'));
  const line = entryText(1, 0, { kind: 'renamed', submitter: 'r', name }, NO_HASH);
  const row = (text: string): LedgerRow => ({
    line,
    hash: sha256(line),
    openings: [{ of: 'name', salt: 'salt', text }],
  });
  expect(checked([row('Anna')])).toMatchObject({ fault: null, opened: 1 });
  expect(checked([row('Bert')]).fault).toMatchObject({ number: 1, of: 'name', expected: name });
});

describe('a saved hash', () => {
  const chain = (rows: readonly LedgerRow[], isWhole = true) => {
    const check = checked(rows);
    return { checked: check.checked, isWhole, hashOf: (number: number) => check.hashOf(number) };
  };
  const hash = GOOD[4]?.hash ?? '';

  test('matches by its first characters, but not after a changed or missing entry', () => {
    const text = (noted: { number: number; hash: string }, of = chain(GOOD)) => compareNoted(noted, of).text;
    expect(compareNoted({ number: 5, hash: hash.slice(0, 12) }, chain(GOOD)).isWell).toBe(true);
    expect(text({ number: 5, hash: 'f'.repeat(64) })).toContain('One of entries 1 to 5');
    expect(text({ number: 13, hash })).toContain('ends at entry 12');
    expect(text({ number: 9, hash }, chain(GOOD.slice(0, 6), false))).toContain('breaks at entry 7');
  });

  test('is accepted as people type it, or refused with a message', () => {
    expect(readNoted({ number: ' 5 ', hash: ` ${hash.toUpperCase()} ` })).toEqual({
      ok: true,
      value: { number: 5, hash },
    });
    for (const number of ['', '0', '-1', '1.5', 'x']) {
      expect(readNoted({ number, hash })).toMatchObject({ ok: false, error: { field: 'number' } });
    }
    for (const short of ['', 'abc', 'g'.repeat(64), 'a'.repeat(65)]) {
      expect(readNoted({ number: '5', hash: short })).toMatchObject({ ok: false, error: { field: 'hash' } });
    }
  });
});

describe('the row format', () => {
  const HEAD = { number: 7, hash: 'a'.repeat(64) };
  const bytesOf = (rows: readonly LedgerRow[], head: typeof HEAD | null = HEAD): Uint8Array =>
    new TextEncoder().encode(latestRow(head) + rows.map(entryRow).join(''));
  const describeRows = (rows: readonly LedgerRow[] | null) =>
    rows?.map(({ line, hash, openings }) => ({ line, hash, openings }));

  test('returns entries, revealed texts and latest entry unchanged, for any text', () => {
    const opening = fc.record({
      of: fc.constantFrom('name' as const, 'rationale' as const, 'reason' as const),
      salt: fc.string(),
      text: fc.string({ unit: 'binary' }),
    });
    fc.assert(
      fc.property(fc.array(fc.array(opening, { maxLength: 3 }), { maxLength: 6 }), (all) => {
        const rows = madeLedger(all.length).map((row, at) => ({ ...row, openings: all[at] ?? [] }));
        const bytes = bytesOf(rows);
        expect(describeRows(readRows(bytes))).toEqual(rows);
        expect(latestOfRows(bytes)).toEqual(HEAD);
        for (const { line, bytes: own } of readRows(bytes) ?? []) {
          expect(new TextDecoder().decode(own)).toBe(line);
        }
      }),
    );
  });

  test('rejects ambiguous rows', () => {
    const row = (line: string): LedgerRow => ({ line, hash: 'c'.repeat(64), openings: [] });
    for (const line of ['{"a":\t1}', 'x\t[]', 'x\n', 'x\ny z'])
      expect(readRows(bytesOf([row(line)]))).toBeNull();
    for (const hash of ['a b', 'a\nb', 'a\t']) {
      expect(readRows(bytesOf([{ ...row('x'), hash }]))).toBeNull();
    }
    const whole = bytesOf([row('x')]);
    expect(readRows(whole.subarray(0, whole.length - 1))).toBeNull();
    expect(readRows(bytesOf(Array.from({ length: MAX_ROWS + 1 }, () => row('x'))))).toBeNull();
  });

  test('has no latest entry for an empty ledger, and rejects a proxy’s answer', () => {
    expect(latestOfRows(bytesOf([], null))).toBeNull();
    expect(readRows(bytesOf([], null))).toEqual([]);
    for (const text of ['', '<html>\n', '7\n', 'x y\n', `1 ${'a'.repeat(400)}\n`]) {
      expect(latestOfRows(new TextEncoder().encode(text))).toBeUndefined();
    }
  });
});
