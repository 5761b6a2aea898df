import { describe, expect, test } from 'bun:test';
import { type Caller, FairQueue, QueueFullError } from '../../src/lib/fairQueue.ts';

const caller = (address: string, name = `of ${address}`, rank: Caller['rank'] = 1): Caller => ({
  address,
  name,
  rank,
});

/** A queue whose work ends when the test says so. */
function handQueue(limits: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}) {
  const queue = new FairQueue({ slots: 2, maxPerCaller: 20, maxWaiting: 64, ...limits });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (label: string, who: Caller) =>
    queue.run(who, () => {
      started.push(label);
      return new Promise<string>((resolve) => ends.set(label, () => resolve(label)));
    });
  const end = async (label: string) => {
    ends.get(label)?.();
    await Bun.sleep(0);
  };
  return { queue, started, add, end };
}

describe('a fair queue', () => {
  test('does a few at a time and gives what the work gives', async () => {
    const { add, end, started } = handQueue();
    const all = ['a', 'b', 'c'].map((label) => add(label, caller(label)));
    expect(started).toEqual(['a', 'b']);
    for (const label of ['a', 'b', 'c']) await end(label);
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
  });

  test('addresses take turns: one that asks for much lets the others pass', async () => {
    const { add, end, started } = handQueue();
    for (const index of [1, 2, 3, 4]) void add(`flood ${index}`, caller('flood', `name ${index}`));
    void add('person', caller('home'));
    expect(started).toEqual(['flood 1', 'person']);
    void add('neighbour', caller('next door'));
    await end('person');
    expect(started).toEqual(['flood 1', 'person', 'neighbour']);
    await end('flood 1');
    expect(started.at(-1)).toBe('flood 2');
  });

  test('neither an address nor a name holds more than one place, also when the other is free', async () => {
    const { add, end, started } = handQueue();
    void add('a1', caller('a', 'x'));
    void add('a2', caller('a', 'y'));
    void add('b1', caller('b', 'x'));
    expect(started).toEqual(['a1']);
    await end('a1');
    expect(started).toEqual(['a1', 'a2', 'b1']);
  });

  test('ranks go in order, but the first do not keep the last waiting for ever', async () => {
    const { add, end, started } = handQueue({ slots: 1 });
    void add('running', caller('r'));
    for (const rank of [2, 1, 0] as const) {
      for (const index of [1, 2, 3, 4])
        void add(`${rank}.${index}`, caller(`${rank}.${index}`, `${rank}.${index}`, rank));
    }
    for (let turn = 0; turn < 9; turn += 1) await end(started.at(-1) ?? '');
    expect(started.slice(1)).toEqual(['0.1', '1.1', '2.1', '0.2', '0.3', '1.2', '2.2', '0.4', '1.3']);
  });

  test('too much of one address, and too much of all, is refused; each rank has room of its own', async () => {
    const { add, end, started } = handQueue({ slots: 1, maxPerCaller: 2, maxWaiting: 3 });
    const full = async (work: Promise<unknown>) =>
      expect(await work.catch((error: unknown) => error)).toBeInstanceOf(QueueFullError);
    void add('running', caller('r'));
    for (const index of [1, 2]) void add(`a${index}`, caller('a'));
    await full(add('a3', caller('a')));
    void add('b1', caller('b'));
    await full(add('c1', caller('c')));
    void add('known', caller('c', 'c', 0));
    await end('running');
    expect(started).toEqual(['running', 'known']);
  });

  test('too much of one name is refused, from however many addresses', async () => {
    const { add, end, started } = handQueue({ slots: 1, maxPerCaller: 2 });
    void add('running', caller('r', 'anna'));
    for (const index of [1, 2]) void add(`flood ${index}`, caller(`address ${index}`, 'anna'));
    const full = await add('flood 3', caller('address 3', 'anna')).catch((error: unknown) => error);
    expect(full).toBeInstanceOf(QueueFullError);
    void add('bert', caller('b', 'bert'));
    for (const label of ['running', 'flood 1', 'flood 2', 'bert']) await end(label);
    expect(started).toEqual(['running', 'flood 1', 'flood 2', 'bert']);
    void add('again', caller('address 3', 'anna'));
    expect(started.at(-1)).toBe('again');
  });

  test('work that fails makes room like any other, also when it fails at once', async () => {
    const { queue } = handQueue({ slots: 1 });
    const fails = [
      queue.run(caller('a'), () => Promise.reject(new Error('later'))),
      queue.run(caller('b'), () => {
        throw new Error('at once');
      }),
    ];
    expect((await Promise.allSettled(fails)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await queue.run(caller('c'), async () => 'done')).toBe('done');
  });
});
