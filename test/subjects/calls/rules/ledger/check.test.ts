import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { compareNoted, readNoted } from '../../../../../src/subjects/calls/rules/ledger/noted.ts';
import {
  asciiJson,
  committedText,
  type LedgerRow,
  lineText,
  NO_HASH,
} from '../../../../../src/subjects/calls/rules/ledger/line.ts';
import { sha256 } from '../../../../../src/subjects/calls/server/ledger/ledger.ts';
import { checked, madeLedger } from '../../../../support/ledgerStage.ts';

const LENGTH = 12;
const GOOD = madeLedger(LENGTH);

/** The ledger with another row in the place of one. */
const withRow = (index: number, change: Partial<LedgerRow>): LedgerRow[] =>
  GOOD.map((row, at) => (at === index ? { ...row, ...change } : row));

const changedByte = (text: string, at: number, by: number): string => {
  const bytes = new TextEncoder().encode(text);
  const place = at % bytes.length;
  bytes[place] = ((bytes[place] ?? 0) + by) % 128;
  return new TextDecoder().decode(bytes);
};

test('a ledger that nobody touched fits', () => {
  const check = checked(GOOD);
  expect(check.fault).toBeNull();
  expect(check.head).toEqual({ number: LENGTH, hash: GOOD.at(-1)?.hash as string });
});

test('any byte that is changed in any line is found there', () => {
  fc.assert(
    fc.property(fc.nat(LENGTH - 1), fc.nat(), fc.integer({ min: 1, max: 127 }), (index, at, by) => {
      const line = changedByte(GOOD[index]?.line ?? '', at, by);
      expect(checked(withRow(index, { line })).fault).toMatchObject({ number: index + 1, of: 'hash' });
    }),
    { numRuns: 500 },
  );
});

test('a line that is changed together with its hash is found by the next one, and the last one by a noted head', () => {
  fc.assert(
    fc.property(fc.nat(LENGTH - 1), fc.nat(), (index, at) => {
      // A digit of a price or of the time, so that it still is a line.
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

describe('what does not fit is said with what had to be there', () => {
  test('a line that is missing', () => {
    expect(checked(GOOD.toSpliced(4, 1)).fault).toMatchObject({
      number: 5,
      of: 'number',
      expected: '5',
      found: '6',
    });
  });

  test('two lines that changed places', () => {
    const rows = GOOD.toSpliced(2, 2, GOOD[3] as LedgerRow, GOOD[2] as LedgerRow);
    expect(checked(rows).fault).toMatchObject({ number: 3, of: 'number', found: '4' });
  });

  test('a ledger that begins with another line than its first', () => {
    const line = lineText(1, 0, { kind: 'paused', call: 'c' }, 'f'.repeat(64));
    const rows = [{ line, hash: sha256(line), openings: [] }];
    expect(checked(rows).fault).toMatchObject({
      number: 1,
      of: 'previous',
      expected: NO_HASH,
      found: 'f'.repeat(64),
    });
  });

  test('what is no JSON object', () => {
    for (const line of ['', 'x', '1', 'null', '[]']) {
      expect(checked([{ line, hash: sha256(line), openings: [] }]).fault).toMatchObject({
        number: 1,
        of: 'form',
      });
    }
  });

  test('a name that is told and was not committed to', () => {
    const name = sha256(committedText('salt', 'Anna'));
    const line = lineText(1, 0, { kind: 'renamed', submitter: 'r', name }, NO_HASH);
    const row = (text: string): LedgerRow => ({
      line,
      hash: sha256(line),
      openings: [{ of: 'name', salt: 'salt', text }],
    });
    expect(checked([row('Anna')])).toMatchObject({ fault: null, opened: 1 });
    expect(checked([row('Bert')]).fault).toMatchObject({ number: 1, of: 'name', expected: name });
  });
});

test('a line is plain ASCII whatever is in it, and is read as it was said', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = asciiJson({ text });
      expect(line).toMatch(/^[\x20-\x7e]*$/);
      expect(JSON.parse(line)).toEqual({ text });
    }),
    { numRuns: 30 },
  );
});

describe('a head that was noted', () => {
  const chain = (rows: readonly LedgerRow[], isWhole = true) => {
    const check = checked(rows);
    return { checked: check.checked, isWhole, hashOf: (number: number) => check.hashOf(number) };
  };
  const hash = GOOD[4]?.hash ?? '';

  test('is contained, also by its first twelve characters', () => {
    for (const noted of [hash, hash.slice(0, 12)]) {
      expect(compareNoted({ number: 5, hash: noted }, chain(GOOD))).toMatchObject({ isWell: true });
    }
  });

  test('is not contained where a line of before is another, or lines are missing', () => {
    const rewritten = madeLedger(LENGTH).map((row) => row);
    expect(compareNoted({ number: 5, hash: 'f'.repeat(64) }, chain(rewritten)).text).toContain(
      'One of lines 1 to 5',
    );
    expect(compareNoted({ number: 13, hash }, chain(GOOD)).text).toContain('ends at line 12');
    expect(compareNoted({ number: 9, hash }, chain(GOOD.slice(0, 6), false)).text).toContain(
      'breaks at line 7',
    );
  });

  test('is read as people type it, and refused with a sentence', () => {
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
