import { expect, test } from 'bun:test';
import { isPaletteKey, shortcutFor } from '#web/app/shortcuts/shortcuts.ts';
import { isTyping } from '#ui/isTyping.ts';

const press = (key: string, change = {}) => ({
  key,
  code: '',
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...change,
});
const go = (to: string) => ({ kind: 'go', to }) as const;
const NONE = { kind: 'none' } as const;
const CHORD = { kind: 'chord' } as const;

test.each([
  ['n', false, { kind: 'addCall' }],
  ['c', false, { kind: 'chart' }],
  ['c', true, go('/calls')],
  ['w', false, { kind: 'watch' }],
  ['w', true, go('/watchlist')],
  ['s', false, NONE],
  ['?', false, { kind: 'help' }],
  ...['0', '6', 'j', 'Enter', '/', 'F1'].map((key) => [key, false, NONE] as const),
] as const)('%s, after g: %p, is %j, and with a modifier nothing', (key, isAfterG, meaning) => {
  expect(shortcutFor(press(key), isAfterG)).toEqual(meaning);
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) {
    expect(shortcutFor(press(key, { [modifier]: true }), isAfterG)).toEqual(NONE);
  }
});

test.each([
  ['Russian, by position', 'п', 'KeyG', CHORD],
  ['Greek, by position', 'γ', 'KeyG', CHORD],
  ['Arabic, by position', 'ل', 'KeyG', CHORD],
  ['Korean, by position', 'ㅎ', 'KeyG', CHORD],
  ['Dvorak, by letter', 'g', 'KeyU', CHORD],
  ['Dvorak, by letter', 'i', 'KeyG', NONE],
  ['Caps Lock', 'G', 'KeyG', CHORD],
  ['French digits without Shift', '&', 'Digit1', go('/pre-market')],
  ['French digits without Shift', 'é', 'Digit2', go('/intra-day-small')],
  ['the number pad', '3', 'Numpad3', go('/intra-day-mid-large')],
])('a key of %s: %s at %s', (_, key, code, meaning) => {
  expect(shortcutFor(press(key, { code }), false)).toEqual(meaning);
});

test('after g a letter of another script counts by position, a Latin one by its letter', () => {
  expect(shortcutFor(press('ы', { code: 'KeyS' }), true)).toEqual(go('/scanners'));
  // On a French keyboard a is where others have q.
  expect(shortcutFor(press('a', { code: 'KeyQ' }), true)).toEqual(go('/admin'));
});

test('with Shift a digit counts if it is typed as one, and the Arabic question mark lists the keys', () => {
  const shifted = (key: string, code: string) => shortcutFor(press(key, { code, shiftKey: true }), false);
  expect(shifted('1', 'Digit1')).toEqual(go('/pre-market'));
  expect(shifted('!', 'Digit1')).toEqual(NONE);
  expect(shifted('؟', 'Slash')).toEqual({ kind: 'help' });
});

test.each([
  [true, { key: 'k', ctrlKey: true }],
  [true, { key: 'K', metaKey: true }],
  [true, { key: 'л', code: 'KeyK', ctrlKey: true }],
  [true, { key: 'k', code: 'KeyV', ctrlKey: true }],
  [false, { key: 't', code: 'KeyK', ctrlKey: true }],
  [false, { key: 'k' }],
  [false, { key: 'k', ctrlKey: true, altKey: true }],
])('opens the palette: %p, %j', (isKey, change) => {
  expect(isPaletteKey(press(change.key, change))).toBe(isKey);
});

test('keys go to text fields, lists and dialogs that have the focus', () => {
  document.body.innerHTML =
    '<input id="text"><input id="radio" type="radio"><input id="check" type="checkbox"><select id="list"></select><div role="dialog"><button id="inside"></button></div><button id="plain"></button>';
  const typing = (id: string) => isTyping(document.getElementById(id));
  expect(['text', 'list', 'inside'].map(typing)).toEqual([true, true, true]);
  expect(['plain', 'check', 'radio'].map(typing)).toEqual([false, false, false]);
  expect(isTyping(null)).toBe(false);
  document.body.innerHTML = '';
});
