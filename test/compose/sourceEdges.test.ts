import { expect, test } from 'bun:test';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceEdges } from '../../src/compose/sourceEdges.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog, type LogLine } from '../../src/lib/log.ts';
import { openMemoryDb } from '../support/memoryDb.ts';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();

test('an answer is kept for its owner alone, without secrets, and costs a line where it can not be', () => {
  const data = folder();
  const lines: LogLine[] = [];
  const { config } = loadConfig({
    BELLBIRD_DATA: data,
    BELLBIRD_TRADINGVIEW_COOKIE: 'sessionid=a-long-secret-0123',
  });
  const db = openMemoryDb();
  const { keepAnswer } = sourceEdges({ config, db, log: createLog((line) => lines.push(line)) });
  keepAnswer('tradingview', '{"rows":["a-long-secret-0123"]}');
  keepAnswer('tradingview', '{"rows":[1,"sessionid=a-long-secret-0123"]}');
  const path = join(data, 'answers', 'tradingview.json');
  expect(readFileSync(path, 'utf8')).toStartWith('{"rows":[1,');
  expect(readFileSync(path, 'utf8')).not.toContain('a-long-secret');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(lines).toEqual([]);
  const blocked = folder();
  writeFileSync(join(blocked, 'answers'), '');
  const other = sourceEdges({
    config: { ...config, dataDir: blocked },
    db,
    log: createLog((line) => lines.push(line)),
  });
  other.keepAnswer('asx', '{}');
  expect(lines).toMatchObject([{ level: 'warn' }]);
  db.$client.close();
});
