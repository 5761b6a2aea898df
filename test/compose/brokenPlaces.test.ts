import { expect, test } from 'bun:test';
import { createTestApp } from '../support/testApp.ts';

const ANNA = { platform: 'telegram', chatId: '4711' } as const;
const BEN = { platform: 'telegram', chatId: '815' } as const;

test('an owner hears in another chat that one takes nothing any more, and in that chat that it does again', async () => {
  const app = createTestApp();
  const { linkedChats, outbox } = app.parts;
  const owner = await app.user('free');
  const stranger = await app.user('basic');
  for (const { chatId } of [ANNA, BEN])
    linkedChats.service.claim(owner, linkedChats.service.newToken('telegram', chatId, `Chat ${chatId}`));
  linkedChats.service.claim(stranger, linkedChats.service.newToken('telegram', '9', null));
  const before = outbox.service.counts().waiting;
  const written = () =>
    app.db.$client
      .query<{ chatId: string; title: string; first: string | null }, []>(
        `SELECT chat_id AS chatId, json_extract(message, '$.title') AS title,
          json_extract(message, '$.lines[0]') AS first FROM outbox WHERE title NOT LIKE 'Chat linked'`,
      )
      .all();
  linkedChats.service.membership(ANNA, 'The bot was blocked.');
  expect(written()).toEqual([
    {
      chatId: '815',
      title: 'Alerts don’t reach your Telegram chat Chat 4711',
      first: 'The bot was blocked.',
    },
  ]);
  expect(linkedChats.service.confirmed(owner.id)).toEqual([BEN]);
  linkedChats.service.membership(ANNA, null);
  expect(written().slice(1)).toEqual([{ chatId: '4711', title: 'Alerts come here again', first: null }]);
  expect(linkedChats.service.confirmed(owner.id)).toEqual([ANNA, BEN]);
  // The confirmation that waited for the blocked chat failed.
  expect(outbox.service.counts().waiting).toBe(before + 1);
  app.close();
});
