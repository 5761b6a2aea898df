import { expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { users } from '../../../../src/platform/db/schema.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

const register = (app: TestApp, username: string) =>
  app.request('POST', '/api/register', { body: { username, password: 'a password', platform: 'web' } });

test('a name that is easily taken for another is refused, whoever has that one', async () => {
  const app = createTestApp();
  expect((await register(app, 'Mallory')).status).toBe(200);
  for (const name of ['MaIIory', 'Mállory', 'ma11ory']) {
    const answer = await register(app, name);
    expect(answer.status).toBe(409);
    expect(answer.json).toMatchObject({
      error: expect.stringContaining('looks too much like another one'),
      field: 'username',
    });
  }
  for (const name of ['admin', 'BellBird', 'Former user 3']) {
    const answer = await register(app, name);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: expect.stringContaining('reserved for the people who run') });
  }
  app.close();
});

test('names from before keep working, and are looked at too', async () => {
  const app = createTestApp();
  await register(app, 'Mallory');
  app.db.update(users).set({ usernameSkeleton: null, username: 'Аdmin', usernameKey: 'аdmin' }).run();
  const login = await app.request('POST', '/api/login', {
    body: { identifier: 'Аdmin', password: 'a password' },
  });
  expect(login.status).toBe(200);
  expect((await register(app, 'Ann')).status).toBe(200);
  expect(app.db.select().from(users).where(eq(users.username, 'Аdmin')).get()?.usernameSkeleton).toBe(
    'admin',
  );
  app.close();
});
