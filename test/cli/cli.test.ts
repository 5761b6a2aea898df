import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { run, type RunDeps } from '../../src/cli/run.ts';
import type { Program } from '../../src/platform/install/shared/program.ts';
import { markTarget } from '../support/backupFolder.ts';
import { startFakeWebDav } from '../support/fakeWebDav.ts';
import { noProgram } from '../support/noProgram.ts';
import { tempFolders } from '../support/tempFolder.ts';
import { startTestServer } from '../support/testServer.ts';

const folder = tempFolders();

/** What a person answers, one after the other, and what they were asked. */
const answer: string[] = [];
const asked: string[] = [];

type Run = { code: number; out: string; err: string };

const cli = async (
  args: string,
  env: Record<string, string> = {},
  secret: string | null = null,
  openAssets: RunDeps['openAssets'] = () => ({ respond: () => undefined }),
  program: Partial<Program> = {},
): Promise<Run> => {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(args.split(' ').filter(Boolean), {
    io: {
      env,
      wall: { now: () => Date.UTC(2026, 10, 18), monotonic: () => 0 },
      about: { pid: 4711, startedAt: 0, version: '1.2.3', commit: 'abcdef' },
      program: { ...noProgram.program, ...program },
      out: (line) => out.push(line),
      err: (line) => err.push(line),
      readSecret: async () => secret,
      ask: async (prompt) => {
        asked.push(prompt);
        return answer.shift() ?? null;
      },
    },
    openAssets,
    signals: { onStop: () => {}, onCrash: () => {} },
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
};

describe('the command line', () => {
  test('version', async () => {
    for (const word of ['version', '--version', '-v']) {
      expect(await cli(word)).toEqual({ code: 0, out: 'bellbird 1.2.3 (abcdef)', err: '' });
    }
  });
  test('version says of an executable without a release key that it is unsigned', async () => {
    const version = (program: Partial<Program>) => cli('version', {}, null, undefined, program);
    expect((await version({ isStandalone: true })).out).toBe('bellbird 1.2.3 (abcdef), unsigned');
    expect((await version({ isStandalone: true, releaseKey: 'KEY' })).out).toBe('bellbird 1.2.3 (abcdef)');
  });
  test('service asks what to do, and refuses where no executable runs', async () => {
    expect((await cli('service')).code).toBe(2);
    expect((await cli('service install now')).err).toContain('"now" is one word too many.');
    expect(await cli('service install')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Only an exec/),
    });
  });
  test('help', async () => {
    const { code, out } = await cli('--help');
    expect(code).toBe(0);
    for (const word of ['serve', 'check', 'user add', 'BELLBIRD_PORT']) expect(out).toContain(word);
  });
  test('prints the help of a command for its --help, whatever else is typed', async () => {
    const { out } = await cli('--help');
    const listed = /Usage: bellbird COMMAND\n\n([^]*?)\n\n/.exec(out)?.[1] ?? '';
    const commands = listed
      .split('\n')
      .map((line) => /^ {2}([a-z][a-z-]*(?: [a-z][a-z-]*)*)/.exec(line)?.[1] ?? '');
    const words = commands.filter((command) => command !== '');
    expect(words).toEqual(
      expect.arrayContaining(['serve', 'service install', 'user add', 'backup', 'version']),
    );
    for (const command of words) {
      const result = await cli(`${command} --help`);
      expect(result).toMatchObject({ code: 0, err: '' });
      expect(result.out).toStartWith(`Usage: bellbird ${command}`);
      for (const same of [`help ${command}`, `${command} -h`, `${command} anna --help`])
        expect(await cli(same)).toEqual(result);
    }
    const { out: all } = await cli('user --help');
    expect(all.match(/^Usage: bellbird user \S+/gm)).toHaveLength(5);
  });
  test('has help for every command but those by which the server calls itself', async () => {
    const source = await Bun.file(join(import.meta.dir, '..', '..', 'src', 'cli', 'run.ts')).text();
    const names = new Set([...source.matchAll(/^ {2,4}\[?'([a-z-]+)',/gm)].map(([, name = '']) => name));
    const own = ['server', 'write-support', 'write-backup', 'pdf-text'];
    expect([...names]).toEqual(expect.arrayContaining(['serve', 'support', 'restore', ...own]));
    for (const name of names)
      expect([name, (await cli(`${name} --help`)).code]).toEqual([name, own.includes(name) ? 2 : 0]);
  });
  test('prints no help of what is not a command for people, and takes "help" as a name', async () => {
    for (const name of ['sevre', 'server', 'write-backup', 'pdf-text'])
      expect(await cli(`${name} --help`)).toMatchObject({
        code: 2,
        err: expect.stringContaining(`"${name}" is not`),
      });
    const env = { BELLBIRD_DATA: folder() };
    expect((await cli('user add help', env, 'secret')).out).toBe('Added help.');
  });
  test('the help of a command names every option that it takes', async () => {
    const sources = [
      'check/index.ts',
      'service.ts',
      'support/index.ts',
      'user.ts',
      'record.ts',
      'restore.ts',
    ];
    const cliFolder = join(import.meta.dir, '..', '..', 'src', 'cli');
    for (const source of sources) {
      const code = await Bun.file(join(cliFolder, source)).text();
      const options = new Set(code.match(/(?<=['" ])--[a-z-]+/g));
      const { out } = await cli(`${source.split(/[./]/)[0]} --help`);
      for (const option of options) expect(out).toContain(option);
    }
  });
  test('a full disk is said in a sentence', async () => {
    const small = new Database(':memory:');
    small.run('PRAGMA max_page_count = 1');
    const { code, err } = await cli('serve', {}, null, () => {
      small.run('CREATE TABLE more (id INTEGER)');
      return { respond: () => undefined };
    });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^The disk of the data folder has no room left\. /),
    ]);
  });
  const nonsense: [string, RegExp][] = [
    ['sevre', /"sevre" is not a command/],
    ['version now', /takes nothing more/],
    ['serve --port 3000', /takes nothing more/],
    ['user', /Say what to do/],
    ['user remove anna', /Say what to do/],
    ['user add', /Give the name/],
    ['user add anna bob', /one word too many/],
    ['user add anna --root', /--root/],
    ['user add anna --tier gold', /--tier must be/],
    ['user promote anna --admin', /belong to user add/],
    ['user list anna', /takes no name/],
  ];
  for (const [args, pattern] of nonsense) {
    test(`"${args}" is a usage error`, async () => {
      const result = await cli(args, { BELLBIRD_DATA: folder() }, 'secret');
      expect(result.code).toBe(2);
      expect(result.err).toMatch(pattern);
      const hint =
        args === 'sevre'
          ? 'Run "bellbird --help" to see the commands.'
          : `Run "bellbird ${args.split(' ')[0]} --help" to see how it is used.`;
      expect(result.err).toEndWith(hint);
    });
  }
  test('wrong settings are all told, and nothing starts', async () => {
    const result = await cli('serve', {
      BELLBIRD_PORT: 'x',
      BELLBIRD_FEED: 'y',
      BELLBIRD_DATA: '/dev/null/x',
    });
    expect(result.code).toBe(78);
    expect(result.err).toContain('BELLBIRD_PORT must be');
    expect(result.err).toContain('BELLBIRD_FEED must be');
  });
});

test('a command for accounts closes the data folder to others, like the server', async () => {
  const data = folder();
  await cli('user add anna', { BELLBIRD_DATA: data }, 'a good password');
  chmodSync(data, 0o755);
  chmodSync(join(data, 'bellbird.db'), 0o644);
  await cli('user list', { BELLBIRD_DATA: data });
  const modes = [data, join(data, 'bellbird.db')].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
});

test('restore works on a machine without a data folder, and says which file it could not read', async () => {
  const [old, elsewhere] = [folder(), folder()];
  const file = join(elsewhere, 'copy.db');
  expect((await cli('user add Anna --admin', { BELLBIRD_DATA: old }, 'secret')).code).toBe(0);
  expect((await cli(`backup ${file}`, { BELLBIRD_DATA: old })).code).toBe(0);
  const env = { BELLBIRD_DATA: join(elsewhere, 'var', 'lib', 'bellbird') };
  const loop = join(elsewhere, 'loop.db');
  symlinkSync(loop, loop);
  expect((await cli(`restore ${loop}`, env)).err).toBe(
    `The file ${loop} can't be read (ELOOP). Put a copy where the user of this command can read it.`,
  );
  expect((await cli(`restore ${elsewhere}/none.db`, env)).err).toBe(`There is no file ${elsewhere}/none.db.`);
  expect(existsSync(env.BELLBIRD_DATA)).toBe(false);
  expect((await cli(`restore ${file}`, env)).code).toBe(0);
  expect((await cli('user list', env)).out).toContain('Anna');
  const server = await startTestServer(env.BELLBIRD_DATA);
  await server.stop();
});

describe('user', () => {
  test('add, promote and list', async () => {
    const env = { BELLBIRD_DATA: join(folder(), 'new') };
    const nowhere = await cli('user list', env);
    expect([nowhere.code, nowhere.err]).toEqual([
      1,
      `There is no database in ${env.BELLBIRD_DATA}, so nothing was done. Set BELLBIRD_DATA to the data folder of your server.`,
    ]);
    for (const words of ['user promote anna', 'user password anna'])
      expect((await cli(words, env, 'a good password')).err).toContain('There is no database in');
    expect(existsSync(env.BELLBIRD_DATA)).toBe(false);
    expect(await cli('user add Anna --tier premium --email a@b.example', env, 'secret')).toEqual({
      code: 0,
      out: 'Added Anna.',
      err: '',
    });
    expect((await cli('user add Root --admin', env, 'secret')).out).toBe('Added Root, an administrator.');
    expect((await cli('user promote ANNA', env)).out).toBe('Anna is an administrator now.');
    const { out } = await cli('user list', env);
    expect(out.split('\n')).toEqual([
      'ID  Username  Email        Plan     Admin  Level  Created',
      '1   Anna      a@b.example  premium  admin  4      2026-11-18',
      '2   Root      -            free     admin  4      2026-11-18',
    ]);
  });

  const refused: [string, string, string | null, number, RegExp][] = [
    ['a taken name', 'user add ANNA', 'secret', 1, /already taken/],
    ['a short password', 'user add Bob', '12345', 1, /Password must be at least 6 characters\./],
    ['no password', 'user add Bob', null, 2, /Type the password/],
    ['an impossible email', 'user add Bob --email nonsense', 'secret', 1, /Enter a valid email address/],
    ['an unknown account', 'user promote Bob', null, 1, /There is no account with the name or email "Bob"\./],
    ['an unknown account', 'user password Bob', 'secret', 1, /There is no account/],
  ];
  for (const [why, args, secret, code, pattern] of refused) {
    test(`"${args}" is refused for ${why}`, async () => {
      const env = { BELLBIRD_DATA: folder() };
      await cli('user add Anna', env, 'secret');
      const result = await cli(args, env, secret);
      expect(result.code).toBe(code);
      expect(result.err).toMatch(pattern);
      expect(result.err).not.toContain('secret');
    });
  }

  test('works beside a running server, and a new password ends the sessions', async () => {
    const data = folder();
    const env = { BELLBIRD_DATA: data };
    const server = await startTestServer(data);
    const login = async (password: string) => {
      const response = await fetch(`${server.url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ identifier: 'anna', password }),
      });
      return (await response.json()) as { accessToken?: string; accessLevel?: number };
    };
    try {
      expect((await cli('user add anna', env, 'secret')).code).toBe(0);
      const first = await login('secret');
      expect(first.accessLevel).toBe(1);
      expect((await cli('user promote anna', env)).code).toBe(0);
      expect((await login('secret')).accessLevel).toBe(4);
      expect((await cli('user password anna', env, 'another')).code).toBe(0);
      const headers = { authorization: first.accessToken ?? '' };
      expect((await fetch(`${server.url}/api/settings`, { headers })).status).toBe(401);
      expect((await login('secret')).accessToken).toBeNull();
      expect((await login('another')).accessLevel).toBe(4);
    } finally {
      await server.stop();
    }
  });
});

describe('check', () => {
  test('passes in an empty folder and leaves it empty', async () => {
    const data = join(folder(), 'none');
    const result = await cli('check', { BELLBIRD_DATA: data });
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.out).toMatch(/Database {2,}There is none yet/);
    expect(result.out).toMatch(/Server {2,}Answers its health check/);
    expect(await Bun.file(join(data, 'bellbird.db')).exists()).toBe(false);
  });

  test('passes beside a running server', async () => {
    const data = folder();
    const server = await startTestServer(data);
    try {
      const result = await cli('check', { BELLBIRD_DATA: data, BELLBIRD_PORT: new URL(server.url).port });
      expect(result).toMatchObject({ code: 0, err: '' });
      expect(result.out).toMatch(/Database {2,}Sound, and of this version\./);
    } finally {
      await server.stop();
    }
  });

  test('fails with a sentence for a file that is no database', async () => {
    const data = folder();
    writeFileSync(join(data, 'bellbird.db'), 'this is not a database at all, only some text '.repeat(100));
    const result = await cli('check', { BELLBIRD_DATA: data });
    expect(result.code).toBe(1);
    expect(result.out).toMatch(
      /wrong {2,}Database {2,}The database .* can't be read \(file is not a database\)/,
    );
  });
});

test('a backup that need not stay is removed once it is at the target', async () => {
  const [data, nas] = [folder(), folder()];
  await cli('user add Anna --admin', { BELLBIRD_DATA: data }, 'secret');
  const env = { BELLBIRD_DATA: data, BELLBIRD_BACKUP_LOCAL: 'no' };
  const copies = () => readdirSync(join(data, 'backups')).filter((name) => name.endsWith('.db'));
  const missing = join(nas, 'not-mounted');
  expect((await cli('backup', { ...env, BELLBIRD_BACKUP_TARGET: missing })).code).not.toBe(0);
  expect(copies()).toHaveLength(1);
  rmSync(join(data, 'backups', copies()[0] ?? ''));
  const moved = await cli('backup', { ...env, BELLBIRD_BACKUP_TARGET: markTarget(nas) });
  expect(moved.out).toContain('It was removed here');
  expect([copies(), readdirSync(nas).length]).toEqual([[], 2]);
});

test('a backup goes to the target encrypted, and comes back from there and from a file', async () => {
  const [data, nas] = [folder(), folder()];
  const PASSPHRASE = 'some long words of mine';
  const env = { BELLBIRD_BACKUP_TARGET: markTarget(nas), BELLBIRD_BACKUP_PASSPHRASE: PASSPHRASE };
  await cli('user add Anna --admin', { BELLBIRD_DATA: data }, 'secret');
  const made = await cli('backup', { ...env, BELLBIRD_DATA: data });
  expect(made.out).toContain(`It was sent to the folder ${nas} as bellbird-`);
  const name = readdirSync(nas).find((file) => file !== 'bellbird-target.txt') ?? '';
  expect(name).toEndWith('.db.age');
  const elsewhere = join(folder(), 'new');
  const restoring = () => cli('restore --from-target', { ...env, BELLBIRD_DATA: elsewhere });
  expect((await restoring()).err).toBe('Nothing was changed. Add --yes to restore it without being asked.');
  answer.push('no');
  expect(await restoring()).toMatchObject({ code: 1, err: 'Nothing was changed.' });
  expect(readdirSync(elsewhere)).toEqual(['bellbird.lock']);
  answer.push('yes');
  const { out } = await restoring();
  expect(asked.at(-1)).toBe('Type yes to restore it: ');
  expect(out).toContain(`${name} in the folder ${nas}`);
  expect(out).toMatch(
    /made {6}18 Nov 2026, 11:00:00 Sydney \(just now\)\n {2}server {4}[a-z\d]{8}, version 1\.2\.3\n {2}accounts {2}1\n/,
  );
  expect(out).toContain(`Restored ${name}.`);
  expect((await cli('user list', { BELLBIRD_DATA: elsewhere })).out).toContain('Anna');

  const third = { BELLBIRD_DATA: join(folder(), 'third') };
  const file = join(nas, name);
  expect((await cli(`restore ${file}`, third, 'not that one')).err).toContain('does not open this backup');
  expect((await cli(`restore ${file}`, third, null)).err).toContain('is encrypted');
  expect(readdirSync(third.BELLBIRD_DATA)).toEqual(['bellbird.lock']);
  expect((await cli(`restore ${file}`, third, PASSPHRASE)).code).toBe(0);
  expect((await cli('user list', third)).out).toContain('Anna');

  const wrong = await cli('restore --from-target ../x', { ...env, BELLBIRD_DATA: elsewhere });
  expect(wrong.err).toContain(name);
  expect((await cli('restore --from-target', third)).err).toContain('BELLBIRD_BACKUP_TARGET');
});

test('restores from a target that others use: its own first, and nothing dated ahead of the clock', async () => {
  const [mine, others, nas] = [folder(), folder(), markTarget(folder())];
  const ofServer = (data: string) => ({ BELLBIRD_BACKUP_TARGET: nas, BELLBIRD_DATA: data });
  await cli('user add Anna --admin', { BELLBIRD_DATA: mine }, 'secret');
  await cli('user add Zoe --admin', { BELLBIRD_DATA: others }, 'secret');
  await cli('backup', ofServer(mine));
  const made = readdirSync(nas).find((name) => name.endsWith('.db')) ?? '';
  const dated = (day: string) => made.replace('2026-11-18', day);
  renameSync(join(nas, made), join(nas, dated('2026-11-15')));
  await cli('backup', ofServer(others));
  const foreign = readdirSync(nas).find((name) => name.includes('2026-11-18')) ?? '';
  writeFileSync(join(nas, dated('2031-01-01')), 'x');
  writeFileSync(join(nas, foreign.replace('2026-11-18', '2031-01-02')), 'x');

  const shown = await cli('restore --from-target', ofServer(mine));
  expect(shown.out).toContain(dated('2026-11-15'));
  expect(shown.out).toContain(`There are also backups of other servers: ${foreign.slice(9, 17)}.`);
  expect(shown.out).toContain(`2 dated ahead of the clock are left out. The newest: ${dated('2031-01-01')}`);

  rmSync(join(nas, dated('2026-11-15')));
  const other = await cli('restore --from-target --yes', ofServer(mine));
  expect([other.code, other.err]).toEqual([
    1,
    'Nothing was changed. Name the backup and add --yes to restore it without being asked.',
  ]);
  expect(other.out).toContain('There is no backup of this server: another one made it.');
  expect((await cli(`restore --from-target ${foreign} --yes`, ofServer(mine))).code).toBe(0);
  expect((await cli('user list', ofServer(mine))).out).toContain('Zoe');

  rmSync(join(nas, foreign));
  const ahead = await cli('restore --from-target --yes', ofServer(mine));
  expect(ahead.err).toContain('are dated ahead of the clock. Set the clock, or name one:');
});

test('a backup goes to a WebDAV folder, which is made for it, and a new server fetches it there', async () => {
  const dav = startFakeWebDav();
  try {
    const { url, user, password } = dav.place;
    const env = {
      ...{ BELLBIRD_BACKUP_TARGET: `${url}/new`, BELLBIRD_BACKUP_USER: user },
      ...{ BELLBIRD_BACKUP_PASSWORD: password, BELLBIRD_BACKUP_PASSPHRASE: 'some long words of mine' },
      BELLBIRD_BACKUP_KEPT: '2',
    };
    const data = folder();
    await cli('user add Anna --admin', { BELLBIRD_DATA: data }, 'secret');
    const elsewhere = join(folder(), 'new');
    const early = await cli('restore --from-target', { ...env, BELLBIRD_DATA: elsewhere });
    expect(early.err).toContain('The first backup makes it');
    dav.files.set('pi/new/bellbird-zzzzzzzz-nightly-2020-01-01T16-10-00-000Z.db.age', new Uint8Array(1));
    dav.files.set('pi/new/photo.jpg', new Uint8Array(1));
    const made = await cli('backup', { ...env, BELLBIRD_DATA: data });
    expect(made.out).toContain(`It was sent to the WebDAV folder ${url}/new as bellbird-`);
    const newest = [...dav.files.keys()].find((name) => name.includes('2026-11-18')) ?? '';
    const others = [...dav.files.keys()].filter((name) => name !== newest);
    const older = ['2026-11-16', '2026-11-17'].map((day) => newest.replace('2026-11-18', day));
    for (const name of [...older, `${older[0]}.partial`]) dav.files.set(name, new Uint8Array(1));
    rmSync(join(data, 'backups'), { recursive: true });
    expect((await cli('backup', { ...env, BELLBIRD_DATA: data })).code).toBe(0);
    expect([...dav.files.keys()].toSorted()).toEqual([...others, older[1] ?? '', newest].toSorted());
    const restored = await cli('restore --from-target --yes', { ...env, BELLBIRD_DATA: elsewhere });
    expect(restored).toMatchObject({ code: 0, err: '' });
    expect((await cli('user list', { BELLBIRD_DATA: elsewhere })).out).toContain('Anna');
  } finally {
    void dav.stop();
  }
});
