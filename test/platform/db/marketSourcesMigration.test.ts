import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { MIGRATIONS } from '../../../src/platform/db/migrations.ts';
import { openDb } from '../../../src/platform/db/open.ts';
import { tempFolders } from '../../support/tempFolder.ts';

const folder = tempFolders();
const TAG = '0004_market_sources';
const before = MIGRATIONS.slice(
  0,
  MIGRATIONS.findIndex(({ tag }) => tag === TAG),
);

/** A database of the version before, filled by `sql`, opened by this one. */
function upgraded(sql: readonly string[]) {
  const path = join(folder(), 'b.db');
  const open = (migrations = MIGRATIONS) => openDb({ path, copyFolder: null, now: 0, migrations }).db.$client;
  const old = open(before);
  for (const statement of sql) old.run(statement);
  old.close();
  return open();
}

const DAILY = "INSERT INTO daily_bars VALUES ('BHP', '2026-11-18', 1, 2, 0.5, 1.5, 10)";
const daily = 'SELECT source, code, date, close FROM daily_bars';

test('what is kept of the market gets its source: bars with minutes beside them came by ingest', () => {
  const client = upgraded([
    DAILY,
    "INSERT INTO minute_segments (date, bars) VALUES ('2026-11-18', x'0102')",
    "INSERT INTO pre_open_snapshots VALUES ('2026-11-18', 'BHP', '{}')",
  ]);
  expect(client.query(daily).all()).toEqual([
    { source: 'ingest', code: 'BHP', date: '2026-11-18', close: 1.5 },
  ]);
  expect(client.query('SELECT id, source, date FROM minute_segments').all()).toEqual([
    { id: 1, source: 'ingest', date: '2026-11-18' },
  ]);
  // They may have been simulated.
  expect(client.query('SELECT * FROM pre_open_snapshots').all()).toEqual([]);
  client.close();
});

test.each([
  ['without minutes', [DAILY]],
  [
    'with minutes of long ago',
    [DAILY, "INSERT INTO minute_segments (date, bars) VALUES ('2026-10-01', x'01')"],
  ],
])('bars %s came from the platform', (_, sql) => {
  const client = upgraded(sql);
  expect(client.query(daily).all()).toMatchObject([{ source: 'tradingview' }]);
  client.close();
});

test('an empty database is brought to the same tables', () => {
  const client = upgraded([]);
  expect(client.query(daily).all()).toEqual([]);
  client.close();
});
