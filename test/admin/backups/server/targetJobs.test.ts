import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupName } from '../../../../src/admin/backups/rules/keptBackups.ts';
import { listBackupsAt, sendBackup, type SendJob } from '../../../../src/admin/backups/server/targetJobs.ts';
import { makeDatabase } from '../../../support/backupFolder.ts';
import { startFakeS3 } from '../../../support/fakeS3.ts';
import { mountSmallDisk } from '../../../support/smallDisk.ts';
import { tempFolders } from '../../../support/tempFolder.ts';

const newFolder = tempFolders();
const s3 = startFakeS3();
afterAll(() => s3.stop());
const NOW = Date.UTC(2026, 10, 27);
const MARKER = 'bellbird-target.txt';

/** A server whose backup is to go into a folder. */
function setUp(path = newFolder(), more: Partial<SendJob> = {}) {
  const database = makeDatabase(newFolder(), 'anna');
  const place = more.place ?? ({ kind: 'folder', path } as const);
  const send = (now = NOW) => {
    const name = backupName('nightly', now);
    const job: SendJob = {
      ...{ kind: 'send', database, place, lock: null, kept: 3, name, file: database, now },
      ...{ settings: null, recordings: null },
      ...more,
    };
    return sendBackup(job, () => {});
  };
  return { database, path, send, list: (now = NOW + 1000) => listBackupsAt({ place, database }, now) };
}

describe('a folder that may not be the one of the target', () => {
  test('is refused on the disk of the data, until the marker says that it is meant', async () => {
    const { path, send, list } = setUp();
    expect(await send().catch(String)).toContain('on the same disk as the data');
    expect((await list()).doubt).toContain('on the same disk as the data');
    expect(readdirSync(path)).toEqual([]);
    writeFileSync(join(path, MARKER), '');
    const { name } = await send();
    expect(readdirSync(path).toSorted()).toEqual([name, MARKER].toSorted());
    expect(await list()).toMatchObject({ backups: [{ name }], doubt: null });
  });

  test('is refused while its disk is not mounted, and when another disk is', async () => {
    const path = newFolder();
    const { send, list } = setUp(path);
    const disk = mountSmallDisk(path, 4096);
    if (disk === null) return;
    try {
      expect((await list()).doubt).toBeNull();
      await send();
      expect(existsSync(join(path, MARKER))).toBe(true);
      disk.release();
      expect(await send(NOW + 1).catch(String)).toMatch(/on the same disk as the data.* mount that/);
      expect(readdirSync(path)).toEqual([]);
      mountSmallDisk(path, 4096);
      expect(await send(NOW + 1).catch(String)).toContain('does not hold the backups that were sent there');
      expect((await list()).doubt).toContain('does not hold the backups');
      expect(readdirSync(path)).toEqual([]);
      writeFileSync(join(path, MARKER), '');
      await send(NOW + 1);
      expect((await list()).backups).toHaveLength(1);
    } finally {
      disk.release();
    }
  });
});

describe('a backup that has arrived is done', () => {
  test('also if nothing may be removed at the target', async () => {
    const { send, list } = setUp('', { place: s3.place, kept: 1 });
    expect((await send()).warning).toBeNull();
    s3.state.isLocked = true;
    for (const later of [1, 2, 3]) {
      const { warning } = await send(NOW + later);
      expect(warning).toBe(
        'Older files could not be removed there. The bucket vault lets nothing be removed: the key may not do this.',
      );
    }
    expect((await list()).backups).toHaveLength(4);
    s3.state.isLocked = false;
    expect((await send(NOW + 4)).warning).toBeNull();
    expect((await list()).backups).toHaveLength(1);
  });
});
