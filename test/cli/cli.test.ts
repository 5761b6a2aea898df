import { describe, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultLines, summaryLine } from '#src/cli/check.ts';
import { bad, doubtful, good } from '#lib/checkResult.ts';
import type { Program } from '#platform/install/shared/processControl.ts';
import { post } from '../support/executable.ts';
import { cli } from '../support/runCli.ts';
import { tempFolders } from '../support/tempFolder.ts';
import { startTestServer } from '../support/testServer.ts';

const folder = tempFolders();

describe('the command line', () => {
  test('version prints the release and the commit, and marks an executable without a key as unsigned', async () => {
    const version = (program: Partial<Program>) => cli('version', {}, null, undefined, program);
    expect((await cli('--version')).out).toBe('bellbird 1.2.3 (abcdef)');
    expect((await version({ isStandalone: true })).out).toBe('bellbird 1.2.3 (abcdef), unsigned');
    expect((await version({ isStandalone: true, releaseKey: 'KEY' })).out).toBe('bellbird 1.2.3 (abcdef)');
  });
  test('--help prints the help of a command, whatever else is typed', async () => {
    const { out } = await cli('--help');
    const listed = /Commands:\n([^]*?)\n\n/.exec(out)?.[1] ?? '';
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
  const nonsense: [string, RegExp][] = [
    ['sevre', /Unknown command "sevre"/],
    ['user', /Use "user" with add/],
    ['user add', /The account name is missing/],
    ['user add anna --tier gold', /--tier must be/],
    ['user promote anna --admin', /are only for "user add"/],
    ['user list anna', /takes no name/],
  ];
  for (const [args, pattern] of nonsense) {
    test(`"${args}" is a usage error`, async () => {
      const result = await cli(args, { BELLBIRD_DATA: folder() }, 'secret');
      expect(result.code).toBe(2);
      expect(result.err).toMatch(pattern);
      const hint =
        args === 'sevre'
          ? 'Run "bellbird --help" to list the commands.'
          : `Run "bellbird ${args.split(' ')[0]} --help" for its usage.`;
      expect(result.err).toEndWith(hint);
    });
  }
});

describe('user', () => {
  test('add, promote and list', async () => {
    const env = { BELLBIRD_DATA: join(folder(), 'new') };
    const nowhere = await cli('user list', env);
    expect([nowhere.code, nowhere.err]).toEqual([
      1,
      `There is no database in ${env.BELLBIRD_DATA}. Set BELLBIRD_DATA to the data folder of your server.`,
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
    expect((await cli('user promote ANNA', env)).out).toBe('Anna is now an administrator.');
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
    ['no password', 'user add Bob', null, 2, /The password is missing/],
    ['an impossible email', 'user add Bob --email nonsense', 'secret', 1, /Enter a valid email address/],
    ['an unknown account', 'user promote Bob', null, 1, /There is no account with the name or email "Bob"\./],
  ];
  for (const [why, args, secret, code, pattern] of refused) {
    test(`rejects "${args}" because of ${why}`, async () => {
      const env = { BELLBIRD_DATA: folder() };
      await cli('user add Anna', env, 'secret');
      const result = await cli(args, env, secret);
      expect(result.code).toBe(code);
      expect(result.err).toMatch(pattern);
      expect(result.err).not.toContain('secret');
    });
  }

  test('works while the server runs, and a new password ends the sessions', async () => {
    const data = folder();
    const env = { BELLBIRD_DATA: data };
    const server = await startTestServer(data);
    const login = async (password: string) => {
      const response = await post(`${server.url}/api/login`, { identifier: 'anna', password });
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
    expect(result.out).toMatch(/Server {2,}Starts and is healthy/);
    expect(await Bun.file(join(data, 'bellbird.db')).exists()).toBe(false);
  });

  test('reports a file that is not a database', async () => {
    const data = folder();
    writeFileSync(join(data, 'bellbird.db'), 'this is not a database at all, only some text '.repeat(100));
    const result = await cli('check', { BELLBIRD_DATA: data });
    expect(result.code).toBe(1);
    expect(result.out).toMatch(
      /wrong {2,}Database {2,}The database .* cannot be read \(file is not a database\)/,
    );
  });
});

/** A server that counts its requests. */
function counter() {
  let asked = 0;
  const fetch = () => {
    asked += 1;
    return new Response('no', { status: 500 });
  };
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch });
  return { url: `http://127.0.0.1:${server.port}`, asked: () => asked, stop: () => server.stop(true) };
}

test('check connects to other machines, except for an update or with --offline', async () => {
  const server = counter();
  const env = {
    BELLBIRD_DATA: join(folder(), 'none'),
    BELLBIRD_DISCORD_URL: server.url,
    BELLBIRD_DISCORD_TOKEN: 'planted.discord.token',
    // Fits the open-file limit of any machine.
    BELLBIRD_MAX_STREAMS: '20',
  };
  try {
    const silent = await cli('check --json', env);
    expect(JSON.parse(silent.out)).toEqual({ version: '1.2.3', commit: 'abcdef', migrations: 0 });
    expect([silent.code, (await cli('check --offline', env)).code, server.asked()]).toEqual([0, 0, 0]);
    const asking = await cli('check', env);
    expect([asking.code, server.asked()]).toEqual([1, 1]);
    expect(asking.out).toMatch(
      /wrong {2,}Discord {2,}Discord answered HTTP 500\.\n +→ The fault is not on this server/,
    );
    expect(asking.out).toMatch(/\d problems?[^\n]*\.$/);
    const { out } = await cli('check --json --network', env);
    expect(JSON.parse(out).findings).toContainEqual(
      expect.objectContaining({ what: 'Discord', state: 'wrong' }),
    );
  } finally {
    await server.stop();
  }
});

test('aligns lines, colours them only for a terminal, and removes control characters', () => {
  const results = [good('Disk', 'Fine.'), bad('Live stream', 'Bad\u001b[2J.', 'Mend it.')];
  expect(resultLines(results, false)).toEqual([
    'ok       Disk         Fine.',
    'wrong    Live stream  Bad [2J.',
    '                      → Mend it.',
  ]);
  expect(resultLines(results, true)[1]).toStartWith('\u001b[31mwrong');
  expect(summaryLine([...results, doubtful('A', 'b', 'c')])).toBe('1 problem, 1 warning.');
  expect(summaryLine([])).toBe('No problems found.');
});
