import { expect, test } from 'bun:test';
import { createLog, type LogLine } from '../../src/lib/log.ts';
import { createUndo } from '../../src/lib/undo.ts';

test('undoes last first, each once, whatever happened to the others', async () => {
  const lines: LogLine[] = [];
  const done: string[] = [];
  const undo = createUndo(createLog((line) => lines.push(line)));
  undo.add('first', () => void done.push('first'));
  undo.add('broken', () => {
    throw new Error('it does not stop');
  });
  undo.add('slow', async () => {
    await Bun.sleep(2);
    done.push('slow');
  });
  undo.add('rejected', () => Promise.reject(new Error('nor does it')));
  await undo.run();
  await undo.run();
  expect(done).toEqual(['slow', 'first']);
  expect(lines.map(({ level, properties }) => [level, properties['part']])).toEqual([
    ['error', 'rejected'],
    ['error', 'broken'],
  ]);
});
