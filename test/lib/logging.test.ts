import { afterAll, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLogging } from '../../src/lib/logging.ts';
import { createRedactor } from '../../src/lib/redact.ts';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();
const { info, warn, error } = console;
afterAll(() => Object.assign(console, { info, warn, error }));

/** The process's log with a silent console; what stands in its file. */
function start() {
  Object.assign(console, { info: () => {}, warn: () => {}, error: () => {} });
  const path = join(folder(), 'bellbird.log');
  const { log, close } = startLogging({ folder: join(path, '..'), redactor: createRedactor() });
  const lines = (): string[] =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => line.slice(25))
      : [];
  return { log, close, lines };
}

test('ordinary lines wait for their turn; a warning or an error takes them along at once, in order', () => {
  const { log, close, lines } = start();
  log.info('First');
  log.child('http').info('Request', { status: 200 });
  expect(lines()).toEqual([]);
  log.warn('Odd');
  const first = ['INFO main: First', 'INFO http: Request status=200', 'WARNING main: Odd'];
  expect(lines()).toEqual(first);
  log.info('Second');
  // What the process does with an error that nobody caught.
  log.error('An uncaught error', { error: new Error('inner') });
  expect(lines().slice(3, 5)).toEqual([
    'INFO main: Second',
    expect.stringMatching(/^ERROR main: An uncaught error error=Error: inner/),
  ]);
  close();
});

test('lines that wait are written without another line coming, and at the close', async () => {
  const { log, close, lines } = start();
  log.info('Alone');
  for (let waited = 0; lines().length === 0 && waited < 10_000; waited += 20) await Bun.sleep(20);
  expect(lines()).toEqual(['INFO main: Alone']);
  log.info('Stopped');
  close();
  expect(lines()).toEqual(['INFO main: Alone', 'INFO main: Stopped']);
});
