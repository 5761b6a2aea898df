import { describe, expect, test } from 'bun:test';
import { nameKey } from '#lib/text.ts';
import { compareNames, normalised } from '#lib/unicode.ts';
import { STOCK_OPTIONS } from '#subjects/alerts/answers/options.ts';
import { checkItemNote, checkListName } from '#subjects/alerts/rules/watchlist.ts';
import { checkDeviceName } from '#subjects/devices/rules/device.ts';
import { checkScanName } from '#subjects/conditions/rules/savedScan.ts';

const HIDDEN = {
  'a zero-width space': 'A\u200bB',
  'a soft hyphen': 'A\u00adB',
  'a direction override': 'A\u202eB',
  'joiners only': '\u200d\u200c',
  'an empty Braille pattern': '\u2800',
};

const CHECKS = {
  'a list': (text: string) => checkListName(text, []),
  'a note on a symbol': checkItemNote,
  'a scan': checkScanName,
  'a device': checkDeviceName,
  'an alert': (text: string) => STOCK_OPTIONS.name.check(text, 0),
};

describe.each(Object.entries(CHECKS))('the text of %s', (_, check) => {
  test.each(Object.entries(HIDDEN))('is rejected with %s', (_, text) => expect(check(text).ok).toBe(false));
  test.each(['Banks', '❤️ Väter', '👨‍👩‍👧 family', 'می‌خواهم', '銀行'])('may be %s', (text) =>
    expect(check(text)).toEqual({ ok: true, value: text }),
  );
});

test('names that look the same have the same key', () => {
  expect(nameKey(' Ba\u200dnks ')).toBe(nameKey('BANKS'));
  expect(checkListName('Ba\u200dnks', ['banks']).ok).toBe(false);
});

/** Whether Unicode reorders a character around another mark because of its combining class. */
function isReordered(character: string): boolean {
  const decomposed = character.normalize('NFKD');
  return ['\u0334', '\u0301', '\u0345'].some((mark) =>
    [`a${decomposed}${mark}`, `a${mark}${decomposed}`].some((text) => text.normalize('NFD') !== text),
  );
}

describe('a normal form', () => {
  test.each([
    ['NFC', 'e\u0301', 'é'],
    ['NFKC', 'ﬁ Ａ', 'fi A'],
    ['NFKD', 'é', 'e\u0301'],
    ['NFC', '', ''],
    ['NFC', '\ud800', '\ud800'],
  ] as const)('%s of %j', (form, text, expected) => expect(normalised(text, form)).toBe(expected));

  test('drops long runs of characters that Unicode would reorder, in every form', () => {
    const left: string[] = [];
    for (let code = 0x300; code < 0x20000; code += 1) {
      const character = String.fromCodePoint(code);
      if (character.normalize('NFKD') === character && !/\p{M}/u.test(character)) continue;
      const first = [...character.normalize('NFKD')][0] ?? '';
      if (isReordered(first) && !/\p{M}/u.test(first)) left.push(first);
      // Some characters are two marks combined.
      if (isReordered(first) && normalised(character.repeat(99), 'NFC').length > 60 * character.length)
        left.push(character);
    }
    expect(left).toEqual([]);
  });
});

test('names sort by letters, ignoring case and accents', () => {
  expect(['b', 'É', 'a', 'F', 'B'].sort(compareNames)).toEqual(['a', 'b', 'B', 'É', 'F']);
  expect(compareNames('a', 'a')).toBe(0);
});
