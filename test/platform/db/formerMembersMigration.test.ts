import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { MIGRATIONS } from '../../../src/platform/db/migrations.ts';
import { openDb } from '../../../src/platform/db/open.ts';
import { tempFolders } from '../../support/tempFolder.ts';

const folder = tempFolders();
const before = MIGRATIONS.slice(
  0,
  MIGRATIONS.findIndex(({ tag }) => tag.endsWith('_market_levels')),
);

const user = (id: number, deletedAt: string): string =>
  `INSERT INTO users (id, username, username_key, password_hash, created_at, deleted_at)
   VALUES (${id}, 'u${id}', 'u${id}', '-', 0, ${deletedAt})`;
const call = (id: number): string =>
  `INSERT INTO calls (public_id, user_id, symbol, call_type, status, entry_price, target_price, stop_loss_type,
     submitted_at, rationale, rationale_salt)
   VALUES ('c${id}', ${id}, 'BHP', 'bought', 'open', 1, 2, 'NONE', 0, 'why', 'salt')`;

test('accounts that were deleted before lose the rationales of their calls, others keep them', () => {
  const path = join(folder(), 'b.db');
  const open = (migrations = MIGRATIONS) => openDb({ path, copyFolder: null, now: 0, migrations }).db.$client;
  const old = open(before);
  for (const statement of [user(1, 'NULL'), user(2, '5'), call(1), call(2)]) old.run(statement);
  old.close();
  const client = open();
  expect(client.query('SELECT public_id, rationale, rationale_salt FROM calls ORDER BY id').all()).toEqual([
    { public_id: 'c1', rationale: 'why', rationale_salt: 'salt' },
    { public_id: 'c2', rationale: null, rationale_salt: null },
  ]);
  client.close();
});
