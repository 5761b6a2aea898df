import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { buttonData, readButtonData } from '#platform/chatClients/received.ts';
import { discordText } from '#platform/discord/render.ts';
import { telegramText } from '#platform/telegram/render.ts';
import type { ButtonAction, ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';

const PLAIN: ChatMessage = {
  title: 'BHP 50.61 ▲ +1.7% · last crossed above 50.50 · 10:42 Sydney',
  lines: ['Breakout', 'RSI 1h 71.2 > 70', 'volume 120,400 > 100,000'],
  link: { text: 'BHP in Bellbird', url: 'http://pi.local:3000/#/watchlist?symbol=BHP' },
  buttons: [
    { action: 'snooze', target: 17, label: 'Snooze 1 h' },
    { action: 'off', target: 17, label: 'Off' },
    { action: 'why', target: 99, label: 'Why' },
  ],
};
const withLines = (...lines: string[]): ChatMessage => ({ ...PLAIN, lines });
const EMOJI = '👩‍👩‍👧‍👦';

const messages: fc.Arbitrary<ChatMessage> = fc.record({
  title: fc.string({ unit: 'binary', maxLength: 1200 }),
  lines: fc.array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 1500 }),
      fc.string({
        unit: fc.constantFrom(...'*_~`|[]()<>#-@:\\1. \n', EMOJI, 'a', '@everyone', '\u0600'),
        maxLength: 3000,
      }),
    ),
    { maxLength: 8 },
  ),
  link: fc.option(fc.record({ text: fc.string({ maxLength: 400 }), url: fc.webUrl() })),
  buttons: fc.array(
    fc.record({
      action: fc.constantFrom<ButtonAction>('snooze', 'off', 'on', 'why', 'confirm', 'refuse'),
      target: fc.nat(),
      label: fc.string({ maxLength: 200 }),
    }),
    { maxLength: 130 },
  ),
});

test('Telegram text keeps its length limit, entities and content for any input', () => {
  fc.assert(
    fc.property(messages, fc.boolean(), (message, mayRepeat) => {
      const { text, other } = telegramText(message, { mayRepeat });
      expect(text.length).toBeLessThanOrEqual(4096);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u2066-\u2069]/);
      expect(text.includes('(may be a repeat)')).toBe(
        mayRepeat || JSON.stringify(message).includes('(may be'),
      );
      for (const { offset, length } of other.entities) {
        expect(offset + length).toBeLessThanOrEqual(text.length);
        expect(length).toBeGreaterThan(0);
      }
      const keys = (other.reply_markup?.inline_keyboard ?? []).flat();
      expect(keys.length).toBeLessThanOrEqual(100);
      for (const { callback_data: data } of keys) expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
    }),
  );
});

/** Discord’s rendering of a text: each backslash shows the following character literally. */
const shown = (content: string): string => content.replaceAll(/\\([^0-9A-Za-z\s])/g, '$1');

describe('Discord', () => {
  test('shows title, lines and link, without mentions or previews', () => {
    expect(discordText(PLAIN, { mayRepeat: true })).toEqual({
      content: [
        `**${PLAIN.title}**`,
        '*(may be a repeat)*',
        'Breakout',
        'RSI 1h 71.2 > 70',
        'volume 120,400 > 100,000',
        '[BHP in Bellbird](<http://pi.local:3000/#/watchlist?symbol=BHP>)',
      ].join('\n'),
      flags: 4,
      allowed_mentions: { parse: [] },
      components: [
        {
          type: 1,
          components: [
            { type: 2, style: 2, label: 'Snooze 1 h', custom_id: 'snooze:17' },
            { type: 2, style: 2, label: 'Off', custom_id: 'off:17' },
            { type: 2, style: 2, label: 'Why', custom_id: 'why:99' },
          ],
        },
      ],
    });
  });

  test.each([
    ['*bold* _italic_ `code`', '\\*bold\\* \\_italic\\_ \\`code\\`'],
    ['[text](http://evil.example)', '[text\\](http\\://evil.example)'],
    ['@everyone @here <@123> <#1> <:x:1> <t:1>', '\\@everyone \\@here \\<@123> \\<#1> \\<:x:1> \\<t:1>'],
    [':smile: 10:42 a:b', '\\:smile: 10:42 a:b'],
    ['# head', '\\# head'],
    ['> quote', '\\> quote'],
    ['1. list', '1\\. list'],
    ['50.61 > 50.50 - a #1', '50.61 > 50.50 - a #1'],
    ['\u0600*x*', '\u0600\\*x\\*'],
  ])('shows %j literally', (line, written) => {
    const { content } = discordText(withLines(line), { mayRepeat: false });
    expect(content.split('\n')[1]).toBe(written);
    expect(shown(content).split('\n')[1]).toBe(line);
  });

  test('keeps its length limit, whole escapes and no mark-up for any input', () => {
    fc.assert(
      fc.property(messages, fc.boolean(), (message, mayRepeat) => {
        const { content, components } = discordText(message, { mayRepeat });
        const link = message.link?.url ?? '';
        fc.pre(link.length < 300);
        expect(content.length).toBeLessThanOrEqual(2000);
        expect(content.isWellFormed()).toBe(true);
        const ours = content
          .replace(/^\*\*([\s\S]*?)\*\*(\n|$)/, '$1$2')
          .replace(`*(may be a repeat)*`, '')
          .replace(/\[[^\n]*\]\(<[^\n]*>\)$/, '');
        const unescaped = ours.replaceAll(/\\[^0-9A-Za-z\s]/g, '∎');
        expect(unescaped).not.toMatch(/[*_`]|~~|\|\||@everyone|@here|<[@#]|\]\(|^#{1,3} |^- |^> |\\/m);
        expect(components.length).toBeLessThanOrEqual(5);
        for (const row of components) expect(row.components.length).toBeLessThanOrEqual(5);
        for (const { label } of components.flatMap((row) => row.components)) {
          expect(label?.length ?? 0).toBeLessThanOrEqual(80);
        }
      }),
    );
  });
});

describe('the data of a button', () => {
  test('is read as it was written', () => {
    expect(readButtonData(buttonData({ action: 'snooze', target: 17 }))).toEqual({
      action: 'snooze',
      target: 17,
    });
  });
  test.each(['', 'snooze', 'snooze:-1', 'constructor:1', 'snooze:1:2', 'snooze:99999999999999999'])(
    'is rejected: %j',
    (data) => expect(readButtonData(data)).toBeNull(),
  );
});
