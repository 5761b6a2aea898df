import { Database } from 'bun:sqlite';
import { afterEach, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockData } from '#platform/db/lock.ts';
import { rollBack } from '#platform/install/shared/rollBack.ts';
import { launchStage, type LaunchStage } from '#support/launchStage.ts';
import { mountSmallDisk, type SmallDisk } from '#support/smallDisk.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { waitUntil } from '#support/waitUntil.ts';

const newFolder = tempFolders();

function write(path: string, commit: string): void {
  const client = new Database(path, { create: true });
  client.run('PRAGMA journal_mode = WAL');
  client.run('CREATE TABLE IF NOT EXISTS runs ("commit" TEXT)');
  client.run('INSERT INTO runs VALUES (?1)', [commit]);
  client.close();
}

/** A new version has run, migrated the database and died with its log next to it. */
async function failedTrial(): Promise<LaunchStage> {
  const stage = await launchStage(newFolder());
  const copy = join(stage.folder, 'copy.db');
  write(copy, 'old');
  write(stage.database, 'new');
  // A kill leaves a log that must not be read into the old database.
  writeFileSync(`${stage.database}-wal`, readFileSync(stage.database));
  writeFileSync(`${stage.database}-shm`, 'x');
  stage.update({ database: copy, starts: 1 });
  return stage;
}

const roll = (stage: LaunchStage, waitMs?: number): void => {
  const { folder, database } = stage;
  rollBack(stage.state(), 'It died.', { folder, database, now: 5, ...(waitMs && { waitMs }) });
};

/** The intermediate steps, by what each leaves on the disk. */
const CUTS: readonly [name: string, reach: (stage: LaunchStage) => void][] = [
  ['nothing', () => {}],
  ['the executable', (stage) => copyFileSync(`${stage.executable}.previous`, stage.executable)],
  ['the log removed', (stage) => rmSync(`${stage.database}-wal`)],
  [
    'the database',
    (stage) => {
      for (const side of ['-wal', '-shm']) rmSync(`${stage.database}${side}`);
      renameSync(join(stage.folder, 'copy.db'), stage.database);
    },
  ],
];

describe('rolling back', () => {
  for (const [name, reach] of CUTS) {
    test(`has the same result if it was interrupted after ${name}`, async () => {
      const stage = await failedTrial();
      reach(stage);
      roll(stage);
      expect(stage.state()).toMatchObject({ phase: 'rolledBack', failure: 'It died.' });
      expect(stage.runs()).toEqual(['old']);
      expect(readFileSync(stage.executable, 'utf8')).toContain("'old'");
    });
  }

  test('leaves the data unchanged while another process has it open', async () => {
    const stage = await failedTrial();
    const lock = lockData(stage.folder);
    expect(() => roll(stage, 10)).toThrow('Another Bellbird');
    expect(stage.state().phase).toBe('trial');
    lock.release();
  });
});

const phaseOf = (stage: LaunchStage): string | undefined => {
  try {
    return stage.state().phase;
  } catch {
    return undefined;
  }
};

test('a killed supervisor always leaves files from which the next one makes a working installation', async () => {
  const stage = await launchStage(newFolder());
  write(stage.database, 'before');
  const runner = join(import.meta.dir, '..', '..', 'support', 'launchRunner.ts');
  const phases = new Set<string>();
  const reached = (): string => `${stage.state().phase} ${stage.state().starts}`;
  // The first is killed while it starts, the others this long after it first saved its progress.
  for (const waitMs of [null, 0, 20, 60, 120, 250, 400]) {
    if (['healthy', 'rolledBack', undefined].includes(phaseOf(stage))) stage.update({}, 'dies');
    const before = reached();
    const launcher = Bun.spawn(
      [process.execPath, runner, stage.folder, String(stage.port), stage.executable],
      { stdio: ['ignore', 'ignore', 'ignore'] },
    );
    if (waitMs === null) await Bun.sleep(20);
    else await waitUntil('its progress to be saved', () => reached() !== before);
    await Bun.sleep(waitMs ?? 0);
    launcher.kill('SIGKILL');
    await launcher.exited;
    phases.add(reached());
  }
  expect(phases.size).toBeGreaterThan(1);
  // Like an outer supervisor, starts it until it runs: the killed one’s server keeps its port briefly.
  const run = async (): Promise<number> => ((await stage.launch()) === 0 ? 0 : run());
  const ended = run();
  await stage.untilServes('old');
  expect(stage.state().phase).toBe('rolledBack');
  stage.stop();
  expect(await ended).toBe(0);
  expect(stage.runs()[0]).toBe('before');
  expect(stage.runs()).not.toContain('new');
});

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** An installation on a disk of 1.5 MB, with a database of a given size. */
async function stageOnDisk(databaseKb: number) {
  const folder = mkdtempSync(join(tmpdir(), 'bellbird-test-'));
  const disk: SmallDisk | null = mountSmallDisk(folder, 1500);
  if (disk === null) {
    rmSync(folder, { recursive: true });
    return null;
  }
  const stage: LaunchStage = await launchStage(disk.folder);
  const client = new Database(stage.database, { create: true });
  client.run('CREATE TABLE runs ("commit" TEXT)');
  client.run("INSERT INTO runs VALUES ('before')");
  client.run('CREATE TABLE ballast (bytes BLOB)');
  client.run('INSERT INTO ballast VALUES (zeroblob(?1))', [databaseKb * 1024]);
  client.close();
  let ended: Promise<unknown> = Promise.resolve();
  ends.push(async () => {
    stage.stop();
    await ended;
    disk.release();
    rmSync(folder, { recursive: true });
  });
  const run = (trialSeconds = 0.6): void => {
    ended = stage.launch({ trialSeconds }).catch((error: unknown) => error);
  };
  return { disk, stage, run };
}

describe('a full disk', () => {
  test('without room for the copy of the database keeps the old version, and nothing more on the disk', async () => {
    const all = await stageOnDisk(850);
    if (all === null) return;
    const { stage, run } = all;
    stage.update();
    run();
    await stage.untilServes('old');
    expect(stage.state()).toMatchObject({ phase: 'rolledBack', database: null });
    expect(stage.state().failure).toContain('The trial could not start');
    expect(existsSync(join(stage.folder, 'update/bellbird.db.before.partial'))).toBe(false);
    expect(stage.runs()).toContain('before');
  });

  test('while a new version dies in its trial brings the old one back with its database', async () => {
    const all = await stageOnDisk(100);
    if (all === null) return;
    const { disk, stage, run } = all;
    stage.update({}, 'dies');
    run(5);
    await stage.untilServes('new');
    disk.fill();
    await stage.untilServes('old');
    expect(stage.state().phase).toBe('rolledBack');
    expect(stage.runs()).toEqual(['before', 'old']);
  });
});
