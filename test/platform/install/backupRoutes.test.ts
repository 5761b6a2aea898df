import { afterEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { BackupReport, BackupWriter } from '#platform/install/shared/jobProcess.ts';
import { putBackups } from '#support/backupFolder.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { createTestApp, PASSWORD, START, type TestApp } from '#support/testApp.ts';

const newFolder = tempFolders();
const HOUR = 3_600_000;
const apps: TestApp[] = [];
afterEach(() => {
  for (const app of apps.splice(0)) app.close();
});

/** An application on a data folder; the test writes its backups and progress. */
function setUp(writeBackup?: BackupWriter): { app: TestApp; backups: string } {
  const dataDir = newFolder();
  const app = createTestApp({ config: { dataDir }, runtime: writeBackup ? { writeBackup } : {} });
  apps.push(app);
  return { app, backups: join(dataDir, 'backups') };
}

const list = async (app: TestApp) =>
  (await app.request('GET', '/api/admin/backups', { as: 'admin' })).json as {
    backups: Record<string, unknown>[];
    running: { kind: string } | null;
    failure: { reason: string } | null;
    disk: { free: number; low: boolean };
    nextNightly: number;
  };
/** Reads the list until it matches; a backup in tests finishes within a few turns of the loop. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) if (await isSo()) return;
  throw new Error('The list never matched.');
}
const audited = (app: TestApp) =>
  app.db.$client.query('SELECT action, target, user_id AS userId FROM audit_entries').all();

test('Back up now reports its start, its progress, and the new backup', async () => {
  const { promise, resolve } = Promise.withResolvers<BackupReport>();
  const names: string[] = [];
  const { app } = setUp((_, name) => {
    names.push(name);
    return { finished: promise, cancel: () => {} };
  });
  const post = () => app.request('POST', '/api/admin/backups', { as: 'admin' });
  expect((await post()).status).toBe(200);
  expect(names).toEqual(['manual-2026-11-18T00-00-00-000Z.db']);
  expect((await list(app)).running).toMatchObject({ kind: 'manual', startedAt: START });
  const second = await post();
  expect([second.status, second.text]).toEqual([
    409,
    '{"error":"Another backup is being made. Try again when it is done."}',
  ]);
  resolve({ ok: true, bytes: 5 });
  await until(async () => (await list(app)).running === null);
  const { id } = await app.user('admin');
  expect(audited(app)).toEqual([{ action: 'back up', target: 'database', userId: id }]);
});

describe('a download', () => {
  const asked = (app: TestApp, name: string, password: unknown) =>
    app.request('POST', `/api/admin/backups/${name}/download`, { as: 'admin', body: { password } });
  const withOne = async () => {
    const { app, backups } = setUp();
    const [name = ''] = await putBackups(backups, [{ kind: 'manual', at: START - HOUR, text: 'everything' }]);
    return { app, backups, name };
  };

  test('needs the password again, and then works once at an address without a session', async () => {
    const { app, name } = await withOne();
    const answer = await asked(app, name, PASSWORD);
    expect(answer.status).toBe(200);
    const { url } = answer.json as { url: string };
    expect(audited(app)).toEqual([]);
    const file = await app.request('GET', url);
    expect([file.status, file.text]).toEqual([200, 'everything']);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="bellbird-${name}"`);
    const { id } = await app.user('admin');
    expect(audited(app)).toEqual([{ action: 'download backup', target: name, userId: id }]);
    expect((await app.request('GET', url)).status).toBe(404);
  });

  test('ends if its administrator loses the role, logs out or deletes the account', async () => {
    const leave: ((app: TestApp, as: { token: string }, id: number) => unknown)[] = [
      (app, _, id) => app.db.$client.run('UPDATE users SET is_admin = 0 WHERE id = ?', [id]),
      (app, as) => app.request('POST', '/api/logout', { as }),
      (app, as) => app.request('POST', '/api/settings/delete-account', { as, body: { password: PASSWORD } }),
    ];
    for (const left of leave) {
      const { app, name } = await withOne();
      await app.user('admin');
      const other = await app.addUser('other', { isAdmin: true });
      const as = { token: await app.tokenOf(other) };
      const path = `/api/admin/backups/${name}/download`;
      const { json } = await app.request('POST', path, { as, body: { password: PASSWORD } });
      await left(app, as, other.id);
      expect((await app.request('GET', (json as { url: string }).url)).status).toBe(404);
    }
  });

  test('is refused with a wrong password, which ends no session, and after ten attempts in all', async () => {
    const { app, name } = await withOne();
    const wrong = await asked(app, name, 'not it');
    expect([wrong.status, wrong.json]).toEqual([
      400,
      { error: 'That is not your password.', field: 'password' },
    ]);
    for (const password of ['', undefined]) expect((await asked(app, name, password)).status).toBe(400);
    for (let index = 0; index < 7; index += 1) await asked(app, name, `guess ${index}`);
    const right = await asked(app, name, PASSWORD);
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await list(app)).backups).toHaveLength(1);
    app.clock.advance(5 * 60_000);
    expect((await asked(app, name, PASSWORD)).status).toBe(200);
  });

  test.each([
    '..%2F..%2Fjwt-secret',
    '..%2Fbellbird.db',
    'backup.lock',
    'nightly-2026-01-01T00-00-00-000Z.db',
    '%00',
    'a'.repeat(160),
  ])('of %s is refused: only listed files are served', async (path) => {
    const { app, backups } = await withOne();
    await Bun.write(join(backups, 'backup.lock'), 'x');
    const answer = await asked(app, path, PASSWORD);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.text).not.toContain('url');
  });
});
