import { appOf } from '#support/appOf.ts';
import { expect, test } from 'bun:test';
import { AppError } from '#platform/http/errors.ts';
import { createLoopBudget, TurnGate } from '#platform/http/loopBudget.ts';
import { createFakeClock } from '#support/testApp.ts';

type Sent = { from?: string; user?: number; path?: string };

/** Requests that hold the loop for a given time, on a simulated clock. */
function fixture() {
  const clock = createFakeClock();
  const addresses = new WeakMap<Request, string>();
  const { service } = createLoopBudget(
    appOf({ clock, clientAddress: (request: Request) => addresses.get(request) ?? '' }),
  );
  /** @returns the status, and the error message if it is refused */
  async function send(ms: number, { from = '192.0.2.1', user, path = '/api/alerts' }: Sent = {}) {
    const request = new Request(`http://localhost${path}`);
    addresses.set(request, from);
    const refused = await service.admit(request);
    if (refused) return refused;
    return service.measured(request, async () => {
      // Like verifying a token: another turn of the loop, in which time passes that does not count.
      await new Promise((done) => setImmediate(done));
      clock.advance(1);
      try {
        if (user !== undefined) await service.enter(request, user);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return Response.json({ error: error.message }, { status: error.status, headers: error.headers });
      }
      clock.advance(ms);
      return Response.json({});
    });
  }
  const statusOf = async (ms: number, sent: Sent = {}): Promise<number> => (await send(ms, sent)).status;
  /** Parses a body for this long. */
  const request = (ms: number, from = '192.0.2.1'): Promise<void> => {
    const request = new Request('http://localhost/api/alerts');
    addresses.set(request, from);
    return service.inTurn(request, () => clock.advance(ms));
  };
  return { clock, request, send, statusOf };
}

test('a user has a time budget on the loop and gets a retry time; others are unaffected', async () => {
  const { clock, send, statusOf } = fixture();
  // Each takes 250 ms, and a tenth of it is refilled in that time.
  let sent = 0;
  while ((await statusOf(250, { user: 1 })) === 200) sent += 1;
  expect(sent).toBeGreaterThan(40);
  expect(sent).toBeLessThan(50);
  const refused = await send(250, { user: 1 });
  const seconds = Number(refused.headers.get('retry-after'));
  expect([refused.status, await refused.json()]).toEqual([
    429,
    {
      error: `Too many heavy requests from this account. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    },
  ]);
  expect(await statusOf(250, { user: 2 })).toBe(200);
  clock.advance(seconds * 1000);
  expect(await statusOf(50, { user: 1 })).toBe(200);
});

test('an address has one time budget for all its users; others and a bridge are unaffected', async () => {
  const { send, statusOf } = fixture();
  let user = 0;
  while (user < 2000 && (await statusOf(250, { user })) === 200) user += 1;
  expect(user).toBeGreaterThan(200);
  expect(user).toBeLessThan(2000);
  const refused = await send(1);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toEqual({
    error: expect.stringMatching(/^Too many heavy requests from your address\. Try again in \d+ seconds?\.$/),
  });
  expect(await statusOf(1, { from: '192.0.2.2' })).toBe(200);
  expect(await statusOf(1, { path: '/api/ingest/market' })).toBe(200);
});

test('bodies are parsed in turns of the loop, so that many do not block it together', async () => {
  const { request } = fixture();
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(Array.from({ length: 40 }, () => request(5)));
  isOver = true;
  expect(turns).toBeGreaterThan(30);
});

test('a machine that stood still for an hour costs a user at most a quarter of a second', async () => {
  const { statusOf } = fixture();
  expect(await statusOf(3_600_000, { user: 1 })).toBe(200);
  expect(await statusOf(1, { user: 1 })).toBe(200);
});

test('addresses take turns, and so do users of one address', async () => {
  /** Turns of the loop run on demand. */
  let next: (() => void)[] = [];
  const gate = new TurnGate((run) => next.push(run));
  const began: string[] = [];
  const ask = (address: string, name: string): void => {
    const begin = (): void => {
      began.push(name);
      gate.held(10);
    };
    const turn = gate.wait(address, name);
    if (turn === null) begin();
    else void turn.then(begin);
  };
  const turn = async (): Promise<void> => {
    const due = next;
    next = [];
    for (const run of due) {
      run();
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  ask('1', 'x');
  for (const name of ['a', 'a', 'a', 'b']) ask('1', name);
  ask('2', 'c');
  ask('2', 'c');
  for (let index = 0; index < 6; index += 1) await turn();
  expect(began.join('')).toBe('xacbcaa');
});
