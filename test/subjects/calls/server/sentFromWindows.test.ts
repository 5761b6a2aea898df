import { expect, test } from 'bun:test';
import { listenToAlerts } from '../../../support/alertStreamClient.ts';
import { BOUGHT, list, mine, submit, trade } from '../../../support/callsApp.ts';
import { createTestApp } from '../../../support/testApp.ts';

test('every window of the owner is told of what becomes of a call, those of others are not', async () => {
  const app = createTestApp();
  list(app);
  const [own, other] = await Promise.all([
    listenToAlerts(app, await app.tokenOf(await app.user('free'))),
    listenToAlerts(app, await app.tokenOf(await app.user('basic'))),
  ]);
  const told = () => own.account.filter(({ event }) => event === 'calls_changed').length;
  const publicId = await submit(app, 'free', { callType: 'buy', entryPrice: 35 });
  await own.until(() => told() === 1);
  trade(app, 'BHP', 34);
  await own.until(() => told() === 2);
  await app.request('POST', `/api/calls/${publicId}/close`, { as: 'free', body: { pocketedValue: 1 } });
  await own.until(() => told() === 3);
  expect(other.account.map(({ event }) => event)).not.toContain('calls_changed');
  app.close();
});

test('a submit that is sent again under its key makes no second call, under another key or of another user it does', async () => {
  const app = createTestApp();
  list(app);
  const send = async (key: string, as: 'free' | 'basic' = 'free') => {
    const options = { as, body: BOUGHT, headers: { 'idempotency-key': key } };
    return ((await app.request('POST', '/api/calls', options)).json as { publicId: string }).publicId;
  };
  const first = await send('a-key-of-the-page');
  expect(await send('a-key-of-the-page')).toBe(first);
  expect(await mine(app)).toHaveLength(1);
  expect(await send('a-key-of-the-page', 'basic')).not.toBe(first);
  expect(await send('another-key')).not.toBe(first);
  // One that is too short to be nobody else's is none.
  expect(await send('a')).not.toBe(await send('a', 'basic'));
  expect(await mine(app)).toHaveLength(3);
  app.clock.advance(10 * 60_000);
  const later = await app.request('POST', '/api/calls', {
    as: 'free',
    body: { ...BOUGHT, symbol: 'CBA' },
    headers: { 'idempotency-key': 'a-key-of-the-page' },
  });
  expect((later.json as { publicId: string }).publicId).not.toBe(first);
  app.close();
});
