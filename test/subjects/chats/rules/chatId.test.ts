import { describe, expect, test } from 'bun:test';
import { checkChatId } from '#platform/chatClients/rules/chatPlatform.ts';

const HUGE = '9'.repeat(40);

describe('the ID of a Telegram chat', () => {
  test.each(['123456789', '-1001234567890', ' 42 \n', '9007199254740991'])('%p is accepted', (typed) => {
    expect(checkChatId('telegram', typed)).toEqual({ ok: true, value: typed.trim() });
  });
  test.each(['@anna', '12.5', '0', '-0', '007', '1e5', '١٢٣', '12 34', '--5', HUGE, '5 OR 1=1', '\u0000'])(
    '%p is refused with a message about Telegram',
    (typed) => {
      expect(checkChatId('telegram', typed)).toMatchObject({
        ok: false,
        error: { field: 'chatUserId', message: expect.stringContaining('A Telegram ID') },
      });
    },
  );
});

describe('the ID of a Discord user', () => {
  test.each(['80351110224678912', '18446744073709551615'])('%p is accepted', (typed) => {
    expect(checkChatId('discord', typed)).toEqual({ ok: true, value: typed });
  });
  test.each(['1234567890123456', '-80351110224678912', '18446744073709551616', 'anna#1234', HUGE])(
    '%p is refused with a message about Discord',
    (typed) => {
      expect(checkChatId('discord', typed)).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining('A Discord ID') },
      });
    },
  );
});

test.each(['', '   ', '\t\n'])('an empty ID (%p) is refused on both platforms', (typed) => {
  const refused = { ok: false, error: { field: 'chatUserId', message: 'Please enter your platform ID' } };
  expect(checkChatId('telegram', typed)).toMatchObject(refused);
  expect(checkChatId('discord', typed)).toMatchObject(refused);
});
