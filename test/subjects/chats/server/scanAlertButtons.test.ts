import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { outbox } from '#src/tables/alertSchema.ts';
import type { ButtonAction, ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { ChatPlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import type { ChatEvent } from '#platform/chatClients/received.ts';
import { lastAbove } from '#support/alertsApp.ts';
import { list, trade } from '#support/callsApp.ts';
import { createTestApp, type TestApp } from '#support/testApp.ts';

const HOUR_MS = 3_600_000;
const CHATS = {
  telegram: { own: '4711', stranger: '99', group: '-100' },
  discord: { own: '80351110224678912', stranger: '80351110224678999', group: '80351110224678913' },
} as const;

let app: TestApp;
let where: Omit<ChatEvent, 'kind' | 'text'>;
let userId: number;
let alertId: number;

const wordsOf = (message: ChatMessage | null): string =>
  [message?.title, ...(message?.lines ?? [])].join('\n');
const labels = (message: ChatMessage | null | undefined): string[] =>
  message?.buttons.map(({ label }) => label) ?? [];
const press = (action: ButtonAction, target: number, shown: ChatMessage | null) =>
  app.parts.chatCommands.service.handle({ ...where, kind: 'button', action, target, shown });
/** Presses the button with this label under a message, like a member of the chat. */
function pressUnder(message: ChatMessage, label: string) {
  const button = message.buttons.find((one) => one.label === label);
  if (!button) throw new Error(`There is no button "${label}" under ${message.title}.`);
  return press(button.action, button.target, message);
}
const scanAlerts = () => app.parts.alerts.service.scanAlerts;
const view = () => {
  const alert = scanAlerts().get(userId, alertId);
  return alert && scanAlerts().view(alert);
};

/** The messages sent to a chat, oldest first. */
function sentTo(chatId: string): ChatMessage[] {
  const rows = app.db.select().from(outbox).where(eq(outbox.chatId, chatId)).orderBy(outbox.id).all();
  return rows.flatMap(({ message }) => (message === null ? [] : [message as ChatMessage]));
}

const link = (platform: ChatPlatform, chatId: string, user: { id: number; username: string }) =>
  app.parts.linkedChats.service.claim(
    user,
    app.parts.linkedChats.service.newToken(platform, chatId, 'A chat'),
  );

/** The message of a scan alert for a stock that entered, sent to a chat. */
async function setUp(platform: ChatPlatform, chatId: string): Promise<ChatMessage> {
  const user = await app.user('free');
  userId = user.id;
  link(platform, chatId, user);
  const body = { name: 'Breakouts', logic: lastAbove(50) };
  const kept = await app.request('POST', '/api/indicators/scans', { as: 'free', body });
  const scan = { type: 'scan', id: (kept.json as { scan: { id: number } }).scan.id };
  alertId = scanAlerts().create(userId, { scan, minute_maximum: 1, destinations: { [platform]: true } }).id;
  app.tick.run();
  trade(app, 'BHP', 51);
  const message = sentTo(chatId).at(-1);
  if (!message) throw new Error('Nothing was sent.');
  return message;
}

const triggers = () => scanAlerts().triggers(userId, alertId);

beforeEach(() => {
  app = createTestApp();
  list(app);
});
afterEach(() => {
  expect(app.lines.filter(({ level }) => level === 'error')).toEqual([]);
  app.close();
});

describe.each(['telegram', 'discord'] as const)(
  'buttons under the message of a scan alert, on %s',
  (platform) => {
    const { own, stranger, group } = CHATS[platform];
    const at = (chatId: string, personId = chatId) => {
      const isGroup = chatId === group;
      where = { platform, chatId, personId, displayName: 'Anna', isGroup };
    };
    let message: ChatMessage;

    describe('pressed by their owner', () => {
      beforeEach(async () => {
        message = await setUp(platform, own);
        at(own);
      });

      test('Not this stock today mutes only that stock, and a second click adds nothing', async () => {
        const reply = await pressUnder(message, 'Not this stock today');
        expect(reply?.edits).toBe(true);
        expect(wordsOf(reply?.message ?? null)).toContain('→ BHP is muted until tomorrow.');
        expect(reply?.message.lines.slice(0, message.lines.length)).toEqual([...message.lines]);
        await pressUnder(reply?.message ?? message, 'Not this stock today');
        expect(view()).toMatchObject({ muted_today: ['BHP'], active: true });
        app.clock.advance(HOUR_MS);
        trade(app, 'BHP', 40);
        trade(app, 'BHP', 51);
        trade(app, 'CBA', 51);
        expect(triggers().map(({ symbol }) => symbol)).toEqual(['CBA', 'BHP']);
      });

      test('Snooze sends nothing for an hour but lists triggers, and a second click adds nothing', async () => {
        const reply = await pressUnder(message, 'Snooze 1 h');
        expect(wordsOf(reply?.message ?? null)).toMatch(/→ Snoozed until \d\d:\d\d Sydney\./);
        const until = view()?.snoozed_until;
        expect(Date.parse(until ?? '')).toBe(app.clock.now() + HOUR_MS);
        app.clock.advance(30_000);
        await pressUnder(reply?.message ?? message, 'Snooze 1 h');
        expect(view()?.snoozed_until).toBe(until ?? '');
        app.clock.advance(30_000);
        app.tick.run();
        trade(app, 'CBA', 51);
        expect(triggers()).toMatchObject([{ symbol: 'CBA', silent: true }, { symbol: 'BHP' }]);
        expect(sentTo(own).some(({ title }) => title.startsWith('CBA'))).toBe(false);
      });

      test('Off and On replace each other, and end the snooze', async () => {
        await pressUnder(message, 'Snooze 1 h');
        const off = await pressUnder(message, 'Off');
        expect(view()?.active).toBe(false);
        expect(labels(off?.message)).toEqual(['Why', 'On']);
        const snoozed = await pressUnder(message, 'Snooze 1 h');
        expect(wordsOf(snoozed?.message ?? null)).toContain('→ Switched off.');
        const on = await pressUnder(off?.message ?? message, 'On');
        expect(wordsOf(on?.message ?? null)).not.toContain('Switched off.');
        expect(view()).toMatchObject({ active: true, snoozed_until: null });
      });

      test('Why shows the values in a separate message', async () => {
        const reply = await pressUnder(message, 'Why');
        expect(reply?.edits).toBe(false);
        expect(wordsOf(reply?.message ?? null)).toMatch(
          /^BHP: why\nEntered Breakouts · 11:00 Sydney\nYes: last 51\.00 above 50\.00\n/,
        );
      });

      test('under a summary are only Snooze and Off, which cannot mute its stocks', async () => {
        trade(app, 'CBA', 51);
        app.clock.advance(60_000);
        app.tick.run();
        const sum = sentTo(own).at(-1);
        if (!sum) throw new Error('Nothing was sent.');
        expect(labels(sum)).toEqual(['Snooze 1 h', 'Off']);
        const [newest] = triggers();
        expect(newest?.symbol).toBeNull();
        const reply = await press('scanmute', newest?.id ?? 0, sum);
        expect(wordsOf(reply?.message ?? null)).toContain('no longer exists');
        expect(view()?.muted_today).toEqual([]);
      });
    });

    describe('pressed by others', () => {
      const ACTIONS = ['scansnooze', 'scanoff', 'scanon', 'scanmute', 'scanwhy'] as const;
      const targetOf = (action: ButtonAction) =>
        action === 'scanmute' || action === 'scanwhy' ? (triggers()[0]?.id ?? 0) : alertId;
      const untouched = () =>
        expect(view()).toMatchObject({ active: true, snoozed_until: null, muted_today: [] });

      test('change and show nothing in an unlinked chat or one of another user', async () => {
        message = await setUp(platform, own);
        at(stranger);
        for (const action of ACTIONS) {
          const reply = await press(action, targetOf(action), message);
          expect(wordsOf(reply?.message ?? null)).toContain('no longer linked');
        }
        untouched();
        link(platform, stranger, await app.user('premium'));
        for (const action of ACTIONS) {
          const words = wordsOf((await press(action, targetOf(action), null))?.message ?? null);
          expect(words).toMatch(/no longer (?:exists|stored)/);
          expect(words).not.toContain('51');
        }
        untouched();
      });

      test('do nothing in a group to which the message was not sent', async () => {
        message = await setUp(platform, group);
        at(group, stranger);
        const foreign: ChatMessage = {
          ...message,
          buttons: [{ action: 'scanoff', target: alertId + 1, label: 'Off' }],
        };
        for (const action of ACTIONS)
          for (const shown of [null, foreign]) {
            const reply = await press(action, targetOf(action), shown);
            expect(wordsOf(reply?.message ?? null)).toContain('That button no longer works');
          }
        untouched();
      });

      test('work for the members of a group to which the message was sent', async () => {
        message = await setUp(platform, group);
        at(group, stranger);
        const muted = await pressUnder(message, 'Not this stock today');
        expect(muted?.edits).toBe(true);
        expect(view()?.muted_today).toEqual(['BHP']);
        // Another member pressed Off before, so this button is the one that replaced it.
        await press('scanon', alertId, message);
        await pressUnder(message, 'Off');
        expect(view()?.active).toBe(false);
      });
    });
  },
);
