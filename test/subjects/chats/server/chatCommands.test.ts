import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { linkedChats, alertTriggers } from '#src/tables/alertSchema.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { ChatEvent, ChatReply } from '#platform/chatClients/received.ts';
import { type Asker, createCommandLimit } from '#subjects/chats/server/chatCommands/index.ts';
import { createTestApp, type TestApp } from '#support/testApp.ts';

const ANNA = '4711';
const LOGIC = {
  op: 'AND',
  conditions: [{ lhs: { type: 'field', field: 'last' }, op: '>', rhs: { type: 'number', value: 50 } }],
};

let app: TestApp;
let more: Partial<Extract<ChatEvent, { kind: 'text' }>>;

const where = (): Omit<ChatEvent, 'kind' | 'text'> => ({
  platform: 'telegram',
  chatId: ANNA,
  personId: ANNA,
  displayName: 'Anna',
  isGroup: false,
  ...more,
});
const handle = (event: ChatEvent): Promise<ChatReply | null> => app.parts.chatCommands.service.handle(event);
const ask = async (text: string): Promise<ChatMessage | null> =>
  (await handle({ ...where(), kind: 'text', text }))?.message ?? null;
const wordsOf = (message: ChatMessage | null): string =>
  [message?.title, ...(message?.lines ?? []), message?.link?.url].filter(Boolean).join('\n');
const replyTo = async (text: string): Promise<string> => wordsOf(await ask(text));

async function press(
  action: 'snooze' | 'off' | 'on' | 'why' | 'confirm' | 'refuse',
  target: number,
  shown: ChatMessage | null,
) {
  return handle({ ...where(), kind: 'button', action, target, shown });
}

function open(env: Record<string, string> = {}): void {
  app = createTestApp({ env });
  app.source.apply([
    { code: 'BHP', name: 'BHP Group', last: 50.61, close: 49.77, volume: 120_400, status: 'Open' },
    { code: 'BHR', name: 'Bhr *Gold* <b>', last: 0.004, close: 0.004, status: 'Halted' },
    { code: 'CBA', name: 'Commonwealth Bank', status: 'Open' },
  ]);
}

/** Links a chat to a user. @returns the user’s id */
async function linked(
  chatId = ANNA,
  as: 'free' | 'basic' = 'free',
  platform: 'telegram' | 'discord' = 'telegram',
): Promise<number> {
  const user = await app.user(as);
  const { service } = app.parts.linkedChats;
  service.claim(user, service.newToken(platform, chatId, 'Anna'));
  return user.id;
}

async function withAlert(chatId = ANNA): Promise<{ userId: number; alertId: number; message: ChatMessage }> {
  const userId = await linked(chatId);
  const alert = app.parts.alerts.service.create(userId, {
    symbol: 'BHP',
    name: 'Big one',
    persistent: true,
    logic_json: LOGIC,
    destinations: { telegram: true },
  });
  const message: ChatMessage = {
    title: 'BHP 50.61',
    lines: ['last above 50'],
    link: null,
    buttons: [
      { action: 'snooze', target: alert.id, label: 'Snooze 1 h' },
      { action: 'off', target: alert.id, label: 'Off' },
      { action: 'why', target: 1, label: 'Why' },
    ],
  };
  return { userId, alertId: alert.id, message };
}

/** Stores a trigger of an alert at 50.61. @returns its id */
const triggered = (alertId: number): number =>
  app.db
    .insert(alertTriggers)
    .values({
      alertId,
      symbol: 'BHP',
      triggeredAt: 1,
      marketAt: 1,
      source: 'hand',
      delayMinutes: 0,
      deactivated: false,
      silent: false,
      seen: [
        { left: { text: 'Last', value: 50.61 }, op: '>', right: { text: '50', value: 50 }, holds: true },
      ],
    })
    .returning()
    .get().id;

beforeEach(() => {
  more = {};
  open();
});
afterEach(() => {
  expect(app.lines.filter(({ level }) => level === 'error')).toEqual([]);
  app.close();
});

