import { describe, expect, test } from 'bun:test';
import { isPlainLine, nameKey } from '../../src/lib/text.ts';
import { checkLine } from '../../src/subjects/alerts/rules/alertLine.ts';
import { checkItemNote, checkListName } from '../../src/subjects/alerts/rules/watchlist.ts';
import { checkDeviceName } from '../../src/subjects/devices/rules/deviceName.ts';
import { checkScanName } from '../../src/subjects/scanners/rules/scanName.ts';

const HIDDEN = {
  'a zero-width space': 'A\u200bB',
  'a soft hyphen': 'A\u00adB',
  'a grapheme joiner': 'A\u034fB',
  'a Hangul filler': 'A\u3164B',
  'a turned direction': 'A\u202eB',
  'a byte order mark in the middle': 'A\ufeffB',
  'joiners only': '\u200d\u200c',
  'a variation selector only': '\ufe0f',
  'an empty Braille pattern': '\u2800',
};

const CHECKS = {
  'a list': (text: string) => checkListName(text, []),
  'a note on a symbol': checkItemNote,
  'a scan': checkScanName,
  'a device': checkDeviceName,
  'an alert': (text: string) => checkLine(text, 'name', 60),
};

describe.each(Object.entries(CHECKS))('the text of %s', (_, check) => {
  test.each(Object.entries(HIDDEN))('is refused with %s', (_, text) => expect(check(text).ok).toBe(false));
  test.each(['Banks', '❤️ Väter', '👨‍👩‍👧 family', 'می‌خواهم', '銀行'])('may be %s', (text) =>
    expect(check(text)).toEqual({ ok: true, value: text }),
  );
});

test('names that look the same have the same key', () => {
  expect(nameKey(' Ba\u200dnks ')).toBe(nameKey('BANKS'));
  expect(checkListName('Ba\u200dnks', ['banks']).ok).toBe(false);
});

test('an empty text is a plain line', () => expect(isPlainLine('')).toBe(true));
