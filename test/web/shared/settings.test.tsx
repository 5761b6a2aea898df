import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SettingsPage } from '#subjects/settings/web/SettingsPage.tsx';
import { prefer, preferences, startPreferences } from '#web/shared/preferences.ts';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { loadSettings, startSettings } from '#web/shared/settings.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';
import { CATALOGS } from '#support/catalogs.ts';
import { MAGGIE, ONE_SESSION, fakeApi } from '#support/fakeApi.ts';
import { NO_CHATS } from '#support/linkedChats.ts';

describe('the settings page', () => {
  let server: ReturnType<typeof fakeApi>;
  let stop: () => void;
  beforeEach(async () => {
    server = fakeApi({ 'GET /api/settings': { body: MAGGIE }, ...CATALOGS, ...NO_CHATS, ...ONE_SESSION });
    stop = startSettings();
    startSession({ accessToken: 't', accessLevel: 2 });
    await loadSettings();
  });
  afterEach(() => {
    endSession();
    stop();
    server.restore();
  });
  const quoteSite = () => screen.getByLabelText<HTMLSelectElement>('Quote site');

  test('saves the quote site as soon as it is chosen', async () => {
    server.answers['POST /api/settings/quote-site'] = { body: { success: true } };
    render(<SettingsPage />);
    expect([...quoteSite().options].map((option) => option.value)).toEqual([
      'none',
      'commsec',
      'hotcopper',
      'asx',
      'google',
      'tradingview',
    ]);
    expect(quoteSite().selectedOptions[0]?.text).toBe('— No link —');
    await userEvent.selectOptions(quoteSite(), 'hotcopper');
    expect(quoteSite().value).toBe('hotcopper');
    expect(server.to('/api/settings/quote-site')[0]?.body).toEqual({ site: 'hotcopper' });
  });

  test('shows why settings are missing, and retries', async () => {
    endSession();
    server.answers['GET /api/settings'] = {
      status: 500,
      body: { error: 'The database is busy. Try again.' },
    };
    startSession({ accessToken: 't2', accessLevel: 2 });
    render(<SettingsPage />);
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('The database is busy.'));
    expect(quoteSite().disabled).toBe(true);
    server.answers['GET /api/settings'] = { body: MAGGIE };
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await screen.findByText('maggie');
    expect(screen.queryByRole('alert') === null).toBe(true);
  });

  test('sets theme, direction colours and row height', async () => {
    render(<SettingsPage />);
    await userEvent.click(screen.getByRole('radio', { name: 'Light' }));
    await userEvent.click(screen.getByRole('radio', { name: 'Blue and orange' }));
    await userEvent.click(screen.getByRole('radio', { name: 'Comfortable' }));
    expect(preferences.value).toEqual({ theme: 'light', directions: 'blue-orange', density: 'comfortable' });
    for (const name of ['Dark', 'Green and red', 'Compact']) {
      await userEvent.click(screen.getByRole('radio', { name }));
    }
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Compact' }).checked).toBe(true);
  });
});

describe('data stored in this browser', () => {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const KEY = 'bellbird.preferences';

  test('is read as it was written, and null removes it', () => {
    writeStored('x', 'kept');
    expect(readStored('x', text)).toBe('kept');
    writeStored('x', null);
    expect(localStorage.getItem('x')).toBeNull();
  });

  test('does not stop the page if the browser refuses storage', () => {
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

  test('preferences are set on <html>, stored, and follow other windows', () => {
    // The system preferences of the test’s window do not matter here.
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
});
