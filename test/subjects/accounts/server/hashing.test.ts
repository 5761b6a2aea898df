import { expect, test } from 'bun:test';
import { createPasswords, type Passwords } from '#subjects/accounts/server/passwords.ts';
import { createTestApp, PASSWORD } from '#support/testApp.ts';

const HOME = '192.0.2.7';

/** An application that hashes through the real queue and pauses while the test closes the gate. */
function gatedApp() {
  let gate = Promise.resolve();
  let open = (): void => {};
  /** The passwords in the order in which they were checked. */
  const order: string[] = [];
  const queued = createPasswords({
    hash: async (password) => `hash of ${password}`,
    verify: async (password, hash) => {
      await gate;
      order.push(password);
      return hash === `hash of ${password}`;
    },
  });
  let asked = 0;
  const passwords: Passwords = {
    hash: queued.hash,
    verify: (...args) => {
      asked += 1;
      return queued.verify(...args);
    },
  };
  const app = createTestApp({ runtime: { passwords } });
  const login = (from: string, identifier: string, password: string) =>
    app.request('POST', '/api/login', { body: { identifier, password }, from });
  return {
    app,
    order,
    right: (from: string) => login(from, 'anna', PASSWORD),
    wrong: (from: string, identifier: string) => login(from, identifier, 'wrong one'),
    shut() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      asked = 0;
      open = resolve;
    },
    /** Waits until this many passwords were queued or refused since the gate was shut. */
    async arrived(count: number) {
      while (asked < count) await Bun.sleep(1);
    },
    open: () => open(),
  };
}
const addresses = (count: number) => Array.from({ length: count }, (_, index) => `203.0.113.${index}`);

test('a flood from many addresses does not delay users at an address they know', async () => {
  const { app, order, right, wrong, shut, arrived, open } = gatedApp();
  await app.addUser('anna');
  expect((await right(HOME)).status).toBe(200);
  order.length = 0;
  shut();
  const flood = addresses(100).map((from, index) => wrong(from, `name ${index}`));
  await arrived(100);
  const person = right(HOME);
  await arrived(101);
  open();
  expect((await person).status).toBe(200);
  expect(order).toContain(PASSWORD);
  expect(order.indexOf(PASSWORD)).toBeLessThan(5);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect([...new Set(statuses)].sort()).toEqual([401, 503]);
  app.close();
});

test('the hash for unknown names is made once, and retried if that fails', async () => {
  let made = 0;
  const passwords: Passwords = {
    hash: async () => {
      made += 1;
      if (made === 1) throw new Error('out of memory');
      return 'a hash';
    },
    verify: async () => false,
  };
  const app = createTestApp({ runtime: { passwords } });
  const statuses = async () => {
    const answers = addresses(5).map((from) =>
      app.request('POST', '/api/login', { body: { identifier: 'nobody', password: 'wrong one' }, from }),
    );
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect(await statuses()).toEqual([500, 500, 500, 500, 500]);
  expect(await statuses()).toEqual([401, 401, 401, 401, 401]);
  expect(made).toBe(2);
  app.close();
});
