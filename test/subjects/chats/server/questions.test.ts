import { beforeEach, describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { linkedChats } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { loadConfig } from '#src/config/config.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { appOf } from '#support/appOf.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { NewMessage } from '#platform/outbox/message.ts';
import { LinkedChats } from '#subjects/chats/server/linkedChats/index.ts';
import { accountStore } from '#subjects/accounts/server/store.ts';
import { createFakeClock, type FakeClock } from '#support/testApp.ts';

const CHAT = { platform: 'telegram', chatId: '4711' } as const;
type Outgoing = Pick<NewMessage, 'userId' | 'chatId'> & { message: ChatMessage };

let db: Db;
let clock: FakeClock;
let sent: Outgoing[];
let woken: number;
let broke: unknown[];
let chats: LinkedChats;
let users: { id: number; username: string }[];

beforeEach(() => {
  db = openMemoryDb();
  clock = createFakeClock();
  sent = [];
  woken = 0;
  broke = [];
  let token = 0;
  chats = new LinkedChats(
    appOf({
      db,
      clock,
      config: loadConfig({ BELLBIRD_TELEGRAM_TOKEN: 'telegram', BELLBIRD_DISCORD_TOKEN: 'discord' }).config,
      outbox: {
        add: (messages) => {
          sent.push(...messages.flatMap((one) => ('message' in one ? [one] : [])));
          return [];
        },
        breakChat: (...broken) => void broke.push(broken),
        wake: () => void (woken += 1),
      },
      randomToken: () => `token-${(token += 1)}`,
    }),
  );
  const accounts = accountStore(db);
  users = Array.from({ length: 12 }, (_, index) =>
    accounts.insert({ username: `user${index}`, email: null, passwordHash: 'x' }, clock.now()),
  );
});

const user = (index: number): { id: number; username: string } => {
  const found = users[index];
  if (!found) throw new Error(`There is no user ${index}.`);
  return found;
};
const YES = { isYes: true, isOwner: true };
const NO = { isYes: false, isOwner: true };
const linkIdOf = (message: Outgoing | undefined): number => message?.message.buttons[0]?.target ?? -1;
const breakChat = (): void => {
  db.update(linkedChats).set({ brokenAt: clock.now(), brokenReason: 'Blocked.' }).run();
};

describe('a typed ID', () => {
  test('is unlinked only by its owner once confirmed', () => {
    chats.link(user(0), 'telegram', '4711');
    const id = linkIdOf(sent[0]);
    const byAnother = { isYes: false, isOwner: false };
    expect(chats.answer(CHAT, id, YES)).toBe('confirmed');
    expect(chats.answer(CHAT, id, byAnother)).toBe('not theirs');
    expect(chats.confirmed(user(0).id)).toEqual([CHAT]);
    expect(chats.answer(CHAT, id, NO)).toBe('refused');
    expect(chats.list(user(0).id)).toEqual([]);
  });

  test('can be refused by anyone in the chat while pending', () => {
    chats.link(user(0), 'telegram', '4711');
    expect(chats.answer(CHAT, linkIdOf(sent[0]), { isYes: false, isOwner: false })).toBe('refused');
  });

  test('sends a question to the chat, which confirms', () => {
    chats.link(user(0), 'telegram', '4711');
    expect(sent).toMatchObject([{ ...CHAT, userId: user(0).id, triggerId: null }]);
    expect(sent[0]?.message.buttons.map(({ action }) => action)).toEqual(['confirm', 'refuse']);
    expect(woken).toBe(1);
    expect(chats.answer(CHAT, linkIdOf(sent[0]), YES)).toBe('confirmed');
    expect(chats.confirmed(user(0).id)).toEqual([CHAT]);
    expect(chats.answer(CHAT, linkIdOf(sent[0]), YES)).toBe('confirmed');
  });

  test('can be confirmed only by that chat', () => {
    chats.link(user(0), 'telegram', '4711');
    const id = linkIdOf(sent[0]);
    expect(chats.answer({ ...CHAT, chatId: '4712' }, id, YES)).toBe('gone');
    expect(chats.answer({ ...CHAT, platform: 'discord' }, id, YES)).toBe('gone');
    expect(chats.confirmed(user(0).id)).toEqual([]);
  });

  test('is unlinked by a refusal, and cannot be requested again for a day by any account', () => {
    chats.link(user(0), 'telegram', '4711');
    expect(chats.answer(CHAT, linkIdOf(sent[0]), NO)).toBe('refused');
    expect(chats.list(user(0).id)).toEqual([]);
    for (const index of [0, 1]) {
      expect(() => chats.link(user(index), 'telegram', '4711')).toThrow(
        'too many confirmation requests today',
      );
      expect(chats.list(user(index).id)).toEqual([]);
    }
    clock.advance(25 * 3_600_000);
    chats.link(user(1), 'telegram', '4711');
    expect(sent).toHaveLength(2);
  });

  test('gets at most three questions per day from twelve accounts together', () => {
    let refused = 0;
    for (let index = 0; index < 12; index += 1) {
      try {
        chats.link(user(index), 'telegram', '4711');
      } catch {
        refused += 1;
      }
    }
    expect({ sent: sent.length, refused }).toEqual({ sent: 3, refused: 9 });
  });

  test('requested by two accounts goes to one, and voids the other request', () => {
    chats.link(user(0), 'telegram', '4711');
    chats.link(user(1), 'telegram', '4711');
    expect(chats.question(CHAT)).toEqual({ linkId: linkIdOf(sent[1]), username: 'user1' });
    expect(chats.answer(CHAT, linkIdOf(sent[1]), YES)).toBe('confirmed');
    expect(chats.answer(CHAT, linkIdOf(sent[0]), YES)).toBe('gone');
    expect(chats.list(user(0).id)).toEqual([]);
    expect(chats.accountOf(CHAT)?.id).toBe(user(1).id);
  });
});

describe('the platform reports that the bot', () => {
  test('may write again, which repairs the chat and notifies it once', () => {
    chats.claim(user(0), chats.newToken('telegram', '4711', 'Anna'));
    breakChat();
    sent = [];
    chats.membership(CHAT, null);
    chats.membership(CHAT, null);
    expect(chats.confirmed(user(0).id)).toEqual([CHAT]);
    expect(sent).toMatchObject([{ ...CHAT, message: { title: 'Alerts come here again' } }]);
  });

  test('may no longer write, which stops the outbox', () => {
    chats.membership(CHAT, 'Blocked.');
    expect(broke).toEqual([['telegram', '4711', 'Blocked.']]);
  });
});

describe('a broken chat', () => {
  test('is a destination again after an hour, or once the clock was set back', () => {
    chats.claim(user(0), chats.newToken('telegram', '4711', 'Anna'));
    breakChat();
    const isPlace = () => chats.confirmed(user(0).id).length === 1;
    expect(isPlace()).toBe(false);
    clock.advance(3_600_000 - 1);
    expect(isPlace()).toBe(false);
    clock.advance(1);
    expect(isPlace()).toBe(true);
    db.update(linkedChats)
      .set({ brokenAt: clock.now() + 5 })
      .run();
    expect(isPlace()).toBe(true);
  });

  beforeEach(() => {
    chats.claim(user(0), chats.newToken('telegram', '4711', null));
    breakChat();
  });

  test('gets no messages and shows the reason', () => {
    expect(chats.confirmed(user(0).id)).toEqual([]);
    expect(chats.list(user(0).id)).toMatchObject([{ confirmed: true, broken: 'Blocked.' }]);
    expect(chats.accountOf(CHAT)?.id).toBe(user(0).id);
  });

  const mends: Record<string, () => void> = {
    'linking it by ID': () => chats.link(user(0), 'telegram', '4711'),
    'claiming it again': () => chats.claim(user(0), chats.newToken('telegram', '4711', null)),
    'a message from the chat': () => chats.receivedFrom(CHAT),
    'a confirmation': () => {
      const row = db
        .select()
        .from(linkedChats)
        .where(eq(linkedChats.userId, user(0).id))
        .get();
      chats.answer(CHAT, row?.id ?? -1, YES);
    },
  };
  for (const [name, mend] of Object.entries(mends)) {
    test(`is repaired by ${name}`, () => {
      mend();
      expect(chats.confirmed(user(0).id)).toEqual([CHAT]);
      expect(chats.list(user(0).id)).toMatchObject([{ broken: null }]);
    });
  }

  test('is not repaired by a message from another chat', () => {
    chats.receivedFrom({ ...CHAT, chatId: '4712' });
    expect(chats.confirmed(user(0).id)).toEqual([]);
  });
});
