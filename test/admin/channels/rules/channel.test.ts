import { describe, expect, test } from 'bun:test';
import { broadcastMessage, checkBroadcast, checkChannel } from '#admin/channels/rules/channel.ts';

const SNOWFLAKE = '1234567890123456789';
const form = (change: object) =>
  checkChannel({ name: 'News', platform: 'discord', chatId: SNOWFLAKE, ...change });

describe('a new channel', () => {
  test('is accepted with its name on one line and its ID normalised', () => {
    expect(form({ name: ' Daily\n news ', chatId: ` ${SNOWFLAKE} ` })).toEqual({
      ok: true,
      value: { name: 'Daily news', platform: 'discord', chatId: SNOWFLAKE },
    });
    expect(form({ platform: undefined })).toMatchObject({ ok: true, value: { platform: 'discord' } });
    expect(form({ platform: 'telegram', chatId: '-1001234567890' })).toMatchObject({ ok: true });
    expect(form({ platform: 'telegram', chatId: '@Bell_News' })).toMatchObject({
      value: { chatId: '@bell_news' },
    });
    expect(form({ platform: 'telegram', chatId: -42 })).toMatchObject({ value: { chatId: '-42' } });
  });

  test.each([
    [{ name: '  ' }, 'name', 'Enter a name.'],
    [{ name: 7 }, 'name', 'Enter a name.'],
    [{ name: '\u200b\u3164' }, 'name', 'Enter a name.'],
    [{ platform: 'slack' }, 'platform', 'Choose Telegram or Discord.'],
    [{ chatId: '' }, 'chatId', 'Enter the chat ID.'],
    [{ chatId: null }, 'chatId', 'Enter the chat ID.'],
    [{ chatId: '12345' }, 'chatId', /^Enter a Discord channel ID of 17 to 20 digits/],
    [{ chatId: '99999999999999999999' }, 'chatId', /^Enter a Discord channel ID/],
    // A private chat is not a channel: it would be read and written to without consent.
    [{ platform: 'telegram', chatId: '123456789' }, 'chatId', /^Enter a Telegram number that starts/],
    [{ platform: 'telegram', chatId: '@x' }, 'chatId', /^Enter a Telegram number/],
    [{ platform: 'telegram', chatId: '-100/../getMe' }, 'chatId', /^Enter a Telegram number/],
  ])('%p is refused', (change, field, message) => {
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(form(change)).toEqual({ ok: false, error: { field, message: expected } });
  });
});

describe('a broadcast', () => {
  const sent = (message: unknown, channelIds: unknown) => checkBroadcast({ message, channelIds });

  test('keeps each channel once, and its line breaks', () => {
    expect(sent(' Open\r\n\r\nnow ', [2, 1, 2])).toEqual({
      ok: true,
      value: { message: 'Open\n\nnow', channelIds: [2, 1], devices: false },
    });
    expect(sent('👩‍🚀', [1])).toMatchObject({ ok: true });
    expect(broadcastMessage('a\n\nb')).toMatchObject({ title: '', lines: ['a', '', 'b'], buttons: [] });
  });

  const many = Array.from({ length: 101 }, (_, index) => index + 1);
  test.each([
    ['of spaces', ' \n ', [1], 'Message cannot be empty.'],
    ['of invisible characters', '\u200b \u0007\n\u2060', [1], 'Message cannot be empty.'],
    ['without any', undefined, undefined, 'Message cannot be empty.'],
    ['too long', 'x'.repeat(4097), [1], 'The message has 4,097 characters. The limit is 4,096.'],
    ['without a channel', 'x', [], 'Select at least one channel.'],
    ['to a word instead of channels', 'x', 'all', 'Select at least one channel.'],
    ['to an id as text', 'x', ['1'], '`channelIds` must contain the ids of channels.'],
    ['to a fractional id', 'x', [1.5], '`channelIds` must contain the ids of channels.'],
    ['to too many channels', 'x', many, 'Choose at most 100 channels.'],
  ])('%s is rejected, the text first', (_, message, channelIds, sentence) => {
    expect(sent(message, channelIds)).toMatchObject({ ok: false, error: { message: sentence } });
  });
});
