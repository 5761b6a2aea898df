import { describe, expect, test } from 'bun:test';
import { isPaletteKey, shortcutFor } from '../../../web/app/shortcuts/shortcuts.ts';
import { isTyping } from '../../../web/ui/isTyping.ts';

const press = (key: string, change = {}) => ({
  key,
  code: '',
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...change,
});

test.each([
  ['1', '/pre-market'],
  ['2', '/intra-day-small'],
  ['3', '/intra-day-mid-large'],
  ['4', '/intra-day-large-cap'],
  ['5', '/custom-scanner'],
])('%s goes to %s', (key, to) => {
  expect(shortcutFor(press(key), false)).toEqual({ kind: 'go', to });
});

test.each([
  ['s', '/scanners'],
  ['f', '/fx-news'],
  ['c', '/calls'],
  ['w', '/watchlist'],
  ['e', '/settings'],
  ['a', '/admin'],
  ['A', '/admin'],
])('g %s goes to %s, and without g nowhere', (key, to) => {
  expect(shortcutFor(press('g'), false)).toEqual({ kind: 'chord' });
  expect(shortcutFor(press(key), true)).toEqual({ kind: 'go', to });
  if (!'cw'.includes(key)) expect(shortcutFor(press(key), false)).toEqual({ kind: 'none' });
});

test('n adds a call', () => {
  expect(shortcutFor(press('n'), false)).toEqual({ kind: 'addCall' });
  expect(shortcutFor(press('n', { ctrlKey: true }), false)).toEqual({ kind: 'none' });
});

test('c opens a chart, after g it goes to Calls', () => {
  expect(shortcutFor(press('c'), false)).toEqual({ kind: 'chart' });
  expect(shortcutFor(press('c'), true)).toEqual({ kind: 'go', to: '/calls' });
  expect(shortcutFor(press('c', { ctrlKey: true }), false)).toEqual({ kind: 'none' });
});

test('w adds to the watchlist, after g it goes there', () => {
  expect(shortcutFor(press('w'), false)).toEqual({ kind: 'watch' });
  expect(shortcutFor(press('w'), true)).toEqual({ kind: 'go', to: '/watchlist' });
  expect(shortcutFor(press('w', { ctrlKey: true }), false)).toEqual({ kind: 'none' });
});

test('? lists the keys; 0, 6, j and anything with a modifier mean nothing here', () => {
  expect(shortcutFor(press('?'), false)).toEqual({ kind: 'help' });
  for (const key of ['0', '6', 'j', 'Enter', '/', 'F1'])
    expect(shortcutFor(press(key), false)).toEqual({ kind: 'none' });
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) {
    expect(shortcutFor(press('1', { [modifier]: true }), false)).toEqual({ kind: 'none' });
  }
});

describe('on another keyboard', () => {
  test.each([
    ['Russian', 'п', 'KeyG', 'ы', 'KeyS'],
    ['Greek', 'γ', 'KeyG', 'σ', 'KeyS'],
    ['Arabic', 'ل', 'KeyG', 'س', 'KeyS'],
    ['Korean', 'ㅎ', 'KeyG', 'ㄴ', 'KeyS'],
  ])('with %s letters the place on the keyboard decides', (_, g, gCode, s, sCode) => {
    expect(shortcutFor(press(g, { code: gCode }), false)).toEqual({ kind: 'chord' });
    expect(shortcutFor(press(s, { code: sCode }), true)).toEqual({ kind: 'go', to: '/scanners' });
  });
  test('with Latin letters in other places the letter decides', () => {
    // Dvorak has its g where others have u, and its i where others have g.
    expect(shortcutFor(press('g', { code: 'KeyU' }), false)).toEqual({ kind: 'chord' });
    expect(shortcutFor(press('i', { code: 'KeyG' }), false)).toEqual({ kind: 'none' });
    // On a French keyboard a stands where others have q.
    expect(shortcutFor(press('a', { code: 'KeyQ' }), true)).toEqual({ kind: 'go', to: '/admin' });
  });
  test('a digit is the key it stands on, with Shift or without', () => {
    expect(shortcutFor(press('&', { code: 'Digit1' }), false)).toEqual({ kind: 'go', to: '/pre-market' });
    expect(shortcutFor(press('é', { code: 'Digit2' }), false)).toEqual({
      kind: 'go',
      to: '/intra-day-small',
    });
    const shifted = { shiftKey: true };
    expect(shortcutFor(press('1', { code: 'Digit1', ...shifted }), false)).toEqual({
      kind: 'go',
      to: '/pre-market',
    });
    expect(shortcutFor(press('!', { code: 'Digit1', ...shifted }), false)).toEqual({ kind: 'none' });
    expect(shortcutFor(press('3', { code: 'Numpad3' }), false)).toEqual({
      kind: 'go',
      to: '/intra-day-mid-large',
    });
  });
  test('Caps Lock changes nothing', () => {
    expect(shortcutFor(press('G', { code: 'KeyG' }), false)).toEqual({ kind: 'chord' });
    expect(shortcutFor(press('S', { code: 'KeyS' }), true)).toEqual({ kind: 'go', to: '/scanners' });
  });
  test('the palette opens with the key where k is, and with no other', () => {
    const control = { ctrlKey: true };
    expect(isPaletteKey(press('л', { code: 'KeyK', ...control }))).toBe(true);
    expect(isPaletteKey(press('k', { code: 'KeyV', ...control }))).toBe(true);
    expect(isPaletteKey(press('t', { code: 'KeyK', ...control }))).toBe(false);
  });
  test('the Arabic question mark lists the keys', () => {
    expect(shortcutFor(press('؟', { code: 'Slash', shiftKey: true }), false)).toEqual({ kind: 'help' });
  });
});

test('keys belong to text boxes, lists and dialogs that have the focus', () => {
  document.body.innerHTML =
    '<input id="text"><input id="radio" type="radio"><input id="check" type="checkbox"><select id="list"></select><div role="dialog"><button id="inside"></button></div><button id="plain"></button>';
  const typing = (id: string) => isTyping(document.getElementById(id));
  expect(['text', 'list', 'inside'].map(typing)).toEqual([true, true, true]);
  expect(['plain', 'check', 'radio'].map(typing)).toEqual([false, false, false]);
  expect(isTyping(null)).toBe(false);
  document.body.innerHTML = '';
});
