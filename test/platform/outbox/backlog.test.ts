import { expect, test } from 'bun:test';
import { createRandom } from '../../../src/lib/random.ts';
import { Backlog, type Behind } from '../../../src/platform/outbox/backlog.ts';

const behind = (id: number, chatId: string): Behind => ({ id, chatId, giveUpAt: id * 10, notBefore: id });

test('gives messages in their order, and those of a chat out of it', () => {
  const backlog = new Backlog();
  for (const [id, chat] of [
    [1, 'a'],
    [2, 'b'],
    [3, 'a'],
    [4, 'c'],
  ] as const)
    backlog.add(behind(id, chat));
  expect(backlog.takeAllOf('a').map(({ id }) => id)).toEqual([1, 3]);
  expect(backlog.takeAllOf('a')).toEqual([]);
  expect(backlog.size).toBe(2);
  expect(backlog.nextGivenUp()).toBe(20);
  expect(backlog.take()).toEqual(behind(2, 'b'));
  backlog.add(behind(5, 'a'));
  expect([backlog.take()?.id, backlog.take()?.id, backlog.take()]).toEqual([4, 5, undefined]);
  expect(backlog.nextGivenUp()).toBe(Number.POSITIVE_INFINITY);
});

test('says the same as a plain list, however it is used', () => {
  const random = createRandom(7);
  const backlog = new Backlog();
  let plain: Behind[] = [];
  let id = 0;
  for (let step = 0; step < 40_000; step += 1) {
    const chat = `chat ${Math.floor(random() * 50)}`;
    const what = random();
    if (what < 0.52) {
      id += 1;
      backlog.add(behind(id, chat));
      plain.push(behind(id, chat));
    } else if (what < 0.99) {
      expect(backlog.take()).toEqual(plain.shift() as Behind);
    } else {
      expect(backlog.takeAllOf(chat)).toEqual(plain.filter(({ chatId }) => chatId === chat));
      plain = plain.filter(({ chatId }) => chatId !== chat);
    }
    if (backlog.size !== plain.length) throw new Error(`step ${step}`);
  }
  expect(id).toBeGreaterThan(20_000);
});
