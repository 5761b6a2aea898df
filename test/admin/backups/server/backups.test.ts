import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '#platform/db/open.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import type { Config } from '#src/config/config.ts';
import { Backups } from '#admin/backups/server/service.ts';
import type { TargetOfBackups } from '#admin/backups/server/targetState.ts';
import { createNightly } from '#admin/nightlyJobs/server/index.ts';
import { backupName, readBackupName } from '#admin/backups/rules/keptBackups.ts';
import type { BackupReport } from '#platform/install/shared/jobProcess.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import type { Part } from '#platform/app.ts';
import { makeDatabase, putBackups } from '#support/backupFolder.ts';
import { createHandScheduler } from '#support/handScheduler.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { listBackupsAt, sendBackup, type SendJob } from '#admin/backups/server/targetJobs.ts';
import { startFakeS3 } from '#support/fakeS3.ts';
import { mountSmallDisk } from '#support/smallDisk.ts';
import { appOf, standIn } from '#support/appOf.ts';

describe('nightly jobs', () => {
  const newFolder = tempFolders();
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  const DAY = 24 * HOUR;
  /** Sunday 22 November 2026, 20:00 in Sydney. 03:10 is seven hours and ten minutes away. */
  const EVENING = Date.UTC(2026, 10, 22, 9);
  const NIGHT = Date.UTC(2026, 10, 22, 16, 10);

  const opened: Db[] = [];
  afterEach(() => {
    for (const db of opened.splice(0)) db.$client.close();
  });

  type Options = {
    parts?: Part[];
    db?: Db;
    folder?: string;
    start?: number;
    everyDays?: number;
    isKeptLocally?: boolean;
  };

  function setUp({
    parts = [],
    db = openMemoryDb(),
    folder = newFolder(),
    start = EVENING,
    everyDays = 1,
    isKeptLocally = true,
  }: Options = {}) {
    if (!opened.includes(db)) opened.push(db);
    const hand = createHandScheduler(start);
    const lines: LogLine[] = [];
    const log = createLog((line) => lines.push(line));
    const state = {
      report: { ok: true, bytes: 5 } as BackupReport,
      /** What the target answers; null if there is no target. */
      sending: null as BackupReport | null,
      arrived: null as { madeAt: number; bytes: number } | null,
    };
    const sent: string[] = [];
    const written: string[] = [];
    const own = {
      db,
      clock: hand,
      log,
      paths: { backups: folder, database: join(folder, 'none.db'), logs: folder },
      config: {
        backup: standIn<Config['backup']>({
          everyDays,
          isKeptLocally,
          place: { kind: 'folder', path: '/nowhere' },
        }),
      },
    };
    const backups = new Backups(
      appOf(own),
      standIn<TargetOfBackups>({
        send: async (name) => {
          if (state.sending !== null) sent.push(name);
          if (state.sending?.ok) state.arrived = { madeAt: readBackupName(name)?.madeAt ?? 0, bytes: 9 };
          return state.sending;
        },
        progress: () => 0,
        cancel: () => {},
        view: () => null,
        arrived: () => (state.sending === null ? undefined : state.arrived),
      }),
      (_, name) => {
        written.push(name);
        if (state.report.ok && (everyDays > 1 || state.sending !== null))
          writeFileSync(join(folder, name), 'x');
        return { finished: Promise.resolve(state.report), cancel: () => {} };
      },
    );
    const nightly = createNightly(appOf({ ...own, backups, schedule: hand.schedule }), parts, () => 0.5);
    /** Lets time pass and running jobs finish. */
    const pass = async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= MINUTE) {
        hand.advance(Math.min(left, MINUTE));
        for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
      }
    };
    return { db, folder, state, written, sent, backups, nightly, pass, lines };
  }

  describe('the nightly work', () => {
    test('runs once per night, some minutes after 03:10, and not at the first start', async () => {
      const { nightly, pass, written } = setUp();
      nightly.start();
      await pass(NIGHT - EVENING + 4 * MINUTE);
      expect(written).toEqual([]);
      await pass(5 * MINUTE);
      expect(written).toHaveLength(1);
      expect(written[0]).toStartWith('nightly-2026-11-22T16-1');
      await pass(2 * DAY);
      expect(written).toHaveLength(3);
      nightly.stop();
      await pass(2 * DAY);
      expect(written).toHaveLength(3);
    });

    test('removes old data in batches and logs it in one line', async () => {
      let left = 600;
      const parts: Part[] = [
        {
          name: 'slow',
          prune() {
            const removed = Math.min(250, left);
            left -= removed;
            return { removed, hasMore: left > 0 };
          },
        },
        {
          name: 'broken',
          prune() {
            throw new Error('no');
          },
        },
        { name: 'idle', prune: () => ({ removed: 0, hasMore: false }) },
        { name: 'other' },
      ];
      const { nightly, pass, folder, lines } = setUp({ parts });
      for (const [name, age] of [
        ['bellbird.log.4', 40],
        ['bellbird.log.1', 2],
        ['bellbird.log', 40],
        ['notes', 40],
      ] as const) {
        await Bun.write(join(folder, name), 'line\n');
        utimesSync(join(folder, name), new Date(EVENING - age * DAY), new Date(EVENING - age * DAY));
      }
      nightly.start();
      await pass(NIGHT - EVENING + 20 * MINUTE);
      expect(readdirSync(folder).sort()).toEqual(['bellbird.log', 'bellbird.log.1', 'notes']);
      const finished = lines.filter(({ message }) => message === 'The nightly work has finished');
      expect(finished).toHaveLength(1);
      expect(finished[0]?.properties).toMatchObject({
        removed: { slow: 600, 'log files': 1 },
        backup: expect.stringMatching(/^nightly-/),
      });
      expect(
        lines.some(({ level, properties }) => level === 'error' && properties['part'] === 'broken'),
      ).toBe(true);
    });
  });

  test('retries a failed backup soon after a restart, because a restart applies a corrected setting', async () => {
    const first = setUp();
    first.state.report = { ok: false, reason: 'There is not enough space in backups.' };
    first.nightly.start();
    await first.pass(NIGHT - EVENING + 20 * MINUTE);
    first.nightly.stop();
    expect(first.written).toHaveLength(1);
    const later = setUp({ db: first.db, folder: first.folder, start: NIGHT + 30 * MINUTE });
    later.nightly.start();
    await later.pass(4 * MINUTE);
    expect(later.written).toHaveLength(1);
    expect(later.backups.failure()).toBeNull();
    await later.pass(5 * HOUR);
    expect(later.written).toHaveLength(1);
    later.nightly.stop();
  });

  test('makes one backup for a night, once the target is back, if the target was down', async () => {
    const { nightly, pass, written, sent, state, backups } = setUp();
    state.sending = { ok: false, reason: 'The backup could not be sent. The folder /mnt/nas is not there.' };
    nightly.start();
    await pass(NIGHT - EVENING + 3 * HOUR);
    expect(written).toHaveLength(1);
    expect(sent.length).toBeGreaterThan(2);
    expect(backups.failure()).toMatchObject({ reason: state.sending.reason, unsent: written[0] ?? '' });
    state.sending = { ok: true, bytes: 9 };
    await pass(HOUR + MINUTE);
    expect(backups.failure()).toBeNull();
    expect(new Set(sent)).toEqual(new Set(written));
    const before = sent.length;
    await pass(5 * HOUR);
    expect(sent).toHaveLength(before);
    nightly.stop();
  });

  test('makes a backup every third night, prunes every night, and retries a failed backup after an hour', async () => {
    const { nightly, pass, written, state, lines, backups } = setUp({ everyDays: 3 });
    nightly.start();
    await pass(NIGHT - EVENING + 20 * MINUTE);
    expect(written).toHaveLength(1);
    await pass(2 * DAY);
    expect(written).toHaveLength(1);
    expect(lines.filter(({ message }) => message === 'The nightly work has finished')).toHaveLength(3);
    expect(nightly.inspect()).toMatchObject({ summary: { backup: 'not due' } });
    expect(backups.next()).toBe(NIGHT + 3 * DAY);
    state.report = { ok: false, reason: 'The disk is broken.' };
    await pass(DAY + 3 * HOUR);
    expect(written.length).toBeGreaterThan(3);
    state.report = { ok: true, bytes: 5 };
    await pass(HOUR + MINUTE);
    expect(backups.failure()).toBeNull();
    const made = written.length;
    await pass(DAY);
    expect(written).toHaveLength(made);
    nightly.stop();
  });

  describe('without local copies', () => {
    test('removes a backup once it is at the target, not earlier', async () => {
      const { backups, state, folder, sent, pass } = setUp({ isKeptLocally: false });
      state.sending = { ok: false, reason: 'It is away.' };
      await backups.make('nightly');
      expect(readdirSync(folder)).toHaveLength(1);
      // A newer backup that also could not be sent replaces it.
      await pass(DAY);
      await backups.make('nightly');
      expect(readdirSync(folder)).toEqual([sent[1] ?? '']);
      state.sending = { ok: true, bytes: 9 };
      await backups.again();
      expect(readdirSync(folder)).toEqual([]);
      expect(backups.newest()).toEqual({ madeAt: readBackupName(sent[1] ?? '')?.madeAt ?? 0, bytes: 9 });
    });

    test('keeps backups that were there before', async () => {
      const { backups, state, folder } = setUp({ isKeptLocally: false });
      const [old] = await putBackups(folder, [{ kind: 'manual', at: EVENING - DAY, text: 'x' }]);
      state.sending = { ok: true, bytes: 9 };
      await backups.make('manual');
      expect(readdirSync(folder)).toEqual([old ?? '']);
    });
  });
});

