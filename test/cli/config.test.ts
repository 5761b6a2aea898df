import { describe, expect, test } from 'bun:test';
import { quietly } from '#src/cli/check.ts';
import { helpText } from '#src/cli/help.ts';
import { ConfigError, loadConfig, SETTINGS } from '#src/config/config.ts';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe('valid values', () => {
  const good: [Record<string, string>, object][] = [
    [{ BELLBIRD_PORT: '0' }, { port: 0 }],
    [{ PORT: '8080', BELLBIRD_PORT: '9090' }, { port: 9090 }],
    [{ BELLBIRD_HOST: '[::1]' }, { host: '::1' }],
    [{ BELLBIRD_FEED: 'TradingView' }, { feed: 'tradingview' }],
    [{ BELLBIRD_PUBLIC_URL: 'https://b.example:8443/' }, { publicUrl: 'https://b.example:8443' }],
    [
      { BELLBIRD_SIM_START: '09:45', BELLBIRD_SIM_SPEED: '0.5' },
      { simulator: { seed: 1, start: '09:45', speed: 0.5 } },
    ],
    [{}, { trustedProxies: ['127.0.0.0/8', '::1'] }],
    [
      { BELLBIRD_TRUSTED_PROXIES: ' 10.0.0.5,172.16.0.0/12 fd00::/8' },
      { trustedProxies: ['10.0.0.5', '172.16.0.0/12', 'fd00::/8'] },
    ],
    [{ BELLBIRD_TRUSTED_PROXIES: 'None' }, { trustedProxies: [] }],
  ];
  for (const [env, part] of good) {
    test(JSON.stringify(env), () => expect(loadConfig(env).config).toMatchObject(part));
  }
});

test('limits the streams to the open files, with one warning', () => {
  const { config, warnings } = loadConfig({}, null, 1024);
  expect(config.streams.all).toBe(412);
  expect(warnings).toEqual([
    'The system allows 1024 open files, so Bellbird serves at most 412 live streams instead of 10000 (BELLBIRD_MAX_STREAMS). To raise the limit, set LimitNOFILE in the systemd unit, or ulimit -n.',
  ]);
  expect(loadConfig({}, null, 64).config.streams.all).toBe(16);
});

