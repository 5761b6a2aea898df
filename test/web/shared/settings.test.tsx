import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SettingsPage } from '#subjects/settings/web/SettingsPage.tsx';
import { navigate } from '#web/router/navigate.ts';
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
  const openSection = (id: string) => {
    navigate(`/settings/${id}`);
    render(<SettingsPage />);
  };
  const headings = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  const quoteSite = () => screen.getByLabelText<HTMLSelectElement>('Quote site');

  test('shows one section at a time, by its address, and the first one without', async () => {
    navigate('/settings');
    render(<SettingsPage />);
    expect(headings()).toEqual(['Account', 'Tour']);
    const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
    expect(links).toContainEqual(['Linked Accounts', '#/settings/linked-accounts']);
    act(() => navigate('/settings/notifications'));
    await waitFor(() =>
      expect(headings()).toEqual([
        'Notifications on this device',
        'Morning brief',
        'Quiet hours',
        'Notifications',
      ]),
    );
    act(() => navigate('/settings/nothing'));
    expect(screen.getByText('Not found.')).toBeTruthy();
  });

  test('saves the quote site as soon as it is chosen', async () => {
    server.answers['POST /api/settings/quote-site'] = { body: { success: true } };
    openSection('quote-link');
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
    openSection('quote-link');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('The database is busy.'));
    expect(quoteSite().disabled).toBe(true);
    server.answers['GET /api/settings'] = { body: MAGGIE };
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(quoteSite().disabled).toBe(false));
    expect(screen.queryByRole('alert') === null).toBe(true);
  });

  test('sets theme, direction colours and row height', async () => {
    openSection('appearance');
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
