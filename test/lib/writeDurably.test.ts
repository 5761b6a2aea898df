import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../../src/lib/writeDurably.ts';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();

test('writes a file with its rights, over what a kill left half written', () => {
  const root = folder();
  const path = join(root, 'secret');
  writeFileSync(`${path}.partial`, 'hal', { mode: 0o644 });
  writeFileSync(path, 'the old text', { mode: 0o644 });
  writeDurably(path, 'the new text', 0o600);
  expect(readFileSync(path, 'utf8')).toBe('the new text');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(root)).toEqual(['secret']);
});
