import { describe, expect, test } from 'bun:test';
import { users } from '#platform/db/schema.ts';
import { createTestApp } from '#support/testApp.ts';
import { eachApp } from '#support/eachApp.ts';

const DAY = 86_400_000;
const VISITOR = '198.51.100.20';
const markOf = (index: number): string => index.toString(16).padStart(12, '0');

const app = eachApp(() => createTestApp({ env: { BELLBIRD_TEST: '1' } }));

const seed = (username: string, from = VISITOR) =>
  app.request('POST', '/api/test/seed', { body: { username }, from });
async function tokenOf(username: string): Promise<string> {
  return ((await seed(username)).json as { accessToken: string }).accessToken;
}
const use = (token: string) => app.request('GET', '/api/settings', { as: { token } });
const names = (): string[] =>
  app.db
    .select()
    .from(users)
    .all()
    .map(({ username }) => username);
function pruneAll(): number {
  let removed = 0;
  for (let more = true; more; ) {
    const done = app.parts.accounts.prune();
    removed += done.removed;
    more = done.hasMore;
  }
  return removed;
}

describe('nightly removal of demo accounts', () => {
  const mine = `premium-${markOf(1)}`;

  test('removes unused accounts and all their data after seven days', async () => {
    const token = await tokenOf(mine);
    app.clock.advance(7 * DAY - 1);
    pruneAll();
    expect(names()).toContain(mine);
    app.clock.advance(8 * DAY);
    expect(pruneAll()).toBeGreaterThan(0);
    expect(names().filter((name) => name === mine || name.startsWith('Former'))).toEqual([]);
    expect((await use(token)).status).toBe(401);
    // The same browser starts again.
    expect((await seed(mine)).status).toBe(200);
  });

  test('keeps accounts in use, also after a logout or if the use is only in memory', async () => {
    const token = await tokenOf(mine);
    app.clock.advance(6 * DAY);
    expect((await use(token)).status).toBe(200);
    app.clock.advance(2 * DAY);
    pruneAll();
    expect((await app.request('POST', '/api/logout', { as: { token } })).status).toBe(200);
    pruneAll();
    app.clock.advance(6 * DAY);
    pruneAll();
    expect(names()).toContain(mine);
    app.clock.advance(2 * DAY);
    pruneAll();
    expect(names()).not.toContain(mine);
  });

  test('keeps named demo users, demo submitters and real users', async () => {
    await app.addUser(`maggie-${markOf(1)}`);
    for (const name of ['demo', 'premium-anna', 'basic-0123456789abc']) await seed(name);
    const before = names();
    app.clock.advance(100 * DAY);
    pruneAll();
    expect(names()).toEqual(before);
  });
});

test('new demo accounts share the daily registration limit of their address; existing ones still log in', async () => {
  for (let index = 0; index < 20; index += 1) expect((await seed(`demo-${markOf(index)}`)).status).toBe(200);
  const refused = await seed(`demo-${markOf(20)}`);
  expect([refused.status, refused.json]).toEqual([
    429,
    {
      success: false,
      error:
        'At most 20 accounts per day can be created from one address. Try again in 24 hours, or ask an administrator for an account.',
    },
  ]);
  expect(refused.headers.get('retry-after')).toBe(String(DAY / 1000));
  expect(names()).not.toContain(`demo-${markOf(20)}`);
  expect((await seed(`demo-${markOf(3)}`)).status).toBe(200);
  expect((await seed(`demo-${markOf(20)}`, '203.0.113.7')).status).toBe(200);
});
