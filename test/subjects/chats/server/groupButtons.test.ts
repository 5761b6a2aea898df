import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { alertTriggers, linkedChats } from '../../../../src/platform/db/alertSchema.ts';
import type { ButtonAction, ChatMessage } from '../../../../src/subjects/chats/rules/chatMessage.ts';
import type { ChatEvent } from '../../../../src/platform/chatClients/received.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

const LOGIC = {
  op: 'AND',
  conditions: [{ lhs: { type: 'field', field: 'last' }, op: '>', rhs: { type: 'number', value: 50 } }],
};

let app: TestApp;
let where: Omit<ChatEvent, 'kind' | 'text'>;

const wordsOf = (message: ChatMessage | null): string =>
  [message?.title, ...(message?.lines ?? [])].join('\n');
const press = (action: ButtonAction, target: number, shown: ChatMessage | null) =>
  app.parts.chatCommands.service.handle({ ...where, kind: 'button', action, target, shown });

beforeEach(() => {
  app = createTestApp();
  app.source.give([{ code: 'BHP', name: 'BHP Group', last: 50.61, close: 49.77, status: 'Open' }]);
});
afterEach(() => app.close());

describe.each(['telegram', 'discord'] as const)('buttons made up by a member, on %s', (platform) => {
  const SHOWN: ChatMessage = {
    title: 'BHP 50.61',
    lines: [],
    link: null,
    buttons: [
      { action: 'off', target: 901, label: 'Off' },
      { action: 'why', target: 902, label: 'Why' },
    ],
  };
  const GROUP = platform === 'telegram' ? '-100' : '80351110224678913';
  const STRANGER = platform === 'telegram' ? '99' : '80351110224678999';
  let owner: number;
  let alertId: number;
  beforeEach(async () => {
    const user = await app.user('free');
    const { service } = app.parts.linkedChats;
    service.claim(user, service.newToken(platform, GROUP, 'A group'));
    owner = user.id;
    where = { platform, chatId: GROUP, personId: STRANGER, displayName: 'Eve', isGroup: true };
    alertId = app.parts.alerts.service.create(owner, {
      symbol: 'BHP',
      name: 'Private',
      persistent: true,
      logic_json: LOGIC,
      destinations: {},
    }).id;
    app.db
      .insert(alertTriggers)
      .values({
        ...{
          id: 905,
          alertId,
          symbol: 'BHP',
          triggeredAt: 1,
          marketAt: 1,
          source: 'hand',
          delayMinutes: 0,
        },
        ...{ deactivated: false, silent: false },
        seen: [
          {
            ...{ left: { text: 'Last', value: 50.61 }, op: '>', right: { text: '50', value: 50 } },
            holds: true,
          },
        ],
      })
      .run();
  });

  test('neither switch nor snooze an alert that was never sent there', async () => {
    for (const action of ['off', 'on', 'snooze'] as const)
      for (const shown of [null, SHOWN]) {
        const text = wordsOf((await press(action, alertId, shown))?.message ?? null);
        expect(text).toContain('That button is gone');
      }
    expect(app.parts.alerts.service.list(owner)).toMatchObject([{ active: true, snoozedUntil: null }]);
  });

  test('are told no reason of a trigger that was never sent there', async () => {
    for (const shown of [null, SHOWN]) {
      const text = wordsOf((await press('why', 905, shown))?.message ?? null);
      expect(text).not.toContain('50.61\nLast');
      expect(text).toContain('That button is gone');
    }
  });

  test('do not end the link, not even under an old question', async () => {
    const [row] = app.db.select().from(linkedChats).all();
    const id = row?.id ?? -1;
    const question: ChatMessage = {
      ...SHOWN,
      buttons: [{ action: 'refuse', target: id, label: 'No' }],
    };
    await press('refuse', id, null);
    await press('refuse', id, SHOWN);
    expect(wordsOf((await press('refuse', id, question))?.message ?? null)).toContain('already linked');
    expect(app.parts.linkedChats.service.accountOf({ platform, chatId: GROUP })?.id).toBe(owner);
    // The owner, known by a chat of their own, may.
    const { service } = app.parts.linkedChats;
    service.claim(await app.user('free'), service.newToken(platform, STRANGER, null));
    expect(wordsOf((await press('refuse', id, question))?.message ?? null)).toContain('Not linked');
    expect(service.accountOf({ platform, chatId: GROUP })).toBeNull();
  });
});
