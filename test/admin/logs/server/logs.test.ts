import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { lastLines, shownText } from '#admin/logs/answers/logs.ts';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { auditEntries } from '#src/tables/administrationSchema.ts';
import { LogFile, startLogging } from '#lib/logging.ts';
import { createRedactor } from '#lib/redact.ts';
import { createHandScheduler } from '#support/handScheduler.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { eachApp } from '#support/eachApp.ts';
import { createTestApp } from '#support/testApp.ts';

describe('log text', () => {
  test('makes invisible characters visible, and keeps tabs, lines and every script', () => {
    expect(shownText('a\tb\nc\u0000\u001b[0m\u202ed\u200f')).toBe('a\tb\nc\ufffd\ufffd[0m\ufffdd\ufffd');
    expect(shownText('日本 äöü 𝄞')).toBe('日本 äöü 𝄞');
  });

  test.each([
    ['', 3, ''],
    ['a\n', 3, 'a\n'],
    ['a\nb\nc\n', 2, 'b\nc\n'],
    ['a\nb\nc', 2, 'b\nc'],
    ['a\nb\nc\n', 3, 'a\nb\nc\n'],
    ['\n\n\n', 1, '\n'],
    ['\nb\n', 2, '\nb\n'],
    ['\nb\n', 1, 'b\n'],
  ])('of %j the last %d lines are %j', (text, limit, expected) => {
    expect(lastLines(text, limit)).toBe(expected);
  });
});

