import { Database } from 'bun:sqlite';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { type Db, openMemoryDb as migrateMemoryDb, setUp } from '#platform/db/open.ts';

let migrated: Uint8Array | null = null;

/** Migrations are applied once per process; each database begins as a copy of the result. */
function migratedBytes(): Uint8Array {
  if (migrated === null) {
    const { $client } = migrateMemoryDb();
    migrated = new Uint8Array($client.serialize());
    $client.close();
  }
  return migrated;
}

export function openMemoryDb(): Db {
  const client = Database.deserialize(migratedBytes(), { strict: true });
  setUp(client);
  return drizzle(client);
}
