import { Database } from 'bun:sqlite';
import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LaunchStage, launchStage } from '../../support/launchStage.ts';
import { mountSmallDisk, type SmallDisk } from '../../support/smallDisk.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** An installation on a disk of 1.5 MB, with a database of a size. */
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

describe('a disk without room', () => {
  test('for the copy of the database lets the old version go on, and is as full as before', async () => {
    const all = await stageOnDisk(850);
    if (all === null) return;
    const { stage, run } = all;
    stage.update();
    run();
    await stage.untilServes('old');
    expect(stage.state()).toMatchObject({ phase: 'rolledBack', database: null });
    expect(stage.state().failure).toContain('could not be begun');
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

  test('while a new version runs well lets it stay', async () => {
    const all = await stageOnDisk(100);
    if (all === null) return;
    const { disk, stage, run } = all;
    stage.update();
    run();
    const pid = await stage.untilServes('new');
    disk.fill();
    await waitUntil('the end of the trial', () => stage.printed().includes('the trial is over'));
    expect(stage.state().phase).toBe('healthy');
    expect(await stage.untilServes('new')).toBe(pid);
  });
});
