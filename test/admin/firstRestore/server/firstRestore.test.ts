import { afterEach, describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FirstRestore } from '#admin/firstRestore/server/index.ts';
import { listBackupsAt, prepare, type PrepareJob } from '#admin/backups/server/targetJobs.ts';
import { reasonOf } from '#lib/errors.ts';
import { loadConfig } from '#src/config/config.ts';
import { appOf } from '#support/appOf.ts';
import { createLog } from '#lib/log.ts';
import { encrypted } from '#platform/backupTarget/encryption.ts';
import { dropStaged, applyChosen } from '#platform/db/restore.ts';
import { openDb } from '#platform/db/open.ts';
import { writeBackup } from '#platform/db/backup.ts';
import { type JobRunner, jobsWith } from '#platform/install/shared/jobProcess.ts';
import { makeDatabase, usernamesIn } from '#support/backupFolder.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { createFakeClock, createTestApp, type TestApp } from '#support/testApp.ts';

const newFolder = tempFolders();
const NOW = Date.UTC(2026, 10, 27);
const PASSPHRASE = 'some long words of mine';
const ENCRYPTED = { kind: 'passphrase', passphrase: PASSPHRASE } as const;

/** Runs in this process what the server runs in a separate process. */
const runHere: JobRunner = (job, onProgress) => ({
  // The service creates the job, so it has that form.
  finished: ('from' in job
    ? prepare(job as unknown as PrepareJob, onProgress)
    : listBackupsAt(job as unknown as Parameters<typeof listBackupsAt>[0], NOW)
  ).then(
    (done) => ({ ok: true as const, ...done }),
    (error: unknown) => ({ ok: false as const, reason: reasonOf(error) }),
  ),
  cancel: () => {},
});

function setUp({ env = {}, free = 5e9 }: { env?: Record<string, string>; free?: number } = {}) {
  const [folder, elsewhere] = [newFolder(), newFolder()];
  const database = join(folder, 'bellbird.db');
  openDb({ path: database, copyFolder: null, now: 0 }).db.$client.close();
  const file = join(elsewhere, 'backup.db');
  writeBackup(makeDatabase(elsewhere, 'anna'), file, { at: NOW, version: '0.9.0' });
  const restarts: number[] = [];
  const app = appOf({
    clock: createFakeClock(NOW),
    log: createLog(() => {}),
    paths: { database },
    diskRoom: () => ({ free, size: free }),
    config: loadConfig(env).config,
    control: { supervisor: 'parent', restart: () => restarts.push(1) },
    accounts: { names: () => usernamesIn(database) },
  });
  const service = new FirstRestore(app, runHere, jobsWith(runHere, { database }));
  const send = (bytes: Uint8Array, chunkBytes = 100_000): void => {
    for (let at = 0; at < bytes.length; at += chunkBytes)
      service.write(at, bytes.length, bytes.subarray(at, at + chunkBytes));
  };
  const checked = async (secret: string | null = null, name: string | null = null) => {
    service.check(name, secret);
    while (service.view().state === 'checking') await Bun.sleep(5);
    return service.view();
  };
  return { folder, database, file, service, send, checked, restarts };
}

const lock = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
  const { content } = await encrypted(new Blob([bytes]).stream(), bytes.length, ENCRYPTED);
  return new Response(content).bytes();
};