describe('jobs at a target', () => {
  const newFolder = tempFolders();
  const s3 = startFakeS3();
  afterAll(() => s3.stop());
  const NOW = Date.UTC(2026, 10, 27);
  const MARKER = 'bellbird-target.txt';

  /** A server that sends its backups to a folder. */
  function setUp(path = newFolder(), more: Partial<SendJob> = {}) {
    const database = makeDatabase(newFolder(), 'anna');
    const place = more.place ?? ({ kind: 'folder', path } as const);
    const send = (now = NOW) => {
      const name = backupName('nightly', now);
      const job: SendJob = {
        kind: 'send',
        database,
        place,
        lock: null,
        kept: 3,
        name,
        file: database,
        now,
        settings: null,
        recordings: null,
        ...more,
      };
      return sendBackup(job, () => {});
    };
    return { database, path, send, list: (now = NOW + 1000) => listBackupsAt({ place, database }, now) };
  }

  describe('a folder that may not be the target’s', () => {
    test('is refused on the disk of the data unless the marker allows it', async () => {
      const { path, send, list } = setUp();
      expect(await send().catch(String)).toContain('on the same disk as the data');
      expect((await list()).doubt).toContain('on the same disk as the data');
      expect(readdirSync(path)).toEqual([]);
      writeFileSync(join(path, MARKER), '');
      const { name } = await send();
      expect(readdirSync(path).toSorted()).toEqual([name, MARKER].toSorted());
      expect(await list()).toMatchObject({ backups: [{ name }], doubt: null });
    });

    test('is refused while its disk is not mounted or another disk is mounted', async () => {
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

  test('a backup that arrived succeeds even if nothing may be removed at the target', async () => {
    const { send, list } = setUp('', { place: s3.place, kept: 1 });
    expect((await send()).warning).toBeNull();
    s3.state.isLocked = true;
    for (const later of [1, 2, 3]) {
      const { warning } = await send(NOW + later);
      expect(warning).toBe(
        'Older files could not be removed from the target. The bucket vault lets nothing be removed: the key does not allow this.',
      );
    }
    expect((await list()).backups).toHaveLength(4);
    s3.state.isLocked = false;
    expect((await send(NOW + 4)).warning).toBeNull();
    expect((await list()).backups).toHaveLength(1);
  });
});
