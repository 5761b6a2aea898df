import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Caller, FairQueue, QueueFullError } from '#lib/fairQueue.ts';
import { createRateLimit } from '#lib/rateLimit.ts';
import { createTimeBudget } from '#lib/timeBudget.ts';
import { createFakeClock, createTestApp, PASSWORD, type TestApp } from '../support/testApp.ts';

describe('the window', () => {
  test('refuses past the limit and returns the time to wait', () => {
    const clock = createFakeClock();
    const limit = createRateLimit({ clock, limit: 2, windowMs: 10_000 });
    expect(limit.take('a')).toBe(0);
    clock.advance(4000);
    expect([limit.take('a'), limit.take('a'), limit.take('b')]).toEqual([0, 6, 0]);
    clock.advance(5999);
    expect(limit.take('a')).toBe(1);
    clock.advance(1);
    expect([limit.take('a'), limit.take('a')]).toEqual([0, 4]);
  });

  test('remembers a limited number of keys, the latest ones', () => {
    const limit = createRateLimit({ clock: createFakeClock(), limit: 1, windowMs: 1000, maxKeys: 3 });
    for (const key of ['a', 'b', 'c', 'd', 'e']) limit.take(key);
    expect(limit.size()).toBe(3);
    expect(limit.take('e')).toBe(1);
    expect(limit.take('a')).toBe(0);
  });

  test('keeps its waits when the wall clock is set', () => {
    const clock = createFakeClock();
    const limit = createRateLimit({ clock, limit: 1, windowMs: 10_000 });
    limit.take('a');
    for (const year of [1970, 2100]) {
      clock.set(Date.UTC(year));
      expect(limit.take('a')).toBe(10);
    }
    clock.advance(10_000);
    expect(limit.take('a')).toBe(0);
  });
});

describe('login and registration', () => {
  const wrong = (app: TestApp, identifier: string, from: string) =>
    app.request('POST', '/api/login', { body: { identifier, password: 'wrong one' }, from });
  const right = (app: TestApp, identifier: string, from: string) =>
    app.request('POST', '/api/login', { body: { identifier, password: PASSWORD }, from });

  test('block a name for an address after ten wrong passwords, in any case, for the rest of five minutes', async () => {
    const app = createTestApp();
    await app.addUser('anna');
    for (let index = 0; index < 10; index += 1) {
      expect((await wrong(app, index % 2 ? 'ANNA' : 'anna', '192.0.2.99')).status).toBe(401);
      app.clock.advance(1000);
    }
    const answer = await right(app, 'Anna', '192.0.2.99');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('290');
    expect(answer.json).toEqual({
      authenticated: false,
      accessToken: null,
      accessLevel: null,
      error: 'Too many login attempts. Try again in 5 minutes.',
    });
    expect((await wrong(app, 'somebody else', '192.0.2.99')).status).toBe(401);
    app.clock.advance(290_000);
    expect((await right(app, 'anna', '192.0.2.99')).status).toBe(200);
    app.close();
  });

  test('limit the names an address may try, without affecting other addresses', async () => {
    const app = createTestApp();
    for (let index = 0; index < 50; index += 1) {
      expect((await wrong(app, `name ${index}`, '192.0.2.7')).status).toBe(401);
    }
    expect((await wrong(app, 'one more', '192.0.2.7')).status).toBe(429);
    expect((await wrong(app, 'one more', '192.0.2.8')).status).toBe(401);
    app.close();
  });

  test('limit the registrations of an address', async () => {
    const app = createTestApp();
    const register = (index: number, from: string) =>
      app.request('POST', '/api/register', { body: { username: `user ${index}`, password: 'secret' }, from });
    // Taken names create no account, but count as attempts.
    for (let index = 0; index < 20; index += 1)
      expect((await register(1, '192.0.2.6')).status).toBe(index ? 409 : 200);
    for (let index = 2; index < 21; index += 1) expect((await register(index, '192.0.2.6')).status).toBe(200);
    const ofDay = await register(21, '192.0.2.6');
    expect([ofDay.status, ofDay.headers.get('retry-after')]).toEqual([429, '86400']);
    expect(ofDay.json).toMatchObject({
      error:
        'At most 20 accounts per day can be created from one address. Try again in 24 hours, or ask an administrator for an account.',
    });
    const tooOften = await register(22, '192.0.2.6');
    expect([tooOften.status, tooOften.json]).toMatchObject([
      429,
      { error: 'Too many registrations. Try again in 15 minutes.' },
    ]);
    expect((await register(42, '192.0.2.8')).status).toBe(200);
    app.clock.advance(24 * 3_600_000);
    expect((await register(43, '192.0.2.6')).status).toBe(200);
    app.close();
  });
});

const OPTIONS = { capacityMs: 1000, refillMs: 100 };

test('a time budget admits callers after the stated wait, and they never use more than their share', () =>
  fc.assert(
    fc.property(
      fc.array(fc.record({ pause: fc.nat({ max: 3000 }), ms: fc.nat({ max: 250 }) }), { maxLength: 60 }),
      (visits) => {
        const budget = createTimeBudget(OPTIONS);
        let now = 0;
        let used = 0;
        for (const { pause, ms } of visits) {
          now += pause;
          const seconds = budget.wait('a', now);
          now += seconds * 1000;
          expect(budget.wait('a', now)).toBe(0);
          budget.spend('a', ms, now);
          used += ms;
          expect(used).toBeLessThanOrEqual(1000 + now / 10 + 250);
        }
      },
    ),
  ));

const caller = (address: string, name = `of ${address}`, rank: Caller['rank'] = 1): Caller => ({
  address,
  name,
  rank,
});

/** A queue whose work ends on demand. */
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
  test('alternates between addresses, so a busy one does not block the others', async () => {
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

  test('serves ranks in order, but the first do not block the last forever', async () => {
    const { add, end, started } = handQueue({ slots: 1 });
    void add('running', caller('r'));
    for (const rank of [2, 1, 0] as const) {
      for (const index of [1, 2, 3, 4])
        void add(`${rank}.${index}`, caller(`${rank}.${index}`, `${rank}.${index}`, rank));
    }
    for (let turn = 0; turn < 9; turn += 1) await end(started.at(-1) ?? '');
    expect(started.slice(1)).toEqual(['0.1', '1.1', '2.1', '0.2', '0.3', '1.2', '2.2', '0.4', '1.3']);
  });

  test('refuses surplus work per address and in total, and has separate room for each rank', async () => {
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

  test('frees the slot when work fails, even if it fails immediately', async () => {
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
