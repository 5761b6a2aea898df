import { expect, test } from 'bun:test';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { keepPrivate, withFiles, writeDurably } from '#lib/files.ts';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('closes folders, their files and single files, and lists them', () => {
  const root = folder();
  const [logs, log, secret] = [join(root, 'logs'), join(root, 'logs', 'a.log'), join(root, 'secret')];
  mkdirSync(logs);
  for (const file of [log, secret]) writeFileSync(file, 'x');
  chmodSync(logs, 0o755);
  chmodSync(log, 0o644);
  chmodSync(secret, 0o666);
  const paths = [...withFiles(logs), ...withFiles(join(root, 'none')), secret, join(root, 'missing')];
  expect(keepPrivate(paths)).toEqual({ mended: [logs, log, secret], failed: [] });
  expect([logs, log, secret].map(modeOf)).toEqual(['700', '600', '600']);
  expect(keepPrivate(paths)).toEqual({ mended: [], failed: [] });
});

test('leaves link targets and stricter permissions as they are', () => {
  const root = folder();
  const [shared, link, narrow] = [join(root, 'shared'), join(root, 'link'), join(root, 'narrow')];
  mkdirSync(shared);
  chmodSync(shared, 0o755);
  symlinkSync(shared, link);
  writeFileSync(narrow, 'x');
  chmodSync(narrow, 0o400);
  expect(keepPrivate([link, narrow])).toEqual({ mended: [], failed: [] });
  expect([shared, narrow].map(modeOf)).toEqual(['755', '400']);
});

test('writes a file with its permissions, over a half-written one', () => {
  const root = folder();
  const path = join(root, 'secret');
  writeFileSync(`${path}.partial`, 'hal', { mode: 0o644 });
  writeFileSync(path, 'the old text', { mode: 0o644 });
  writeDurably(path, 'the new text', 0o600);
  expect(readFileSync(path, 'utf8')).toBe('the new text');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  // As a full disk, which fails in the middle of the write.
  expect(() => writeDurably(path, null as never, 0o600)).toThrow();
  expect(readFileSync(path, 'utf8')).toBe('the new text');
  expect(readdirSync(root)).toEqual(['secret']);
});
