import { expect, test } from 'bun:test';
import { shortcutFor } from '../../web/app/shortcuts/shortcuts.ts';
import { isTyping } from '../../web/ui/isTyping.ts';

const press = (key: string, change = {}) => ({
  key,
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
  expect(shortcutFor(press(key), false)).toEqual({ kind: 'none' });
});

test('? lists the keys; 0, 6, j and anything with a modifier mean nothing here', () => {
  expect(shortcutFor(press('?'), false)).toEqual({ kind: 'help' });
  for (const key of ['0', '6', 'j', 'Enter', '/', 'F1'])
    expect(shortcutFor(press(key), false)).toEqual({ kind: 'none' });
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) {
    expect(shortcutFor(press('1', { [modifier]: true }), false)).toEqual({ kind: 'none' });
  }
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
