import { expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MIGRATIONS } from '../../../../src/platform/db/migrations.ts';
import { openDb } from '../../../../src/platform/db/open.ts';
import type { LeaderboardAnswer } from '../../../../src/subjects/calls/rules/types.ts';
import { temporaryFolder } from '../../../support/executable.ts';
import { createTestApp } from '../../../support/testApp.ts';

/** The columns that calls had before they knew their source. */
const COLUMNS =
  'public_id, user_id, symbol, call_type, status, entry_price, target_price, stop_loss_type, submitted_at, ' +
  'price_at_submission, closed_at, price_at_close, filled_at, fill_price, best, worst, verified_percent';

test('calls of an earlier version keep their results, in a table of their own, and are not followed', async () => {
  const folder = await temporaryFolder();
  const open = (migrations: typeof MIGRATIONS) =>
    openDb({ path: join(folder, 'b.db'), copyFolder: join(folder, 'backups'), now: 0, migrations }).db;
  const former = MIGRATIONS.findIndex(({ tag }) => tag.endsWith('_trusted_prices'));
  const before = open(MIGRATIONS.slice(0, former));
  before.$client.run(
    `INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (1, 'ann', 'ann', '-', 0)`,
  );
  before.$client.run(`INSERT INTO calls (${COLUMNS}) VALUES
    ('closed', 1, 'BHP', 'bought', 'closed', 38, 50, 'NONE', 1000, 40, 90000, 44, 1000, 38, 44, 39, 10),
    ('bought', 1, 'BHP', 'bought', 'open', 40, 50, 'NONE', 2000, 40, NULL, NULL, 2000, 40, 40, 40, NULL)`);
  before.$client.close();

  const db = open(MIGRATIONS);
  const app = createTestApp({ db });
  const known = { open: 40, high: 40, low: 40, last: 40, close: 40, volume: 1 };
  app.source.give([{ code: 'BHP', name: 'BHP GROUP', status: 'Open', ...known }]);
  app.source.give([{ code: 'BHP', last: 55, volume: 9 }]);
  app.tick.run();
  const answer = (await app.request('GET', '/api/calls/leaderboard')).json as LeaderboardAnswer;
  expect(answer.leaderboard).toEqual([]);
  expect(answer.otherLeaderboards).toMatchObject([
    {
      source: 'unknown',
      leaderboard: [{ metrics: { total: 2, verified: 1, wins: 1, averageVerified: 10 } }],
    },
  ]);
  expect(answer.calls).toMatchObject([
    { publicId: 'bought', source: 'unknown', targetReached: null, awaitingTrade: null },
    { publicId: 'closed', verified: { percent: 10, entryPrice: 40, exitPrice: 44 }, awaitingTrade: null },
  ]);
  const closed = app.parts.calls.service.end({ id: 1, username: 'ann' }, 'bought', {
    kind: 'close',
    pocketedValue: 500,
  });
  expect(closed).toMatchObject({ status: 'closed', verified: null, awaitingTrade: null });
  app.close();
  db.$client.close();
  await rm(folder, { recursive: true, force: true });
});

test('a call that was closed after its stop was reached has its result there, as the rule is now', async () => {
  const folder = await temporaryFolder();
  const open = (migrations: typeof MIGRATIONS) =>
    openDb({ path: join(folder, 'b.db'), copyFolder: join(folder, 'backups'), now: 0, migrations }).db;
  const before = open(
    MIGRATIONS.slice(
      0,
      MIGRATIONS.findIndex(({ tag }) => tag.endsWith('_stopped_results')),
    ),
  );
  before.$client.run(
    `INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (1, 'ann', 'ann', '-', 0)`,
  );
  before.$client.run(`INSERT INTO calls (${COLUMNS}, entry_trade_at, entry_trade_price, exit_trade_at, exit_trade_price,
    stop_reached_at, stop_reached_price, stop_reached_level) VALUES
    ('one', 1, 'BHP', 'bought', 'closed', 40, 50, 'HARD', 1000, 40, 90000, 44, 1000, 40, 44, 38, 10,
      2000, 40, 91000, 44, 5000, 37, 38)`);
  before.$client.close();
  const db = open(MIGRATIONS);
  const app = createTestApp({ db });
  const answer = (await app.request('GET', '/api/calls/leaderboard')).json as LeaderboardAnswer;
  expect(answer.otherLeaderboards).toMatchObject([{ leaderboard: [{ metrics: { averageVerified: -7.5 } }] }]);
  expect(answer.calls).toMatchObject([{ verified: { percent: -7.5, exitPrice: 37 } }]);
  app.close();
  db.$client.close();
  await rm(folder, { recursive: true, force: true });
});