describe('restoring a backup on a new server', () => {
  test('accepts pieces, shows the contents, and has the data after the next start', async () => {
    const { service, send, checked, file, database, folder, restarts } = setUp();
    send(readFileSync(file));
    expect(service.view()).toMatchObject({ state: 'arrived' });
    expect(await checked()).toMatchObject({
      state: 'ready',
      failure: null,
      preview: { madeAt: NOW, version: '0.9.0', accounts: 1, pending: 0 },
    });
    expect(usernamesIn(database)).toEqual([]);
    service.apply(0);
    expect(restarts).toEqual([1]);
    expect(() => service.apply(0)).toThrow('already chosen');
    service.drop();
    dropStaged(database);
    expect(applyChosen(database, NOW)).toMatchObject({ isApplied: true, names: [] });
    expect(usernamesIn(database)).toEqual(['anna']);
    expect(applyChosen(database, NOW)).toBeNull();
    expect(
      readdirSync(folder).filter((name) => /next|prepared|arriving|fetched|restoring/.test(name)),
    ).toEqual([]);
  });

  test('lets you try another passphrase for an encrypted backup without uploading it again', async () => {
    const { send, checked, file, folder } = setUp();
    send(await lock(readFileSync(file)));
    expect(await checked()).toMatchObject({
      state: 'arrived',
      failure: expect.stringContaining('encrypted'),
    });
    expect(await checked('another')).toMatchObject({ failure: expect.stringContaining('does not open') });
    expect(await checked(PASSPHRASE)).toMatchObject({ state: 'ready', preview: { accounts: 1 } });
    expect(existsSync(join(folder, 'bellbird.db.arriving'))).toBe(false);
  });

  test('reads one from the target with the passphrase in the settings', async () => {
    const nas = newFolder();
    const env = { BELLBIRD_BACKUP_TARGET: nas, BELLBIRD_BACKUP_PASSPHRASE: PASSPHRASE };
    const { service, checked, file } = setUp({ env });
    const name = 'bellbird-abcd1234-nightly-2026-11-17T16-10-00-000Z.db.age';
    writeFileSync(join(nas, name), await lock(readFileSync(file)));
    writeFileSync(join(nas, 'photo.jpg'), 'x');
    expect((await service.targetBackups()).map((backup) => backup.name)).toEqual([name]);
    for (const other of ['photo.jpg', '../bellbird.db', `../${nas.split('/').at(-1)}/${name}`]) {
      expect(await checked(null, other)).toMatchObject({
        state: 'none',
        failure: expect.stringContaining('no longer exists'),
      });
    }
    expect(await checked(null, name)).toMatchObject({ state: 'ready' });
  });
});

describe('refuses and removes', () => {
  const refusal = async (make: (file: string) => Uint8Array | Promise<Uint8Array>) => {
    const { send, checked, file, service, folder, database } = setUp();
    send(await make(file));
    const { failure, state } = await checked(PASSPHRASE);
    expect(state).toBe('arrived');
    expect(() => service.apply(0)).toThrow('No backup has been checked');
    expect(usernamesIn(database)).toEqual([]);
    expect(existsSync(join(folder, 'bellbird.db.prepared'))).toBe(false);
    return failure;
  };

  test('a file that is cut short, of another type, or without tables', async () => {
    expect(await refusal((file) => readFileSync(file).subarray(0, 200_000))).toContain(
      'damaged or cut short',
    );
    expect(await refusal(() => new TextEncoder().encode('PK\u0003\u0004../../etc/passwd'))).toContain(
      'not a database',
    );
    expect(await refusal(async (file) => (await lock(readFileSync(file))).subarray(0, 300_000))).toContain(
      'cut short',
    );
  });

  test('pieces that do not fit together, and a file that is too large for the disk', () => {
    const { service } = setUp();
    service.write(0, 10, new Uint8Array(4));
    expect(() => service.write(5, 10, new Uint8Array(2))).toThrow('missing or out of order');
    expect(() => service.write(4, 10, new Uint8Array(7))).toThrow('missing or out of order');
    expect(() => service.check(null, null)).toThrow('not complete yet');
    const { service: full } = setUp({ free: 60_000_000 });
    expect(() => full.write(0, 8_000_000, new Uint8Array(4))).toThrow('not enough disk space');
  });
});

