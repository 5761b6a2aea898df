import { expect, test } from 'bun:test';
import { list, submit } from '../../../support/callsApp.ts';
import { createTestApp } from '../../../support/testApp.ts';

test('the answer with all calls has a tag for visitors, who are told when it is what they have; for others it is kept nowhere', async () => {
  const app = createTestApp();
  const ask = (options: Parameters<typeof app.request>[2] = {}) =>
    app.request('GET', '/api/calls/leaderboard', options);
  const first = await ask();
  const tag = first.headers.get('etag') ?? '';
  expect(first.headers.get('cache-control')).toBe('private, no-cache');
  expect(first.headers.get('vary')).toContain('authorization');
  const again = await ask({ headers: { 'if-none-match': tag } });
  expect([again.status, again.text]).toEqual([304, '']);
  list(app);
  await submit(app);
  const changed = await ask({ headers: { 'if-none-match': tag } });
  expect([changed.status, changed.headers.get('etag') === tag]).toEqual([200, false]);
  for (const as of ['free', 'admin'] as const) {
    const own = await ask({ as, headers: { 'if-none-match': changed.headers.get('etag') ?? '' } });
    expect([own.status, own.headers.get('etag'), own.headers.get('cache-control')]).toEqual([
      200,
      null,
      'no-store',
    ]);
  }
});
