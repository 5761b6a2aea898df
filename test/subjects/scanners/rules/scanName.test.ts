import { expect, test } from 'bun:test';
import { checkScanName, MAX_SCAN_NAME_LENGTH } from '../../../../src/subjects/scanners/rules/scanName.ts';
import { ok } from '../../../../src/lib/result.ts';
import { refusalOf } from '../../../support/refusals.ts';

test('a scan needs a name, which is trimmed and not too long', () => {
  expect(checkScanName(' Gappers ')).toEqual(ok('Gappers'));
  expect(refusalOf(checkScanName('  '))).toEqual(['name', 'Give the scan a name.']);
  expect(checkScanName('x'.repeat(MAX_SCAN_NAME_LENGTH)).ok).toBe(true);
  const tooLong = 'The name of a scan has at most 60 characters.';
  expect(refusalOf(checkScanName('x'.repeat(MAX_SCAN_NAME_LENGTH + 1)))).toEqual(['name', tooLong]);
});
