import { expect, test } from 'bun:test';
import { preferences, prefer, startPreferences } from '../../../web/shared/preferences.ts';
import { otherTheme, switchTheme } from '../../../web/shared/theme.ts';
import { readStored, writeStored } from '../../../web/shared/storage.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : null);
const KEY = 'bellbird.preferences';

test('what was written is read again, and null removes it', () => {
  writeStored('x', 'kept');
  expect(readStored('x', text)).toBe('kept');
  writeStored('x', null);
  expect(localStorage.getItem('x')).toBeNull();
});

test.each(['{', 'kept', '', '7'])('%p in the storage counts as absent', (stored) => {
  localStorage.setItem('x', stored);
  expect(readStored('x', text)).toBeNull();
});

test('a browser that refuses storage does not stop the page', () => {
  const real = Object.getOwnPropertyDescriptor(window, 'localStorage');
  const warned = console.warn;
  console.warn = () => {};
  Object.defineProperty(window, 'localStorage', {
    configurable: true,
    get: () => {
      throw new DOMException('denied', 'SecurityError');
    },
  });
  try {
    expect(readStored('x', text)).toBeNull();
    writeStored('x', 'lost');
  } finally {
    console.warn = warned;
    if (real) Object.defineProperty(window, 'localStorage', real);
    else Reflect.deleteProperty(window, 'localStorage');
  }
});

test('preferences stand on <html>, are kept, and follow other windows', () => {
  // What the system of the test's window likes is not its subject.
  prefer({ theme: 'dark' });
  const stop = startPreferences();
  const { dataset } = document.documentElement;
  expect(dataset.theme).toBe('dark');
  prefer({ theme: 'light' });
  expect(dataset.theme).toBe('light');
  expect(JSON.parse(localStorage.getItem(KEY) ?? '')).toMatchObject({ theme: 'light', density: 'compact' });
  localStorage.setItem(KEY, '{"theme":"dark","directions":"blue-orange","density":"enormous"}');
  window.dispatchEvent(new StorageEvent('storage', { key: KEY }));
  expect(preferences.value).toEqual({ theme: 'dark', directions: 'blue-orange', density: 'compact' });
  expect(dataset.directions).toBe('blue-orange');
  localStorage.setItem(KEY, 'corrupt');
  window.dispatchEvent(new StorageEvent('storage', { key: KEY }));
  expect(preferences.value).toEqual({ theme: 'system', directions: 'green-red', density: 'compact' });
  stop();
});

test('the theme is the system’s until one is chosen, and follows it as it changes', () => {
  const real = window.matchMedia;
  const system = { matches: true, heard: [] as (() => void)[] };
  window.matchMedia = (() => ({
    get matches() {
      return system.matches;
    },
    addEventListener: (_: string, heard: () => void) => system.heard.push(heard),
    removeEventListener: (_: string, heard: () => void) => {
      system.heard = system.heard.filter((one) => one !== heard);
    },
  })) as unknown as typeof window.matchMedia;
  const turn = (isLight: boolean) => {
    system.matches = isLight;
    for (const hear of system.heard) hear();
  };
  const { dataset } = document.documentElement;
  prefer({ theme: 'system' });
  const stop = startPreferences();
  try {
    expect([dataset.theme, otherTheme.value]).toEqual(['light', 'dark']);
    turn(false);
    expect([dataset.theme, otherTheme.value]).toEqual(['dark', 'light']);
    switchTheme();
    expect([dataset.theme, preferences.value.theme]).toEqual(['light', 'light']);
    turn(false);
    expect(dataset.theme).toBe('light');
    prefer({ theme: 'system' });
    expect(dataset.theme).toBe('dark');
  } finally {
    stop();
    window.matchMedia = real;
  }
  expect(system.heard).toEqual([]);
});
