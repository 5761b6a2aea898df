import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDb } from '#platform/db/open.ts';
import { backupName } from '#admin/backups/rules/keptBackups.ts';

/** A database in a folder, with one account of that name. @returns its path */
export function makeDatabase(folder: string, username: string, fileName = 'bellbird.db'): string {
  const path = join(folder, fileName);
  const { db } = openDb({ path, copyFolder: null, now: 0 });
  db.$client.run(
    `INSERT INTO users (username, username_key, password_hash, created_at) VALUES ('${username}', '${username}', 'x', 0)`,
  );
  db.$client.close();
  return path;
}

/** Marks a folder as a backup target, which is required on the disk of the data. @returns the folder */
export function markTarget(folder: string): string {
  writeFileSync(join(folder, 'bellbird-target.txt'), '');
  return folder;
}

export function usernamesIn(path: string): string[] {
  const { db } = openDb({ path, copyFolder: null, now: 0 });
  const names = db.$client.query<{ username: string }, []>('SELECT username FROM users').all();
  db.$client.close();
  return names.map(({ username }) => username);
}

/** Puts files of these sizes into a backup folder. @returns their names */
export async function putBackups(
  folder: string,
  backups: readonly { kind: 'nightly' | 'manual'; at: number; text: string }[],
): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const names = backups.map(({ kind, at }) => backupName(kind, at));
  await Promise.all(names.map((name, index) => Bun.write(join(folder, name), backups[index]?.text ?? '')));
  return names;
}