describe('an unlinked user', () => {
  test.each(['/start', '/help', '/link', '/user_id', 'help', '/HELP', '/help@bellbird_bot'])(
    '%p is answered',
    async (text) => {
      expect(await replyTo(text)).not.toContain('Link this chat first');
    },
  );

  test.each(['/price BHP', '/alerts', '/watch BHP', '/unwatch BHP'])('%p needs a link', async (text) => {
    expect(await replyTo(text)).toContain('Link this chat first');
  });

  test('/user_id returns the ID', async () => {
    expect(await replyTo('/user_id')).toContain('Your Telegram ID: 4711');
    more = { platform: 'discord', chatId: '80351110224678912', personId: '80351110224678912' };
    expect(await replyTo('/user_id')).toContain('Your Discord ID: 80351110224678912');
  });

  test.each(['hello', '', '/nonsense', '/price', '💥'.repeat(4096)])(
    'any other text gets one helpful answer',
    async (text) => {
      expect(await replyTo(text)).toMatch(/\/(link|help)/);
    },
  );

  test('gets 20 answers per minute, one warning, then silence until the next minute', async () => {
    for (let n = 0; n < 20; n += 1) expect(await ask('/help')).not.toBeNull();
    expect(await replyTo('/help')).toContain('Too many commands');
    expect(await ask('/help')).toBeNull();
    more = { chatId: '12', personId: '12' };
    expect(await ask('/help')).not.toBeNull();
    more = {};
    app.clock.advance(61_000);
    expect(await replyTo('/help')).toContain('/user_id');
  });
});

