import { expect, test } from 'bun:test';
import { existsSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markTarget } from '../support/backupFolder.ts';
import { answer, asked, cli } from '../support/runCli.ts';
import { tempFolders } from '../support/tempFolder.ts';
import { startTestServer } from '../support/testServer.ts';

const folder = tempFolders();

test('restores on a machine without a data folder, and names a file that it cannot read', async () => {
  const [old, elsewhere] = [folder(), folder()];
  const file = join(elsewhere, 'copy.db');
  expect((await cli('user add Anna --admin', { BELLBIRD_DATA: old }, 'secret')).code).toBe(0);
  expect((await cli(`backup ${file}`, { BELLBIRD_DATA: old })).code).toBe(0);
  const env = { BELLBIRD_DATA: join(elsewhere, 'var', 'lib', 'bellbird') };
  const loop = join(elsewhere, 'loop.db');
  symlinkSync(loop, loop);
  expect((await cli(`restore ${loop}`, env)).err).toBe(
    `Cannot read the file ${loop} (ELOOP). Copy it to a place that you can read.`,
  );
  expect((await cli(`restore ${elsewhere}/none.db`, env)).err).toBe(
    `The file ${elsewhere}/none.db does not exist. Check the path.`,
  );
  expect(existsSync(env.BELLBIRD_DATA)).toBe(false);
  expect((await cli(`restore ${file}`, env)).code).toBe(0);
  expect((await cli('user list', env)).out).toContain('Anna');
  const server = await startTestServer(env.BELLBIRD_DATA);
  await server.stop();
});

test('sends an encrypted backup to the target, and restores it from there and from a file', async () => {
  const [data, nas] = [folder(), folder()];
  const PASSPHRASE = 'some long words of mine';
  const env = { BELLBIRD_BACKUP_TARGET: markTarget(nas), BELLBIRD_BACKUP_PASSPHRASE: PASSPHRASE };
  await cli('user add Anna --admin', { BELLBIRD_DATA: data }, 'secret');
  const made = await cli('backup', { ...env, BELLBIRD_DATA: data });
  expect(made.out).toContain(`Sent to the folder ${nas} as bellbird-`);
  const name = readdirSync(nas).find((file) => file !== 'bellbird-target.txt') ?? '';
  expect(name).toEndWith('.db.age');
  const elsewhere = join(folder(), 'new');
  const restoring = () => cli('restore --from-target', { ...env, BELLBIRD_DATA: elsewhere });
  expect((await restoring()).err).toBe('Nothing was changed. To skip this question, add --yes.');
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

test('restores its own newest backup from a shared target, and ignores dates in the future', async () => {
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
  expect(shown.out).toContain(`Ignored 2 with dates in the future. The newest: ${dated('2031-01-01')}`);

  rmSync(join(nas, dated('2026-11-15')));
  const other = await cli('restore --from-target --yes', ofServer(mine));
  expect([other.code, other.err]).toEqual([
    1,
    'Nothing was changed. To skip this question, name the backup and add --yes.',
  ]);
  expect(other.out).toContain('This is a backup of another server. There is none of this server.');
  expect((await cli(`restore --from-target ${foreign} --yes`, ofServer(mine))).code).toBe(0);
  expect((await cli('user list', ofServer(mine))).out).toContain('Zoe');

  rmSync(join(nas, foreign));
  const ahead = await cli('restore --from-target --yes', ofServer(mine));
  expect(ahead.err).toContain('have dates in the future. Set the clock of this machine, or name a backup:');
});
