import { expect, test } from 'bun:test';
import { createLog, FirstFailure, type LogLine } from '#lib/log.ts';
import { createUndo } from '#lib/undo.ts';
import { WriteBehind } from '#lib/writeBehind.ts';

function fixture() {
  const clock = { time: 0, monotonic: () => clock.time };
  const calls = { written: [] as string[][], failures: 0, isFull: false };
  const log = createLog(() => void (calls.failures += 1));
  const behind = new WriteBehind<string>({
    clock,
    atOnce: 2,
    write(some) {
      if (calls.isFull) throw new Error('database or disk is full');
      calls.written.push([...some]);
    },
    failure: new FirstFailure(log, 'Not written'),
  });
  return { clock, calls, behind };
}

test('writes noted entries in batches, oldest first, each once', () => {
  const { calls, behind } = fixture();
  for (const name of ['a', 'b', 'a', 'c']) behind.note(name);
  behind.saveDue();
  expect(calls.written).toEqual([['a', 'b']]);
  behind.saveDue();
  behind.saveDue();
  expect(calls.written).toEqual([['a', 'b'], ['c']]);
  expect(behind.size).toBe(0);
});

test('waits for more entries until the first is due', () => {
  const { clock, calls, behind } = fixture();
  behind.note('a', 1000);
  clock.time = 999;
  behind.note('b', 1000);
  behind.saveDue();
  expect(calls.written).toEqual([]);
  clock.time = 1000;
  behind.saveDue();
  expect(calls.written).toEqual([['a', 'b']]);
  behind.note('c', 1000);
  clock.time = 1999;
  behind.saveDue();
  expect(calls.written).toEqual([['a', 'b']]);
});

test('keeps entries that a full disk refused, and logs it once', () => {
  const { calls, behind } = fixture();
  calls.isFull = true;
  for (const name of ['a', 'b', 'c']) behind.note(name);
  behind.saveDue();
  behind.saveDue();
  behind.saveAll();
  expect(calls).toEqual({ written: [], failures: 1, isFull: true });
  calls.isFull = false;
  behind.saveAll();
  expect(calls.written).toEqual([['a', 'b', 'c']]);
  calls.isFull = true;
  behind.note('d');
  behind.saveDue();
  expect(calls.failures).toBe(2);
});

test('undoes the last first, each once, even if others fail', async () => {
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