describe('invalid values', () => {
  const wrong: [string, string][] = [
    ['BELLBIRD_PORT', '65536'],
    ['PORT', 'tcp://10.0.0.1:80'],
    ['BELLBIRD_TEST', 'maybe'],
    ['BELLBIRD_FEED', 'bloomberg'],
    ['BELLBIRD_PUBLIC_URL', 'javascript:alert(1)'],
    ['BELLBIRD_SIM_START', '24:00'],
    ['BELLBIRD_POLL_SECONDS', '1e9'],
    ['BELLBIRD_PRIMARY_URL', 'primary:3000'],
    ['BELLBIRD_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['BELLBIRD_TRUSTED_PROXIES', '10.0.0.5, none'],
  ];
  for (const [name, value] of wrong) {
    test(`${name}=${value}`, () => {
      const problems = problemsOf({ [name]: value });
      expect(problems).toHaveLength(1);
      expect(problems[0]).toStartWith(`${name} must be `);
      expect(problems[0]).toEndWith(`, but it is "${value}".`);
    });
  }
  test('rejects a value in quotes or followed by a comment, and shows no secret', () => {
    const quoted = ' must not be in quotes (they become part of the value)';
    const commented = ' must not be followed by a comment (put the comment on its own line)';
    const cases: [string, string, string][] = [
      ['BELLBIRD_FEED', '"tradingview"', `${quoted}, but it is ""tradingview"".`],
      ['BELLBIRD_BACKUP_PASSPHRASE', '"some long words"', `${quoted}.`],
      ['BELLBIRD_BACKUP_PASSPHRASE', 'some long words # kept at home', `${commented}.`],
      ['BELLBIRD_PORT', '8080\t#web', `${commented}, but it is "8080\t#web".`],
    ];
    for (const [name, value, problem] of cases)
      expect(problemsOf({ [name]: value })).toEqual([name + problem]);
  });
});

describe('relays', () => {
  const both = {
    BELLBIRD_ENGINE_URL: 'rediss://:word@engine.example:6380',
    BELLBIRD_RELAY_SECRET: 'a long random text',
  };
  test('are off by default, and need both an address and a secret', () => {
    const loaded = loadConfig({
      ...both,
      BELLBIRD_PRIMARY_URL: 'http://10.0.0.5:3000/',
      BELLBIRD_RELAY_NAME: ' a ',
    });
    expect(loaded.warnings).toEqual([]);
    expect(loaded.config.relays).toEqual({
      engineUrl: both.BELLBIRD_ENGINE_URL,
      secret: both.BELLBIRD_RELAY_SECRET,
      primaryUrl: 'http://10.0.0.5:3000',
      name: 'a',
    });
    expect(loaded.config.secrets).toEqual(expect.arrayContaining([...Object.values(both), 'word']));
    const open = loadConfig({ ...both, BELLBIRD_ENGINE_URL: 'redis://engine.example' }).config;
    expect(open.secrets).toEqual([both.BELLBIRD_RELAY_SECRET]);
    expect(problemsOf({ BELLBIRD_ENGINE_URL: both.BELLBIRD_ENGINE_URL })).toEqual([
      'BELLBIRD_RELAY_SECRET must be set when BELLBIRD_ENGINE_URL is: relays need both.',
    ]);
    expect(problemsOf({ BELLBIRD_RELAY_SECRET: both.BELLBIRD_RELAY_SECRET })).toEqual([
      'BELLBIRD_ENGINE_URL must be set when BELLBIRD_RELAY_SECRET is: relays need both.',
    ]);
  });
  test('does not show a wrong engine address, because it may contain a password', () => {
    for (const value of ['http://:word@engine', 'engine:6379', 'redis://']) {
      expect(problemsOf({ ...both, BELLBIRD_ENGINE_URL: value })[0]).toBe(
        'BELLBIRD_ENGINE_URL must be a full address that starts with redis:// or rediss://.',
      );
    }
  });
  test('are off during a check, because relays would take it for the running server', () =>
    expect(quietly(loadConfig(both).config, 'copy').relays).toMatchObject({ engineUrl: null, secret: null }));
});

describe('warnings', () => {
  test('ignores an unknown name and suggests a known one', () => {
    expect(loadConfig({ BELLBIRD_PROT: '1' }).warnings).toEqual([
      'BELLBIRD_PROT is not a setting of Bellbird and is ignored. Did you mean BELLBIRD_PORT?',
    ]);
    expect(loadConfig({ bellbird_port: '1' }).warnings[0]).toEndWith('Did you mean BELLBIRD_PORT?');
    expect(loadConfig({ BELLBIRD_SOMETHING_ELSE_ALTOGETHER: '1' }).warnings[0]).toEndWith('is ignored.');
  });
  test('warns about weak secrets without showing them', () => {
    const { warnings } = loadConfig({
      BELLBIRD_JWT_SECRET: 'hunter2',
      BELLBIRD_INGEST_KEY: 'swordfish',
      BELLBIRD_BACKUP_PASSPHRASE: 'guesswork',
    });
    expect(warnings).toHaveLength(3);
    expect(warnings.join()).not.toMatch(/hunter2|swordfish|guesswork/);
  });
});

test('the help lists every setting', () => {
  const help = helpText();
  for (const name of Object.keys(SETTINGS)) expect(help).toContain(`  ${name} `);
});

describe('backup target', () => {
  const bucket = {
    BELLBIRD_BACKUP_TARGET: 's3://vault/pi/',
    BELLBIRD_BACKUP_USER: 'id',
    BELLBIRD_BACKUP_PASSWORD: 'the secret of the key',
  };
  const PASSPHRASE = { BELLBIRD_BACKUP_PASSPHRASE: 'some long words of mine' };

  test('accepts a bucket with a passphrase', () => {
    const { config, warnings } = loadConfig({ ...bucket, ...PASSPHRASE });
    expect(warnings).toEqual([]);
    expect(config.backup).toMatchObject({
      place: { kind: 's3', bucket: 'vault', prefix: 'pi', keyId: 'id' },
      lock: { kind: 'passphrase' },
    });
    expect(config.secrets).toEqual([bucket.BELLBIRD_BACKUP_PASSWORD, PASSPHRASE.BELLBIRD_BACKUP_PASSPHRASE]);
  });
  test('requires encryption for a target outside the machine', () => {
    expect(problemsOf(bucket).join()).toContain('because they must be encrypted');
    expect(problemsOf({ ...PASSPHRASE, BELLBIRD_BACKUP_TARGET: 's3://vault' }).join()).toContain(
      'BACKUP_USER',
    );
  });
  test('accepts a WebDAV folder over https, and over http in a private network', () => {
    const login = { BELLBIRD_BACKUP_USER: 'me', BELLBIRD_BACKUP_PASSWORD: 'the password of an app' };
    const placeAt = (url: string) =>
      loadConfig({ ...login, ...PASSPHRASE, BELLBIRD_BACKUP_TARGET: url }).config.backup.place;
    expect(placeAt(' https://cloud.example.com/remote.php/dav/files/me/Bell Bird/ ')).toEqual({
      kind: 'webdav',
      url: 'https://cloud.example.com/remote.php/dav/files/me/Bell%20Bird',
      user: 'me',
      password: login.BELLBIRD_BACKUP_PASSWORD,
    });
    const near = ['127.0.0.1:8080', '192.168.1.9', '[::1]', '[fd00::9]', 'nas', 'nas.local', 'nas.lan:5005'];
    for (const host of near) expect(placeAt(`http://${host}/dav`)?.kind).toBe('webdav');
    const webdav = { ...login, BELLBIRD_BACKUP_TARGET: 'https://cloud.example.com/dav' };
    expect(problemsOf(webdav).join()).toContain('because they must be encrypted');
    expect(problemsOf({ ...webdav, ...PASSPHRASE, BELLBIRD_BACKUP_PASSWORD: '' }).join()).toContain(
      'must be set when the backup target is a WebDAV folder',
    );
    expect(problemsOf({ ...webdav, ...PASSPHRASE, BELLBIRD_BACKUP_USER: 'a:b' }).join()).toContain('colon');
  });
  test('rejects a WebDAV address that exposes the password or is not a folder', () => {
    const problemOf = (target: string): string =>
      problemsOf({ BELLBIRD_BACKUP_TARGET: target, ...PASSPHRASE }).join();
    for (const host of ['cloud.example.com', '8.8.8.8', '[2001:4860::8]', 'nas.local.example.com'])
      expect(problemOf(`http://${host}/dav`)).toContain('must start with https://');
    const planted = problemOf('https://me:planted@cloud.example.com/dav');
    expect(planted).toContain('BELLBIRD_BACKUP_USER and BELLBIRD_BACKUP_PASSWORD');
    expect(planted).not.toContain('planted');
    for (const end of ['?a', '#a']) expect(problemOf(`https://c.example/dav${end}`)).toContain('without ?');
    expect(problemOf('https://')).toContain('full address');
  });
  test('accepts a folder without encryption, but not together with settings', () => {
    expect(loadConfig({ BELLBIRD_BACKUP_TARGET: '/mnt/nas' }).config.backup.lock).toBeNull();
    const withSettings = { BELLBIRD_BACKUP_TARGET: '/mnt/nas', BELLBIRD_BACKUP_WITH: 'all' };
    expect(problemsOf(withSettings).join()).toContain('because they contain secrets');
  });
});
