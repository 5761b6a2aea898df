import { expect, test } from 'bun:test';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeWebDav } from '../support/fakeWebDav.ts';
import { expectNothingPlanted, plantedEnv, plantFiles, plantRows, unpacked } from '../support/planted.ts';
import { cli } from '../support/runCli.ts';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();
const SECRET = 'the plantedPassword';

test('nothing that was planted anywhere is in the file, and what helps is', async () => {
  const data = folder();
  expect((await cli('user add plantedUser --admin', { BELLBIRD_DATA: data }, SECRET)).code).toBe(0);
  plantRows(join(data, 'bellbird.db'));
  plantFiles(data);
  const env = plantedEnv(data);
  const target = join(folder(), 'report.tar.gz');
  const result = await cli(`support ${target} --offline`, env);
  expect([result.code, statSync(target).mode & 0o777]).toEqual([0, 0o600]);
  const files = await unpacked(await Bun.file(target).bytes());
  expectNothingPlanted(files);
  expect(files.get('settings.txt')).toContain('BELLBIRD_TELEGRAM_TOKEN: set\n');
  expect(JSON.parse(files.get('database.json') ?? '')).toMatchObject({
    found: true,
    rows: { users: 1, linked_chats: 1 },
  });
  expect(JSON.parse(files.get('update.json') ?? '')).toMatchObject({
    phase: 'failed',
    steps: [{ outcome: 'failed', ms: 4 }],
  });
  expect(JSON.parse(files.get('sizes.json') ?? '')).toMatchObject({ recordings: { files: 1, bytes: 7 } });
  expect(JSON.parse(files.get('answers.json') ?? '')).toMatchObject({
    asx: { at: 5, rows: [{ headline: 'text of 7', count: 7, list: ['text of 7'] }] },
  });
  expect(files.get('log.txt')).toContain('http: Request method=GET path=… status=200 ms=3');
  expect(files.get('check.txt')).toMatch(/^ok {7}Server/m);
  expect((await cli(`support ${target}`, env)).err).toContain('already; name another one');
}, 60_000);

test('a damaged database still leaves a file, which says so', async () => {
  const data = folder();
  writeFileSync(join(data, 'bellbird.db'), 'no database '.repeat(1000));
  const target = join(folder(), 'report.tar.gz');
  expect((await cli(`support ${target} --offline`, { BELLBIRD_DATA: data })).code).toBe(0);
  const files = await unpacked(await Bun.file(target).bytes());
  expect(files.get('check.txt')).toContain('wrong    Database');
  expect(JSON.parse(files.get('database.json') ?? '')).toEqual({ unreadable: 'SQLiteError' });
});

test('what a look at the backup target said is in it without the address, user and password', async () => {
  const dav = startFakeWebDav();
  try {
    const data = folder();
    await cli('user add Anna --admin', { BELLBIRD_DATA: data }, SECRET);
    const target = join(folder(), 'report.tar.gz');
    const { url, user, password } = dav.place;
    const result = await cli(`support ${target}`, {
      ...{ BELLBIRD_DATA: data, BELLBIRD_NEWS: 'off', BELLBIRD_CALENDAR: 'off' },
      ...{ BELLBIRD_BACKUP_TARGET: `${url}/ELIZA`, BELLBIRD_BACKUP_USER: user },
      ...{ BELLBIRD_BACKUP_PASSWORD: password, BELLBIRD_BACKUP_PASSPHRASE: 'some long words of mine' },
    });
    expect(result.code).toBe(0);
    const files = await unpacked(await Bun.file(target).bytes());
    expect(files.get('check.txt')).toMatch(/^warning {2}Backup target: warning$/m);
    const all = [...files.values()].join('\n');
    for (const secret of [...dav.secrets, 'ELIZA', 'some long words']) expect(all).not.toContain(secret);
  } finally {
    void dav.stop();
  }
}, 60_000);
