import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogFile, type LogFileOptions, formatRecord, startLogging } from '#lib/logging.ts';
import { createRedactor } from '#lib/redact.ts';
import { createHandScheduler } from '../support/handScheduler.ts';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();
const { info, warn, error } = console;
afterAll(() => Object.assign(console, { info, warn, error }));

test('a warning is written immediately, with the waiting lines', () => {
  Object.assign(console, { info: () => {}, warn: () => {}, error: () => {} });
  const path = join(folder(), 'bellbird.log');
  const { log, close } = startLogging({ folder: join(path, '..'), redactor: createRedactor() });
  log.child('http').info('Request', { status: 200 });
  expect(existsSync(path)).toBe(false);
  log.warn('Odd');
  log.warn('Again');
  const written = readFileSync(path, 'utf8').split('\n');
  expect(written.map((line) => line.slice(25))).toEqual([
    'INFO http: Request status=200',
    'WARNING main: Odd',
    'WARNING main: Again',
    '',
  ]);
  close();
});

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

test('an ordinary line is written with the others of half a second, in one batch', () => {
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

test('a renamed log file is replaced by a new one under its name, and receives no further lines', () => {
  const { file, path, written } = open();
  file.write('before\n', true);
  renameSync(path, `${path}.old`);
  file.write('after\n', true);
  expect([written('.old'), written()]).toEqual(['before\n', 'after\n']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a full log file is rotated; a limited number is kept, each continuing the previous one', () => {
  const { file, path, written } = open({ maxBytes: 100, maxFiles: 2 });
  for (let index = 0; index < 50; index += 1) file.write(`line ${String(index).padStart(4, '0')}\n`, true);
  const kept = ['.2', '.1', ''].map(written);
  expect(kept.map((text) => text.length)).toEqual([100, 100, 100]);
  expect(kept.join('')).toBe(
    Array.from({ length: 30 }, (_, index) => `line ${String(index + 20).padStart(4, '0')}\n`).join(''),
  );
  expect(existsSync(`${path}.3`)).toBe(false);
});

test('an unwritable log file does not block: the failure and the lost lines are reported once', () => {
  const data = folder();
  const path = join(data, 'logs', 'bellbird.log');
  // A file instead of the folder.
  writeFileSync(join(data, 'logs'), '');
  const { file, failures, written } = open({ path });
  for (const line of ['one\n', 'two\n']) file.write(line, true);
  expect(failures.map(String)).toEqual([expect.stringMatching(/EEXIST|ENOTDIR/)]);
  rmSync(join(data, 'logs'));
  mkdirSync(join(data, 'logs'));
  file.write('three\n', true);
  expect(written()).toBe('2 lines before this one were lost: they could not be written.\nthree\n');
});

const redactor = createRedactor(['the-ingest-key-of-this-server', null, 'abc']);
const JWT = `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ1aWQiOjF9.c2lnbmF0dXJlX29mX3RoZV90b2tlbg`;
const BOT = `123456789:AA${'Hqr0tUvWxYz-1234567890_abcdefghij'}`;

const secrets: [string, string][] = [
  [BOT, `POST https://api.telegram.org/bot${BOT}/sendMessage failed`],
  [JWT, `authorization: ${JWT}`],
  [JWT, `GET /api/user/alerts/stream?token=${JWT}&x=1`],
  ['s3cr3t', 'GET /x?a=1&token=s3cr3t#top'],
  ['s3cr3t', 'http://host/#/register?setup=s3cr3t'],
  ['c00kie', 'Cookie: sessionid=c00kie; other=c00kie'],
  ['s3cr3t!', '{"password":"s3cr3t!","username":"anna"}'],
  ['qu"oted', JSON.stringify({ newPassword: 'qu"oted' })],
  ['cut off', '{"username":"anna","password":"cut off'],
  ['s3cr3t', `${'x'.repeat(200)}_token: "s3cr3t"`],
  ['abcdefghijkl', 'Authorization: Bearer abcdefghijkl'],
  ['sk-abcdefghijklmnopqrstuv', 'model said sk-abcdefghijklmnopqrstuv'],
  ['hunter22', 'http://anna:hunter22@127.0.0.1:8080/v1 could not be reached'],
  ['the-ingest-key-of-this-server', 'key the-ingest-key-of-this-server was wrong'],
];

describe('secrets are removed', () => {
  for (const [secret, text] of secrets) {
    test(text.slice(0, 60), () => {
      const clean = redactor.text(text);
      expect(clean).not.toContain(secret);
      expect(clean).toContain('[redacted]');
      expect(redactor.text(clean)).toBe(clean);
    });
  }
  test('from any logged value: cycles, depth, and types that JSON lacks', () => {
    const circle: Record<string, unknown> = { token: 't', big: 10n, run: test, when: new Date(0) };
    circle['self'] = circle;
    const clean = { token: '[redacted]', big: '10', run: '[function]', when: '1970-01-01T00:00:00.000Z' };
    expect(redactor.value({ circle, list: [circle], botToken: null })).toEqual({
      circle: { ...clean, self: '[circular]' },
      list: [{ ...clean, self: '[circular]' }],
      botToken: null,
    });
    let deep: unknown = 'bottom';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(JSON.stringify(redactor.value(deep))).toBe(`${'['.repeat(12)}"[too deep]"${']'.repeat(12)}`);
  });
  test('from an error, its stack and its cause', () => {
    const error = new Error(`failed at bot${BOT}`, { cause: new Error(`with ?token=${JWT}`) });
    const clean = String(redactor.value(error));
    expect(clean).toContain('Caused by: Error: with ?token=[redacted]');
    expect(clean).not.toContain(BOT);
    expect(clean).not.toContain(JWT);
  });
});

describe('ordinary text stays', () => {
  const plain = [
    'BHP rose 1.5 % to 50.60',
    'Request method=GET path=/api/settings status=200 ms=3',
    'https://www.asx.com.au/markets/company/BHP?tab=news',
    'an abc of trading',
  ];
  for (const text of plain) test(text, () => expect(redactor.text(text)).toBe(text));
});

test('a log line contains no secret in its message or its facts', () => {
  const line = formatRecord(
    {
      category: ['bellbird', 'telegram'],
      level: 'warning',
      message: [`Sending to bot${BOT} failed`],
      rawMessage: '',
      timestamp: Date.UTC(2026, 10, 18),
      properties: { url: `https://x/bot${BOT}/y`, token: 'plain', tries: 3, missing: undefined },
    },
    redactor,
  );
  expect(line).toBe(
    '2026-11-18T00:00:00.000Z WARNING telegram: Sending to bot[redacted] failed' +
      ' url=https://x/bot[redacted]/y token=[redacted] tries=3',
  );
});
