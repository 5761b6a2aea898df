import { expect, test } from 'bun:test';
import { countedLog } from '../../src/lib/countedLog.ts';
import { createLog, type LogLine } from '../../src/lib/log.ts';

test('warnings and errors are counted by part, and every line is written as it was', () => {
  const lines: LogLine[] = [];
  const { log, counts } = countedLog(createLog((line) => lines.push(line)));
  const outbox = log.child('outbox');
  const inner = outbox.child('push');
  log.info('Begun');
  outbox.warn('Slow', { ms: 5 });
  inner.error('Gone');
  log.child('outbox').error('Again');
  expect(lines.map(({ level, name, message }) => [level, name, message])).toEqual([
    ['info', 'bellbird', 'Begun'],
    ['warn', 'bellbird.outbox', 'Slow'],
    ['error', 'bellbird.outbox.push', 'Gone'],
    ['error', 'bellbird.outbox', 'Again'],
  ]);
  expect(lines[1]?.properties).toEqual({ ms: 5 });
  expect(counts()).toEqual([
    { part: 'main', level: 'warn', count: 0 },
    { part: 'main', level: 'error', count: 0 },
    { part: 'outbox', level: 'warn', count: 1 },
    { part: 'outbox', level: 'error', count: 1 },
    { part: 'outbox.push', level: 'warn', count: 0 },
    { part: 'outbox.push', level: 'error', count: 1 },
  ]);
});

test('of very many parts the later ones are counted together', () => {
  const { log, counts } = countedLog(createLog(() => {}));
  for (let part = 0; part < 250; part += 1) log.child(`part${part}`).error('No');
  const all = counts();
  expect(all.length).toBeLessThanOrEqual(402);
  expect(all.find(({ part, level }) => part === 'others' && level === 'error')?.count).toBe(51);
});
