import { expect, test } from 'bun:test';
import { createRunningAnswers } from '../../../src/platform/http/runningAnswers.ts';

test('who asks for what is being made waits for it; once it is there, or failed, it is made again', async () => {
  const running = createRunningAnswers<number>();
  let made = 0;
  const make = async () => {
    made += 1;
    return made;
  };
  expect(await Promise.all([running.of('a', make), running.of('a', make), running.of('b', make)])).toEqual([
    1, 1, 2,
  ]);
  expect(running.size()).toBe(0);
  const failing = running.of('a', () => Promise.reject(new Error('busy')));
  expect(running.size()).toBe(1);
  expect(await failing.catch(String)).toBe('Error: busy');
  expect(await running.of('a', make)).toBe(3);
});

test('after a clear nobody is given what was being made, and its end takes nothing away', async () => {
  const running = createRunningAnswers<string>();
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const before = running.of('a', () => first.promise);
  running.clear();
  const after = running.of('a', () => second.promise);
  first.resolve('old');
  expect(await before).toBe('old');
  expect(running.size()).toBe(1);
  second.resolve('new');
  expect(await running.of('a', () => 'another')).toBe('new');
  expect(await after).toBe('new');
});
