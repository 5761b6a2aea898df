import { expect, test } from 'bun:test';
import { aRelayState } from '../support/relayStates.ts';
import { createTestApp } from '../support/testApp.ts';

test('the services that are set up are checked, and no others', async () => {
  const bare = createTestApp();
  expect(bare.parts.notices.service.services()).toEqual({});
  bare.close();
  const app = createTestApp({
    env: { BELLBIRD_AI_URL: 'http://model.example', BELLBIRD_AI_MODEL: 'small' },
    runtime: { relayState: () => aRelayState({ relays: [] }) },
  });
  const { id } = await app.user('admin');
  app.db.$client.run(
    `INSERT INTO devices (user_id, endpoint, p256dh, auth, origin, name, session_id, created_at, failed_at, status)
     VALUES (${id}, 'https://push.example/1', '', '', '', 'Phone', '', 0, 9, 'refused')`,
  );
  expect(app.parts.notices.service.services()).toMatchObject({
    model: null,
    push: { state: 'wrong' },
    relays: { state: 'warning', says: 'No relay is connected.' },
  });
  app.close();
});
