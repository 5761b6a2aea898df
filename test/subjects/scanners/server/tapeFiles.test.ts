import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeEarlierTape } from '../../../../src/subjects/scanners/server/tape/earlier.ts';
import { folderOf, tapeFiles } from '../../../../src/subjects/scanners/server/tape/files.ts';
import { tapeStore } from '../../../../src/subjects/scanners/server/tape/store.ts';
import { openMemoryDb } from '../../../support/memoryDb.ts';

const DATE = '2026-11-18';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const texts = (parts: readonly Uint8Array[] | undefined): string[] =>
  (parts ?? []).map((part) => new TextDecoder().decode(part));

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'bellbird-tape-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const open = (source = 'hand') => tapeStore(tapeFiles(base), source);
const file = (source = 'hand'): string => join(base, folderOf(source), `${DATE}.tape`);

/** Three parts of ten minutes; the second goes on with the first. */
function filled() {
  const store = open();
  store.save(DATE, { first: 100, until: 110, goesOnFrom: null, minutes: bytes('one') });
  store.save(DATE, { first: 110, until: 120, goesOnFrom: 100, minutes: bytes('two') });
  store.save(DATE, { first: 120, until: 130, goesOnFrom: null, minutes: bytes('three') });
  return store;
}

describe('a day of the tape in its file', () => {
  test('is read again as it was written, a part with those that it goes on with', () => {
    filled();
    const store = open();
    expect(store.spans(DATE)).toEqual([
      { first: 100, until: 110 },
      { first: 110, until: 120 },
      { first: 120, until: 130 },
    ]);
    expect(texts(store.at(DATE, 115)?.parts)).toEqual(['one', 'two']);
    expect(texts(store.at(DATE, 105)?.parts)).toEqual(['one']);
    expect(texts(store.at(DATE, 999)?.parts)).toEqual(['three']);
    expect(store.at(DATE, 99)).toBeNull();
    expect(store.sizeOf(DATE)).toBe(11);
    expect(store.dates()).toEqual([DATE]);
  });

  test('is only appended to, and a cut takes what it drops off the file', () => {
    const store = filled();
    const before = readFileSync(file());
    store.save(DATE, { first: 130, until: 131, goesOnFrom: null, minutes: bytes('four') });
    expect(readFileSync(file()).subarray(0, before.length)).toEqual(before);
    for (let time = 0; time < 50; time += 1) {
      store.cut(DATE, 115);
      store.save(DATE, { first: 115, until: 116, goesOnFrom: null, minutes: bytes('again') });
    }
    expect(statSync(file()).size).toBeLessThan(before.length + 100);
    expect(open().spans(DATE)).toEqual([
      { first: 100, until: 110 },
      { first: 110, until: 115 },
      { first: 115, until: 116 },
    ]);
    expect(texts(open().at(DATE, 115)?.parts)).toEqual(['again']);
  });

  test('whatever a power cut leaves of the last record, the others are read and the next one takes its place', () => {
    filled();
    const whole = readFileSync(file());
    for (let length = 0; length <= whole.length; length += 1) {
      writeFileSync(file(), whole.subarray(0, length));
      const store = open();
      const kept = store.spans(DATE).length;
      store.save(DATE, { first: 200, until: 201, goesOnFrom: null, minutes: bytes('after') });
      expect(open().spans(DATE)).toHaveLength(kept + 1);
      expect(texts(open().at(DATE, 200)?.parts)).toEqual(['after']);
    }
    writeFileSync(file(), whole);
    truncateSync(file(), whole.length - 2);
    appendFileSync(file(), 'zz');
    expect(open().spans(DATE)).toHaveLength(2);
  });
});

test('the name of a source leads to no other folder, however it is made', () => {
  for (const name of ['..', '../../etc', 'a/b', '', '\ud800', 'x'.repeat(500), 'replay-a-2026-11-18']) {
    open(name).save(DATE, { first: 1, until: 2, goesOnFrom: null, minutes: bytes(name) });
    expect(open(name).dates()).toEqual([DATE]);
  }
  expect(readdirSync(base)).toHaveLength(7);
  expect(readdirSync(join(base, '..')).filter((name) => name.endsWith('.tape'))).toEqual([]);
});

test('ten days of each source stay, whoever runs', () => {
  for (const source of ['one', 'two'])
    for (let day = 10; day < 25; day += 1)
      open(source).save(`2026-11-${day}`, { first: 1, until: 2, goesOnFrom: null, minutes: bytes('x') });
  expect(open('three').prune(10)).toBe(10);
  expect(open('one').dates().at(-1)).toBe('2026-11-15');
  expect(open('two').dates()).toHaveLength(10);
});

test('what an earlier version kept in the database comes into files, once', async () => {
  const db = openMemoryDb();
  const row =
    'INSERT INTO tape_segments (source, date, first, goes_on_from, until, minutes) VALUES (?, ?, ?, ?, ?, ?)';
  db.$client.run(row, ['hand', DATE, 100, null, 110, bytes('one')]);
  db.$client.run(row, ['hand', DATE, 110, 100, 120, bytes('two')]);
  db.$client.run(row, ['other', '2026-11-17', 5, null, 6, bytes('x')]);
  expect(await takeEarlierTape(db, tapeFiles(base))).toBe(2);
  expect(texts(open().at(DATE, 115)?.parts)).toEqual(['one', 'two']);
  expect(open('other').dates()).toEqual(['2026-11-17']);
  expect(db.$client.query('SELECT count(*) AS left FROM tape_segments').get()).toEqual({ left: 0 });
  expect(await takeEarlierTape(db, tapeFiles(base))).toBe(0);
});
