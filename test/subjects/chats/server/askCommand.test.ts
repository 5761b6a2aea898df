import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { linkedChats } from '#src/tables/alertSchema.ts';
import { users } from '#platform/db/schema.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { ChatEvent, ChatReply } from '#platform/chatClients/received.ts';
import { discordText } from '#platform/discord/render.ts';
import { type FakeModel, startFakeModel, toolReply } from '#support/fakeModel.ts';
import { createTestApp, type Role, type TestApp } from '#support/testApp.ts';
import { waitUntil } from '#support/waitUntil.ts';

const ANNA = '4711';
const ON_IT = 'Working on it\nThe answer will arrive within a minute.';
const TITLE = 'A model’s answer: may be wrong, not advice';

let fake: FakeModel;
let app: TestApp;

const wordsOf = ({ title, lines }: ChatMessage): string => [title, ...lines].join('\n');
async function send(text: string, more: Partial<ChatEvent> = {}): Promise<ChatReply> {
  const where = {
    platform: 'telegram',
    chatId: ANNA,
    personId: ANNA,
    displayName: null,
    isGroup: false,
  } as const;
  const reply = await app.parts.chatCommands.service.handle({ ...where, ...more, kind: 'text', text });
  if (!reply) throw new Error('There was no reply.');
  return reply;
}
const replyTo = async (text: string, more: Partial<ChatEvent> = {}): Promise<string> =>
  wordsOf((await send(text, more)).message);
async function answered(reply: ChatReply): Promise<string> {
  expect(wordsOf(reply.message)).toBe(ON_IT);
  if (!reply.answer) throw new Error('No answer was announced.');
  return wordsOf(await reply.answer);
}
async function linked(role: Exclude<Role, 'guest'>): Promise<void> {
  const user = await app.user(role);
  const { service } = app.parts.linkedChats;
  service.claim(user, service.newToken('telegram', ANNA, 'Anna'));
}

beforeEach(() => {
  fake = startFakeModel();
  app = createTestApp({ env: { BELLBIRD_AI_URL: fake.url, BELLBIRD_AI_MODEL: 'fake-model' } });
  app.source.apply([{ code: 'BHP', name: 'BHP Group', last: 50.6, close: 49.75, status: 'Open' }]);
});
afterEach(async () => {
  await fake.stop();
  expect(app.lines.filter(({ level }) => level === 'error')).toEqual([]);
  app.close();
});

describe('access to /ask', () => {
  test('an unlinked user sees how to link the chat, and the required plan', async () => {
    expect(await replyTo('/ask What moves?')).toMatch(
      /^Link this chat first\nQuestions are for .* Premium plan\./,
    );
  });

  test('a basic user sees the required plan', async () => {
    await linked('basic');
    expect(await replyTo('/ask What moves?')).toContain('Questions need the Premium plan');
    expect(fake.requests).toHaveLength(0);
  });

  test('a premium user is answered as level 3', async () => {
    await linked('premium');
    fake.reply(toolReply('quote', { symbol: 'BHP' }), 'At $50.60 (By hand, 11:00).\nUp 1.7%.');
    expect(await answered(await send('/ask  What is BHP\n worth? '))).toBe(
      `${TITLE}\nAt $50.60 (By hand, 11:00).\nUp 1.7%.`,
    );
    expect(fake.requests[0]?.messages[1]?.content).toBe('What is BHP\n worth?');
    expect(fake.requests[0]?.tools).toHaveLength(5);
  });

  test('a typed but unconfirmed chat counts as unlinked', async () => {
    const user = await app.user('premium');
    app.parts.linkedChats.service.link(user, 'telegram', ANNA);
    expect(await replyTo('/ask What moves?')).toContain('Link this chat first');
  });
});

describe('the answer to /ask', () => {
  test('explains that there is no model', async () => {
    app.close();
    app = createTestApp();
    await linked('premium');
    expect(await replyTo('/ask What moves?')).toContain('Questions need an AI model');
  });

  test('is marked as truncated on Discord if it is too long', async () => {
    await linked('premium');
    fake.reply('*word* '.repeat(3000));
    const reply = await send('/ask What moves?');
    const message = await reply.answer;
    if (!message) throw new Error('No answer was announced.');
    const { content } = discordText(message, { mayRepeat: false });
    expect(content).toStartWith(`**${TITLE}**`);
    expect(content).toEndWith('…');
    expect(content.length).toBeLessThanOrEqual(2000);
  });
});

describe('while a question is pending', () => {
  test('a second one is refused, other commands work, and later questions are answered', async () => {
    await linked('premium');
    const release = fake.hold();
    const first = await send('/ask What moves?');
    await waitUntil('the request to the model', () => fake.open() === 1);
    expect(await replyTo('/ask And now?')).toContain('Your last question is still being answered');
    expect(await replyTo('/price BHP')).toContain('50.6');
    release();
    expect(await answered(first)).toContain('An answer.');
    expect(await answered(await send('/ask And now?'))).toContain('An answer.');
  });

  const DROPPED = 'This chat is no longer linked, so the answer was dropped.';
  const unlink = () => app.db.delete(linkedChats).run();
  test.each<[name: string, lose: () => unknown, sentence: string]>([
    ['is unlinked in the chat', () => send('/unlink'), DROPPED],
    ['is unlinked in Settings', unlink, DROPPED],
    ['was linked to another account', () => (unlink(), linked('admin')), DROPPED],
    [
      'belongs to a downgraded user',
      () => app.db.update(users).set({ subscriptionType: 'basic' }).run(),
      'Your account may no longer ask questions.',
    ],
  ])('a chat that %s gets no answer', async (_, lose, sentence) => {
    await linked('premium');
    fake.reply('A secret.');
    const release = fake.hold();
    const reply = await send('/ask What moves?');
    await waitUntil('the request to the model', () => fake.open() === 1);
    await lose();
    release();
    expect(await answered(reply)).toBe(sentence);
  });

  test('a failure of the model is explained', async () => {
    await linked('premium');
    fake.reply({ kind: 'ended', text: 'BHP was' });
    expect(await answered(await send('/ask What moves?'))).toContain('cut off');
  });
});