describe('/link', () => {
  test('without a public address it returns the token and where to use it', async () => {
    const text = await replyTo('/link');
    const token = /#\/settings\?linkToken=(\S+)/.exec(text)?.[1] ?? '';
    const answer = await app.request('POST', '/api/link/claim', { as: 'free', body: { token } });
    expect(answer.json).toEqual({ success: true, error: null });
    expect(await replyTo('/start')).toContain('linked to the account free');
  });

  test('with a public address it returns a link', async () => {
    app.close();
    open({ BELLBIRD_PUBLIC_URL: 'https://bird.example/' });
    const link = (await ask('/link'))?.link;
    expect(link?.url).toMatch(/^https:\/\/bird\.example\/#\/settings\?linkToken=[\w-]{20,}$/);
    expect((await ask('/start link'))?.link?.url).toContain('linkToken=');
  });

  test('a linked chat shows its account, and can be unlinked', async () => {
    await linked();
    expect(await replyTo('/link')).toContain('already linked');
    expect(await replyTo('/unlink')).toContain('Chat unlinked');
    expect(await replyTo('/unlink')).toContain('not linked');
    expect(await replyTo('/price BHP')).toContain('Link this chat first');
  });
});

describe('/price', () => {
  beforeEach(async () => void (await linked()));

  test.each([
    '/price BHP',
    'price bhp',
    '/price $bhp',
    '/price ASX:BHP',
    '/price bhp.ax',
    '/price   BHP  now',
  ])('%p shows price, change and source', async (text) => {
    const answer = await replyTo(text);
    expect(answer).toContain('BHP 50.61 ▲ +1.7%');
    expect(answer).toContain('By hand');
  });
  test('a halted stock is marked, and its name is plain text', async () => {
    const message = await ask('/price BHR');
    expect(wordsOf(message)).toContain('Halted: not trading');
    expect(message?.lines).toContain('Bhr *Gold* <b>');
  });
  test('an unknown code gets suggestions', async () => {
    expect(await replyTo('/price BH')).toContain('Did you mean BHP, BHR?');
    expect(await replyTo('/price CBX')).toContain('Did you mean CBA?');
    expect(await replyTo('/price ZZZZZ')).toContain('not in the live list');
    expect(await replyTo(`/price ${'x'.repeat(5000)}`)).toContain('not in the live list');
    expect(await replyTo('/price __proto__')).toContain('not in the live list');
  });
});

describe('/watch and /unwatch', () => {
  test('add a stock to the watchlist and remove it', async () => {
    const userId = await linked();
    expect(await replyTo('/watch bhp')).toBe('BHP is now on your watchlist');
    expect(await replyTo('/watch BHP')).toBe('BHP is already on your watchlist');
    expect(app.parts.watchlist.service.items(userId)).toMatchObject([{ symbol: 'BHP' }]);
    expect(await replyTo('/watch XYZ')).toContain('not in the live list');
    expect(await replyTo('/unwatch BHP')).toBe('BHP was removed from your watchlist');
    expect(await replyTo('/unwatch BHP')).toBe('BHP is not on your watchlist');
    expect(await replyTo('/watch')).toContain('Which stock?');
  });

  test('removing a stock with alerts needs an explicit command', async () => {
    const { userId } = await withAlert();
    expect(await replyTo('/unwatch BHP')).toContain('"/unwatch BHP all"');
    expect(app.parts.alerts.service.list(userId)).toHaveLength(1);
    expect(await replyTo('/unwatch BHP all')).toBe('BHP was removed from your watchlist');
    expect(app.parts.alerts.service.list(userId)).toHaveLength(0);
  });
});

test('/alerts lists the alerts, each with a button to switch it', async () => {
  const { userId, alertId } = await withAlert();
  const list = await ask('/alerts');
  expect(list?.lines).toEqual(['1) BHP: Big one (on)']);
  expect(list?.buttons).toEqual([{ action: 'off', target: alertId, label: '1) BHP off' }]);
  const reply = await press('off', alertId, list);
  expect(reply).toMatchObject({ edits: true, message: { lines: ['1) BHP: Big one (off)'] } });
  expect(reply?.message.buttons).toMatchObject([{ action: 'on' }]);
  expect(app.parts.alerts.service.list(userId)).toMatchObject([{ active: false }]);
});

describe('buttons under an alert', () => {
  test('Off changes nothing the second time, and On reverses it', async () => {
    const { userId, alertId, message } = await withAlert();
    const off = await press('off', alertId, message);
    expect(off).toMatchObject({ edits: true, message: { title: 'BHP 50.61' } });
    expect(wordsOf(off?.message ?? null)).toContain('last above 50');
    const [before] = app.parts.alerts.service.list(userId);
    expect(before?.active).toBe(false);
    await press('off', alertId, message);
    expect(app.parts.alerts.service.list(userId)).toEqual(before ? [before] : []);
    await press('on', alertId, off?.message ?? null);
    expect(app.parts.alerts.service.list(userId)).toMatchObject([{ active: true }]);
  });

  test('Snooze silences the alert for an hour, and a second click adds nothing', async () => {
    const { userId, alertId, message } = await withAlert();
    const until = app.clock.now() + 3_600_000;
    expect(wordsOf((await press('snooze', alertId, message))?.message ?? null)).toContain(
      'Snoozed until 12:00',
    );
    app.clock.advance(5000);
    await press('snooze', alertId, message);
    expect(app.parts.alerts.service.list(userId)).toMatchObject([{ active: true, snoozedUntil: until }]);
    app.clock.advance(1_800_000);
    await press('snooze', alertId, message);
    expect(app.parts.alerts.service.list(userId)[0]?.snoozedUntil).toBeGreaterThan(until);
  });

  test('Why shows the values of the trigger', async () => {
    const { alertId, message } = await withAlert();
    const reply = await press('why', triggered(alertId), message);
    expect(reply?.edits).toBe(false);
    expect(wordsOf(reply?.message ?? null)).toContain('50.61');
    expect(wordsOf((await press('why', 999, message))?.message ?? null)).toContain('no longer stored');
  });

  test('work only in chats linked to the alert’s owner', async () => {
    const { userId, alertId, message } = await withAlert();
    more = { chatId: '99', personId: '99' };
    expect(wordsOf((await press('off', alertId, message))?.message ?? null)).toContain('no longer linked');
    await linked('99', 'basic');
    for (const action of ['off', 'snooze', 'why'] as const) await press(action, alertId, message);
    expect(app.parts.alerts.service.list(userId)).toMatchObject([{ active: true, snoozedUntil: null }]);
  });

  test('do not work in an unconfirmed chat', async () => {
    const { userId, alertId, message } = await withAlert();
    app.db.update(linkedChats).set({ confirmedAt: null }).run();
    await press('off', alertId, message);
    expect(app.parts.alerts.service.list(userId)).toMatchObject([{ active: true }]);
  });

  test('get a new message if the original is unknown', async () => {
    const { alertId } = await withAlert();
    expect((await press('off', alertId, null))?.edits).toBe(false);
  });
});

describe('the question whether you own a chat', () => {
  const linkIdOf = (message: ChatMessage | null): number => message?.buttons[0]?.target ?? -1;
  beforeEach(async () => {
    app.parts.linkedChats.service.link(await app.user('free'), 'telegram', ANNA);
  });

  test('comes first at /start and with any text', async () => {
    for (const text of ['/start', 'hello', ''])
      expect(await replyTo(text)).toContain('The Bellbird account free');
    expect(await replyTo('/help')).not.toContain('The Bellbird account free');
  });

  test('is confirmed with Yes, shown in the message', async () => {
    const question = await ask('/start');
    const reply = await press('confirm', linkIdOf(question), question);
    expect(reply).toMatchObject({ edits: true, message: { title: 'Chat linked' } });
    expect(app.parts.linkedChats.service.confirmed((await app.user('free')).id)).toHaveLength(1);
  });
});

describe('a group', () => {
  const accountOf = (chatId: string) =>
    app.parts.linkedChats.service.accountOf({ platform: 'telegram', chatId })?.id;
  beforeEach(() => {
    more = { chatId: '-100', personId: ANNA, isGroup: true, displayName: 'A group' };
  });

  test('does not show a person’s alerts and watchlist', async () => {
    await linked('-100');
    for (const text of ['/alerts', '/watch BHP', '/unwatch BHP'])
      expect(await replyTo(text)).toContain('Not in a group');
    expect(await replyTo('/price BHP')).toContain('50.61');
  });

  test('answers anonymous members, but not personal commands', async () => {
    const userId = await linked('-100');
    more = { chatId: '-100', personId: null, isGroup: true, displayName: 'A group' };
    expect(await replyTo('/price BHP')).toContain('50.61');
    const id = await replyTo('/user_id');
    expect(id).toContain('-100');
    expect(id).toContain('I cannot see who you are');
    for (const text of ['/alerts', '/watch BHP', '/ask What moves?', '/unlink'])
      expect(await replyTo(text)).toContain('I cannot see who you are');
    expect(accountOf('-100')).toBe(userId);
  });

  test('can be unlinked only by the owner from their own chat', async () => {
    const userId = await linked('-100');
    expect(await replyTo('/unlink')).toContain('Not in a group');
    expect(accountOf('-100')).toBe(userId);
    await linked();
    expect(await replyTo('/unlink')).toContain('Chat unlinked');
    expect(accountOf(ANNA)).toBe(userId);
  });

  test('ignores a forged button of a member, even under an old question, but not the owner’s', async () => {
    const userId = await linked('-100');
    const id = app.db.select().from(linkedChats).get()?.id ?? -1;
    const question = (target: number): ChatMessage => ({
      title: 'A question',
      lines: [],
      link: null,
      buttons: [{ action: 'refuse', target, label: 'No' }],
    });
    more = { ...more, personId: '99' };
    for (const shown of [null, question(901)]) await press('refuse', id, shown);
    const refuse = async () => wordsOf((await press('refuse', id, question(id)))?.message ?? null);
    expect(await refuse()).toContain('already linked');
    expect(accountOf('-100')).toBe(userId);
    await linked('99');
    expect(await refuse()).toContain('Not linked');
    expect(accountOf('-100')).toBeUndefined();
  });

  test('in a Discord server counts the person as the chat', async () => {
    const chatId = '80351110224678912';
    more = { platform: 'discord', chatId, personId: chatId, isGroup: true };
    await linked(chatId, 'free', 'discord');
    expect(await replyTo('/watch BHP')).toContain('now on your watchlist');
  });
});

test('any message from a broken chat repairs it', async () => {
  const userId = await linked();
  app.db.update(linkedChats).set({ brokenAt: app.clock.now(), brokenReason: 'Blocked.' }).run();
  expect(app.parts.linkedChats.service.confirmed(userId)).toEqual([]);
  await ask('hi');
  expect(app.parts.linkedChats.service.confirmed(userId)).toHaveLength(1);
});

const inGroup = (group: number, person: string): Asker => ({ chat: `-${group}`, person, isLinked: false });

test('an unlinked user cannot raise the limit by creating groups', () => {
  const admit = createCommandLimit({ monotonic: () => 0 });
  const kinds = Array.from({ length: 60 }, (_, group) => admit(inGroup(group, '13')).kind);
  expect(kinds.filter((kind) => kind === 'admitted')).toHaveLength(20);
  expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(1);
  // Another person in one of those groups is not affected.
  expect(admit(inGroup(0, '14'))).toEqual({ kind: 'admitted' });
});

test('the members of an unlinked group share the limit of one person', () => {
  const admit = createCommandLimit({ monotonic: () => 0 });
  const kinds = Array.from({ length: 60 }, (_, person) => admit(inGroup(1, `${person}`)).kind);
  expect(kinds.filter((kind) => kind === 'admitted')).toHaveLength(20);
  expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(1);
});

test('commands in linked chats are counted per chat', () => {
  const admit = createCommandLimit({ monotonic: () => 0 });
  const asker: Asker = { chat: '5', person: '5', isLinked: true };
  for (let n = 0; n < 60; n += 1) expect(admit(asker).kind).toBe('admitted');
  expect(admit(asker)).toMatchObject({ kind: 'refused', seconds: 60 });
  expect(admit({ ...asker, chat: '-6' }).kind).toBe('admitted');
});