describe('a kill at any step', () => {
  test('leaves the empty server before the choice, and the whole backup after it', async () => {
    const { send, checked, service, file, database, folder } = setUp();
    const startAgain = () => {
      const copy = newFolder();
      for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(copy, name));
      const path = join(copy, 'bellbird.db');
      dropStaged(path);
      applyChosen(path, NOW);
      const left = readdirSync(copy).filter((name) => /next|prepared|arriving|fetched|restoring/.test(name));
      return [usernamesIn(path), left];
    };
    const bytes = readFileSync(file);
    service.write(0, bytes.length, bytes.subarray(0, 5000));
    expect(startAgain()).toEqual([[], []]);
    send(bytes);
    expect(startAgain()).toEqual([[], []]);
    writeFileSync(`${database}.fetched`, bytes.subarray(0, 5000));
    writeFileSync(`${database}.restoring`, bytes.subarray(0, 5000));
    writeFileSync(`${database}.restoring-wal`, 'x');
    expect(startAgain()).toEqual([[], []]);
    await checked();
    expect(startAgain()).toEqual([[], []]);
    service.apply(0);
    expect(startAgain()).toEqual([['anna'], []]);
    // Killed during the change: the old database already has its second name.
    copyFileSync(database, `${database}.replaced-2026-11-26T00-00-00-000Z`);
    expect(startAgain()).toEqual([['anna'], []]);
  });

  const register = (database: string, isAdmin: boolean): void => {
    const { db } = openDb({ path: database, copyFolder: null, now: 0 });
    db.$client.run(
      "INSERT INTO users (username, username_key, password_hash, created_at, is_admin) VALUES ('zoe', 'zoe', 'x', 0, ?)",
      [isAdmin],
    );
    db.$client.close();
  };

  test.each([
    ['a stranger', 'does not undo the choice, and is named', false],
    ['an administrator', 'keeps the account', true],
  ])('%s who registers before the restart is over %s', async (_, _what, isAdmin) => {
    const { send, checked, service, file, database } = setUp();
    send(readFileSync(file));
    await checked();
    service.apply(0);
    register(database, isAdmin);
    const { isApplied, names, kept } = applyChosen(database, NOW) ?? {};
    expect([isApplied, names, kept === null]).toEqual([!isAdmin, ['zoe'], isAdmin]);
    expect(usernamesIn(database)).toEqual([isAdmin ? 'zoe' : 'anna']);
    if (kept) expect(usernamesIn(kept)).toEqual(['zoe']);
    expect(applyChosen(database, NOW)).toBeNull();
  });
});

describe('the routes', () => {
  const opened: TestApp[] = [];
  afterEach(() => {
    for (const app of opened.splice(0)) app.close();
  });

  const ROUTES = [
    ['GET', '/api/setup/restore'],
    ['GET', '/api/setup/restore/target'],
    ['POST', '/api/setup/restore/piece?at=0&size=5'],
    ['POST', '/api/setup/restore/check'],
    ['POST', '/api/setup/restore/apply'],
  ] as const;

  test('accept only the set-up link of a server without an administrator', async () => {
    const app = createTestApp();
    opened.push(app);
    app.db.$client.run('DELETE FROM users');
    const token = app.parts.accounts.service.createSetupToken() ?? '';
    const statuses = (given: string) =>
      Promise.all(
        ROUTES.map(async ([method, path]) => {
          const headers = { 'x-setup-token': given, 'content-type': 'application/json' };
          const body = path.endsWith('/check') || path.endsWith('/apply') ? '{}' : null;
          const request = new Request(`http://localhost${path}`, { method, headers, body });
          return (await app.api.handle(request)).status;
        }),
      );
    expect(await statuses('')).toEqual([403, 403, 403, 403, 403]);
    expect(await statuses(`${token}x`)).toEqual([403, 403, 403, 403, 403]);
    expect(await statuses(token)).toEqual([200, 409, 409, 409, 409]);
    // A stranger’s registration neither closes it nor invalidates the link.
    const stranger = { username: 'stranger', password: 'a good password', email: null };
    expect((await app.request('POST', '/api/register', { body: stranger })).status).toBe(200);
    app.parts.firstRestore.prune();
    expect(await statuses(token)).toEqual([200, 409, 409, 409, 409]);
    const own = { username: 'owner', password: 'a good password', email: null, setupToken: token };
    expect((await app.request('POST', '/api/register', { body: own })).json).toMatchObject({
      accessLevel: 4,
    });
    expect(await statuses(token)).toEqual([403, 403, 403, 403, 403]);
  });
});