describe('log files', () => {
  const fresh = tempFolders();

  let folder: string;
  beforeEach(() => {
    folder = join(fresh(), 'logs');
    mkdirSync(folder);
  });
  const app = eachApp(() => createTestApp({ config: { dataDir: dirname(folder) } }));

  const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const get = (path: string) => app.request('GET', `/api/admin/logs${path}`, { as: 'admin' });
  type Tail = { text: string; file: string; end: number; cut: boolean; restarted: boolean };
  const tail = async (name: string, query = ''): Promise<Tail> =>
    (await get(`/${encodeURIComponent(name)}/tail${query}`)).json as Tail;
  const follow = (name: string, { file, end }: Tail) => tail(name, `?file=${file}&after=${end}`);
  const numbered = (from: number, to: number): string =>
    Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('');
  const audited = () => app.db.select().from(auditEntries).all();

  test('lists only the files of the folder: no folders, links or hidden files', async () => {
    put('bellbird.log', 'one\n');
    put('bellbird.log.1', 'older\n');
    put('.secret', 'x');
    put('über uns.log', 'x');
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, '..', 'jwt-secret'), 'the secret');
    symlinkSync(join(folder, '..', 'jwt-secret'), join(folder, 'link.log'));
    const { logs } = (await get('')).json as { logs: { name: string; size: number; mtimeMs: number }[] };
    expect(logs.map(({ name }) => name).sort()).toEqual(['bellbird.log', 'bellbird.log.1', 'über uns.log']);
    const first = logs.find(({ name }) => name === 'bellbird.log');
    expect(first).toMatchObject({ size: 4, mtimeMs: statSync(join(folder, 'bellbird.log')).mtimeMs });
  });

  test('rejects a name that is not listed when reading, saving or clearing', async () => {
    const NAMES = [
      '../jwt-secret',
      '..%2Fjwt-secret',
      '%2e%2e%2fjwt-secret',
      '..\\jwt-secret',
      '%00',
      'bellbird.log%00.txt',
      '.',
      '..',
      '%2e%2e',
      '.secret',
      'link.log',
      'sub',
      'BELLBIRD.LOG',
      '%E0%A4%A',
      '/etc/passwd',
      encodeURIComponent('/etc/passwd'),
    ];

    put('bellbird.log', 'kept\n');
    put('.secret', 'the secret');
    mkdirSync(join(folder, 'sub'));
    const secret = join(folder, '..', 'jwt-secret');
    writeFileSync(secret, 'the secret');
    symlinkSync(secret, join(folder, 'link.log'));
    for (const name of NAMES) {
      for (const [method, path] of [
        ['GET', `/${name}/tail`],
        ['GET', `/${name}/download`],
        ['DELETE', `/${name}`],
      ] as const) {
        const answer = await app.request(method, `/api/admin/logs${path}`, { as: 'admin' });
        expect({ name, isRefused: [400, 404, 405].includes(answer.status) }).toEqual({
          name,
          isRefused: true,
        });
        expect(answer.text).not.toContain('the secret');
      }
    }
    expect(readFileSync(secret, 'utf8')).toBe('the secret');
    expect(readFileSync(join(folder, 'bellbird.log'), 'utf8')).toBe('kept\n');
    expect(audited()).toEqual([]);
  });

  test('reads the same tail as reading the whole file, wherever chunks end', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => 'äöü€𝄞'.repeat(index % 40) + String(index));
    put('a.log', `${lines.join('\n')}\n`);
    for (const count of [1, 2, 7, 500, 1499, 2999, 3000, 5000]) {
      const { text, cut } = await tail('a.log', `?lines=${count}`);
      expect(cut).toBe(false);
      expect(text === `${lines.slice(-count).join('\n')}\n`).toBe(true);
    }
  });

  describe('following', () => {
    test('never splits a character that is still being written', async () => {
      put('a.log', 'one\n');
      let place = await tail('a.log');
      const pieces = [...Buffer.from('zwei €𝄞\n')].map((byte) => Buffer.from([byte]));
      let read = '';
      for (const chunk of pieces) {
        appendFileSync(join(folder, 'a.log'), chunk);
        place = await follow('a.log', place);
        read += place.text;
      }
      expect(read).toBe('zwei €𝄞\n');
    });

    test('continues in the next file after a rotation, and loses no line', async () => {
      const path = join(folder, 'bellbird.log');
      const { schedule } = createHandScheduler(0);
      const file = new LogFile({
        path,
        maxBytes: 1000,
        maxFiles: 3,
        flushMs: 1,
        schedule,
        onFailure: (error) => {
          throw error;
        },
      });
      file.write('line 0\n', true);
      let place = await tail('bellbird.log');
      let read = '';
      for (let index = 1; index <= 300; index += 1) {
        file.write(`line ${index}\n`, true);
        if (index % 7 !== 0 && index !== 300) continue;
        place = await follow('bellbird.log', place);
        expect(place.cut).toBe(false);
        read += place.text;
      }
      expect(read).toBe(numbered(1, 300));
      expect(existsSync(`${path}.1`)).toBe(true);
      file.close();
    });

    test('reports missing lines if the file is gone or too much was written at once', async () => {
      put('a.log', numbered(1, 3));
      const first = await tail('a.log');
      renameSync(join(folder, 'a.log'), join(folder, '..', 'elsewhere'));
      put('a.log', numbered(4, 5));
      expect(await follow('a.log', first)).toMatchObject({ text: numbered(4, 5), cut: true });
      const second = await tail('a.log');
      appendFileSync(join(folder, 'a.log'), `${'x'.repeat(99)}\n`.repeat(20_000));
      const { text, cut } = await follow('a.log', second);
      expect(cut).toBe(true);
      expect(text.length).toBeLessThan(300_000);
      expect(text).toStartWith(`${'x'.repeat(99)}\n`);
    });

    test('starts again when the file was emptied', async () => {
      put('a.log', numbered(1, 30));
      const first = await tail('a.log');
      put('a.log', 'after\n');
      expect(await follow('a.log', first)).toMatchObject({
        text: 'after\n',
        restarted: true,
        file: first.file,
      });
    });
  });

  test('a download is the whole file as bytes, and is audited', async () => {
    const bytes = new Uint8Array(700_000).map((_, index) => index % 251);
    writeFileSync(join(folder, "an 'odd' näme.log"), bytes);
    const name = encodeURIComponent("an 'odd' näme.log");
    const response = await app.open('GET', `/api/admin/logs/${name}/download`, { as: 'admin' });
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''an%20%27odd%27%20n%C3%A4me.log",
    );
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
    expect(audited()).toMatchObject([{ action: 'download log', target: "an 'odd' näme.log" }]);
  });

  describe('the log of this process', () => {
    const { info, warn, error } = console;
    afterAll(() => Object.assign(console, { info, warn, error }));

    test('is read up to its last line, contains no secret, and continues after it was cleared', async () => {
      Object.assign(console, { info: () => {}, warn: () => {}, error: () => {} });
      const secret = 'a-marked-secret-of-this-test';
      const { log, file, close } = startLogging({ folder, redactor: createRedactor([secret]) });
      const own = createTestApp({ config: { dataDir: dirname(folder) }, runtime: { logFile: file } });
      const ask = async (method: 'GET' | 'DELETE', path: string) =>
        (await own.request(method, `/api/admin/logs${path}`, { as: 'admin' })).text;
      log.info('A line', { key: secret, url: `https://example.com/?token=${secret}`, token: 'another one' });
      log.info('Bot', {
        url: 'https://api.telegram.org/bot123456789:AAabcdefghijklmnopqrstuvwxyz0123456/getMe',
      });
      const text = await ask('GET', '/bellbird.log/tail');
      expect(text).toContain('A line');
      for (const hidden of [secret, 'another one', 'AAabcdefghijk']) expect(text).not.toContain(hidden);
      expect(await ask('GET', '/bellbird.log/download')).not.toContain(secret);
      expect(await ask('GET', '')).toContain('"current":true');

      for (let index = 0; index < 2000; index += 1) log.info('x'.repeat(1000));
      await ask('DELETE', '/bellbird.log');
      expect(statSync(join(folder, 'bellbird.log')).size).toBe(0);
      for (let index = 0; index < 4000; index += 1) log.info('y'.repeat(1000));
      file.flush();
      // Its size was reset by the clearing, so it does not rotate before five megabytes.
      expect(existsSync(join(folder, 'bellbird.log.1'))).toBe(false);
      expect(readFileSync(join(folder, 'bellbird.log'), 'utf8')).not.toContain('xxx');
      close();
      own.close();
    });
  });
});
