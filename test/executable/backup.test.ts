import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { executable, needExecutable, post, runBellbird, startBellbird } from '../support/executable.ts';
import { makeDatabase, usernamesIn } from '../support/backupFolder.ts';
import { tempFolders } from '../support/tempFolder.ts';

await needExecutable();
const newFolder = tempFolders();

/** A data folder whose database is large enough that copying it takes a while. */
function largeData(megabytes: number): string {
  const dataDir = newFolder();
  const path = makeDatabase(dataDir, 'anna');
  fill(path, megabytes);
  return dataDir;
}

function fill(path: string, megabytes: number): void {
  const client = new Database(path);
  const insert = client.query('INSERT INTO facts (key, value) VALUES (?, ?)');
  client.transaction(() => {
    for (let index = 0; index < megabytes * 10; index += 1)
      insert.run(`filling ${index}`, 'x'.repeat(100_000));
  })();
  client.close();
}

/** Starts a command and kills it after this many ms. @returns whether it was killed before it finished */
async function killed(args: readonly string[], dataDir: string, afterMs: number): Promise<boolean> {
  const child = Bun.spawn([executable, ...args], {
    env: { PATH: process.env.PATH ?? '', BELLBIRD_DATA: dataDir },
    cwd: dataDir,
    stdout: 'ignore',
    stderr: 'ignore',
  });
  await Promise.race([child.exited, Bun.sleep(afterMs)]);
  child.kill('SIGKILL');
  await child.exited;
  return child.signalCode === 'SIGKILL';
}

/** The normal duration of a command here, in ms. */
async function timeOf(args: readonly string[], dataDir: string): Promise<number> {
  const started = performance.now();
  const { code } = await runBellbird([...args], { env: { BELLBIRD_DATA: dataDir }, cwd: dataDir });
  expect(code).toBe(0);
  return performance.now() - started;
}

test('backup works next to a running server; restore waits until it stops, and restores the old data', async () => {
  const dataDir = newFolder();
  const env = { BELLBIRD_DATA: dataDir };
  const bellbird = await startBellbird({ dataDir });
  const register = (username: string) =>
    post(`${bellbird.url}/api/register`, { username, password: 'good-password', platform: 'web' });
  const file = join(newFolder(), 'mine.db');
  try {
    expect((await register('Early')).status).toBe(200);
    const made = await runBellbird(['backup', file], { env });
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.stdout).toContain(`Wrote the backup ${file}`);
    expect((await register('Late')).status).toBe(200);
    const refused = await runBellbird(['restore', file], { env });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^Bellbird is running with the data folder .* Nothing was changed\.\n$/);
  } finally {
    await bellbird.stop('SIGKILL');
  }
  const restored = await runBellbird(['restore', file], { env });
  expect([restored.code, restored.stderr]).toEqual([0, '']);
  const next = await startBellbird({ dataDir });
  try {
    const login = (identifier: string) =>
      post(`${next.url}/api/login`, { identifier, password: 'good-password' });
    expect((await login('Early')).status).toBe(200);
    expect((await login('Late')).status).toBe(401);
  } finally {
    await next.stop();
  }
  const kept = readdirSync(dataDir).filter((name) => name.startsWith('bellbird.db.replaced-'));
  expect(kept).toHaveLength(1);
  expect(usernamesIn(join(dataDir, kept[0] ?? ''))).toEqual(['Early', 'Late']);
  expect(statSync(join(dataDir, kept[0] ?? '')).mode & 0o077).toBe(0);
});

describe('kill -9', () => {
  test('during a backup leaves at most a partial file, which the next one removes', async () => {
    const dataDir = largeData(60);
    const backups = join(dataDir, 'backups');
    const whole = await timeOf(['backup'], dataDir);
    let kills = 0;
    for (const share of [0.3, 0.5, 0.7, 0.9]) {
      if (await killed(['backup'], dataDir, whole * share)) kills += 1;
      for (const name of readdirSync(backups)) {
        if (name.endsWith('.db')) expect(statSync(join(backups, name)).size).toBeGreaterThan(60e6);
      }
    }
    expect(kills).toBeGreaterThan(0);
    await timeOf(['backup'], dataDir);
    expect(readdirSync(backups).filter((name) => name.endsWith('.partial'))).toEqual([]);
    expect(usernamesIn(join(dataDir, 'bellbird.db'))).toEqual(['anna']);
  });

  test('during a restore leaves the old database or the new one', async () => {
    const source = newFolder();
    const file = makeDatabase(source, 'bert', 'backup.db');
    fill(file, 60);
    const fresh = (): string => {
      const dataDir = newFolder();
      makeDatabase(dataDir, 'anna');
      return dataDir;
    };
    const whole = await timeOf(['restore', file], fresh());
    const found: string[] = [];
    for (const share of [0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1]) {
      const dataDir = fresh();
      await killed(['restore', file], dataDir, whole * share);
      const [name] = usernamesIn(join(dataDir, 'bellbird.db'));
      found.push(name ?? 'none');
      // Another attempt starts over, whatever the first one left.
      const { code } = await runBellbird(['restore', file], { env: { BELLBIRD_DATA: dataDir } });
      expect([code, existsSync(join(dataDir, 'bellbird.db.restoring'))]).toEqual([0, false]);
      expect(usernamesIn(join(dataDir, 'bellbird.db'))).toEqual(['bert']);
    }
    expect(found.every((name) => name === 'anna' || name === 'bert')).toBe(true);
    expect(found).toContain('anna');
  });
});
