import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { LogFile, type LogFileOptions } from '../../src/lib/logFile.ts';
import { createHandScheduler } from '../support/handScheduler.ts';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();

function open(more: Partial<LogFileOptions> = {}) {
  const path = more.path ?? join(folder(), 'bellbird.log');
  const scheduler = createHandScheduler(0);
  const failures: unknown[] = [];
  const file = new LogFile({
    path,
    maxBytes: 1000,
    maxFiles: 3,
    flushMs: 500,
    schedule: scheduler.schedule,
    onFailure: (error) => failures.push(error),
    ...more,
  });
  const written = (suffix = ''): string =>
    existsSync(path + suffix) ? readFileSync(path + suffix, 'utf8') : '';
  return { file, path, scheduler, failures, written };
}

describe('when a line is written', () => {
  test('an ordinary one with the others of half a second, in one piece', () => {
    const { file, scheduler, written } = open();
    for (const line of ['one\n', 'two\n', 'three\n']) file.write(line, false);
    expect(written()).toBe('');
    expect(scheduler.planned()).toEqual([500]);
    scheduler.advance(500);
    expect(written()).toBe('one\ntwo\nthree\n');
    file.write('four\n', false);
    expect(written()).toBe('one\ntwo\nthree\n');
    scheduler.advance(500);
    expect(written()).toBe('one\ntwo\nthree\nfour\n');
  });

  test('an urgent one at once, after those that waited', () => {
    const { file, scheduler, written } = open();
    file.write('an ordinary line\n', false);
    file.write('an error\n', true);
    expect(written()).toBe('an ordinary line\nan error\n');
    expect(scheduler.planned()).toEqual([]);
  });

  test('at the close, and when very much waits', () => {
    const { file, written } = open({ maxBytes: 1_000_000 });
    file.write('a first line\n', false);
    file.close();
    expect(written()).toBe('a first line\n');
    const burst = open({ maxBytes: 1_000_000 });
    for (let index = 0; index < 1000; index += 1) burst.file.write(`${'x'.repeat(99)}\n`, false);
    expect(burst.written().length).toBeGreaterThan(60_000);
  });
});

describe('a file that another program', () => {
  test('renamed is begun anew under its name, and the renamed one ends', () => {
    const { file, path, written } = open();
    file.write('before\n', true);
    renameSync(path, `${path}.old`);
    file.write('after\n', true);
    expect([written('.old'), written()]).toEqual(['before\n', 'after\n']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('deleted is made again, with its folder', () => {
    const path = join(folder(), 'logs', 'bellbird.log');
    const { file, failures, written } = open({ path });
    file.write('before\n', true);
    rmSync(path);
    file.write('between\n', true);
    expect(written()).toBe('between\n');
    rmSync(join(path, '..'), { recursive: true });
    file.write('after\n', true);
    expect([written(), failures]).toEqual(['after\n', []]);
    rmSync(path);
    file.clear();
    expect(existsSync(path)).toBe(true);
  });

  test('emptied has room again', () => {
    const { file, path, written } = open({ maxBytes: 100 });
    file.write('x'.repeat(90), true);
    truncateSync(path);
    file.write('y'.repeat(90), true);
    expect([written('.1'), written()]).toEqual(['', 'y'.repeat(90)]);
  });
});

describe('a file that is full', () => {
  test('is put aside; so many are kept, and each holds what came after the one before', () => {
    const { file, path, written } = open({ maxBytes: 100, maxFiles: 2 });
    for (let index = 0; index < 50; index += 1) file.write(`line ${String(index).padStart(4, '0')}\n`, true);
    const kept = ['.2', '.1', ''].map(written);
    expect(kept.map((text) => text.length)).toEqual([100, 100, 100]);
    expect(kept.join('')).toBe(
      Array.from({ length: 30 }, (_, index) => `line ${String(index + 20).padStart(4, '0')}\n`).join(''),
    );
    expect(existsSync(`${path}.3`)).toBe(false);
  });

  test('what an earlier run wrote counts, and stays', () => {
    const path = join(folder(), 'bellbird.log');
    writeFileSync(path, 'x'.repeat(95));
    const { file, written } = open({ path, maxBytes: 100 });
    file.write('short\n', true);
    expect([written('.1'), written()]).toEqual(['x'.repeat(95), 'short\n']);
  });

  test('only the owner may read it', () => {
    const { file, path } = open();
    file.write('a line\n', true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe('a file that can not be written', () => {
  test('stops nobody: the failure is told once, and what was lost when it works again', () => {
    const data = folder();
    const path = join(data, 'logs', 'bellbird.log');
    // In the place of the folder.
    writeFileSync(join(data, 'logs'), '');
    const { file, failures, written } = open({ path });
    for (const line of ['one\n', 'two\n']) file.write(line, true);
    expect(failures.map(String)).toEqual([expect.stringMatching(/EEXIST|ENOTDIR/)]);
    rmSync(join(data, 'logs'));
    mkdirSync(join(data, 'logs'));
    file.write('three\n', true);
    expect(written()).toBe('2 lines before this one could not be written.\nthree\n');
    // And again.
    rmSync(join(data, 'logs'), { recursive: true });
    writeFileSync(join(data, 'logs'), '');
    chmodSync(data, 0o700);
    file.close();
    file.write('four\n', true);
    expect(failures).toHaveLength(2);
  });
});
