import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { LedgerRow } from '../../../../../src/subjects/calls/rules/ledger/line.ts';
import {
  headOfRows,
  headRow,
  lineRow,
  MAX_ROWS,
  readRows,
} from '../../../../../src/subjects/calls/rules/ledger/rows.ts';
import { madeLedger } from '../../../../support/ledgerStage.ts';

const HEAD = { number: 7, hash: 'a'.repeat(64) };
const bytesOf = (rows: readonly LedgerRow[], head: typeof HEAD | null = HEAD): Uint8Array =>
  new TextEncoder().encode(headRow(head) + rows.map(lineRow).join(''));
const told = (rows: readonly LedgerRow[] | null) =>
  rows?.map(({ line, hash, openings }) => ({ line, hash, openings }));

test('lines, openings and head come out as they went in, whatever a text holds', () => {
  const opening = fc.record({
    of: fc.constantFrom('name' as const, 'rationale' as const, 'reason' as const),
    salt: fc.string(),
    text: fc.string({ unit: 'binary' }),
  });
  fc.assert(
    fc.property(fc.array(fc.array(opening, { maxLength: 3 }), { maxLength: 6 }), (all) => {
      const rows = madeLedger(all.length).map((row, at) => ({ ...row, openings: all[at] ?? [] }));
      const bytes = bytesOf(rows);
      expect(told(readRows(bytes))).toEqual(rows);
      expect(headOfRows(bytes)).toEqual(HEAD);
      for (const { line, bytes: own } of readRows(bytes) ?? []) {
        expect(new TextDecoder().decode(own)).toBe(line);
      }
    }),
  );
});

test('a line with other characters, as somebody may write one, is hashed by its text', () => {
  const [row] = madeLedger(1);
  const rows = [{ line: `${row?.line} é`, hash: 'b', openings: [] }];
  expect(readRows(bytesOf(rows))).toEqual(rows);
});

test('lines that can’t be told apart with certainty are not', () => {
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

test('an empty ledger has no head, and what some proxy answers is none', () => {
  expect(headOfRows(bytesOf([], null))).toBeNull();
  expect(readRows(bytesOf([], null))).toEqual([]);
  for (const text of ['', '<html>\n', '7\n', 'x y\n', `1 ${'a'.repeat(400)}\n`]) {
    expect(headOfRows(new TextEncoder().encode(text))).toBeUndefined();
  }
});
