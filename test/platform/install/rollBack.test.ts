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
import { launchFixture, type LaunchFixture } from '#support/launchFixture.ts';
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
async function failedTrial(): Promise<LaunchFixture> {
  const fixture = await launchFixture(newFolder());
  const copy = join(fixture.folder, 'copy.db');
  write(copy, 'old');
  write(fixture.database, 'new');
  // A kill leaves a log that must not be read into the old database.
  writeFileSync(`${fixture.database}-wal`, readFileSync(fixture.database));
  writeFileSync(`${fixture.database}-shm`, 'x');
  fixture.update({ database: copy, starts: 1 });
  return fixture;
}

const roll = (fixture: LaunchFixture, waitMs?: number): void => {
  const { folder, database } = fixture;
  rollBack(fixture.state(), 'It died.', { folder, database, now: 5, ...(waitMs && { waitMs }) });
};

/** The intermediate steps, by what each leaves on the disk. */
const CUTS: readonly [name: string, reach: (fixture: LaunchFixture) => void][] = [
  ['nothing', () => {}],
  ['the executable', (fixture) => copyFileSync(`${fixture.executable}.previous`, fixture.executable)],
  ['the log removed', (fixture) => rmSync(`${fixture.database}-wal`)],
  [
    'the database',
    (fixture) => {
      for (const side of ['-wal', '-shm']) rmSync(`${fixture.database}${side}`);
      renameSync(join(fixture.folder, 'copy.db'), fixture.database);
    },
  ],
];

describe('rolling back', () => {
  for (const [name, reach] of CUTS) {
    test(`has the same result if it was interrupted after ${name}`, async () => {
      const fixture = await failedTrial();
      reach(fixture);
      roll(fixture);
      expect(fixture.state()).toMatchObject({ phase: 'rolledBack', failure: 'It died.' });
      expect(fixture.runs()).toEqual(['old']);
      expect(readFileSync(fixture.executable, 'utf8')).toContain("'old'");
    });
  }

  test('leaves the data unchanged while another process has it open', async () => {
    const fixture = await failedTrial();
    const lock = lockData(fixture.folder);
    expect(() => roll(fixture, 10)).toThrow('Another Bellbird');
    expect(fixture.state().phase).toBe('trial');
    lock.release();
  });
});

const phaseOf = (fixture: LaunchFixture): string | undefined => {
  try {
    return fixture.state().phase;
  } catch {
    return undefined;
  }
};

test('a killed supervisor always leaves files from which the next one makes a working installation', async () => {
  const fixture = await launchFixture(newFolder());
  write(fixture.database, 'before');
  const runner = join(import.meta.dir, '..', '..', 'support', 'launchRunner.ts');
  const phases = new Set<string>();
  const reached = (): string => `${fixture.state().phase} ${fixture.state().starts}`;
  // The first is killed while it starts, the others this long after it first saved its progress.
  for (const waitMs of [null, 0, 20, 60, 120, 250, 400]) {
    if (['healthy', 'rolledBack', undefined].includes(phaseOf(fixture))) fixture.update({}, 'dies');
    const before = reached();
    const launcher = Bun.spawn(
      [process.execPath, runner, fixture.folder, String(fixture.port), fixture.executable],
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
  const run = async (): Promise<number> => ((await fixture.launch()) === 0 ? 0 : run());
  const ended = run();
  await fixture.untilServes('old');
  expect(fixture.state().phase).toBe('rolledBack');
  fixture.stop();
  expect(await ended).toBe(0);
  expect(fixture.runs()[0]).toBe('before');
  expect(fixture.runs()).not.toContain('new');
});

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** An installation on a disk of 1.5 MB, with a database of a given size. */
async function fixtureOnDisk(databaseKb: number) {
  const folder = mkdtempSync(join(tmpdir(), 'bellbird-test-'));
  const disk: SmallDisk | null = mountSmallDisk(folder, 1500);
  if (disk === null) {
    rmSync(folder, { recursive: true });
    return null;
  }
  const fixture: LaunchFixture = await launchFixture(disk.folder);
  const client = new Database(fixture.database, { create: true });
  client.run('CREATE TABLE runs ("commit" TEXT)');
  client.run("INSERT INTO runs VALUES ('before')");
  client.run('CREATE TABLE ballast (bytes BLOB)');
  client.run('INSERT INTO ballast VALUES (zeroblob(?1))', [databaseKb * 1024]);
  client.close();
  let ended: Promise<unknown> = Promise.resolve();
  ends.push(async () => {
    fixture.stop();
    await ended;
    disk.release();
    rmSync(folder, { recursive: true });
  });
  const run = (trialSeconds = 0.6): void => {
    ended = fixture.launch({ trialSeconds }).catch((error: unknown) => error);
  };
  return { disk, fixture, run };
}

describe('a full disk', () => {
  test('without room for the copy of the database keeps the old version, and nothing more on the disk', async () => {
    const all = await fixtureOnDisk(850);
    if (all === null) return;
    const { fixture, run } = all;
    fixture.update();
    run();
    await fixture.untilServes('old');
    expect(fixture.state()).toMatchObject({ phase: 'rolledBack', database: null });
    expect(fixture.state().failure).toContain('The trial could not start');
    expect(existsSync(join(fixture.folder, 'update/bellbird.db.before.partial'))).toBe(false);
    expect(fixture.runs()).toContain('before');
  });

  test('while a new version dies in its trial brings the old one back with its database', async () => {
    const all = await fixtureOnDisk(100);
    if (all === null) return;
    const { disk, fixture, run } = all;
    fixture.update({}, 'dies');
    run(5);
    await fixture.untilServes('new');
    disk.fill();
    await fixture.untilServes('old');
    expect(fixture.state().phase).toBe('rolledBack');
    expect(fixture.runs()).toEqual(['before', 'old']);
  });
});
