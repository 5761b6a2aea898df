import { afterEach, beforeEach, expect, test } from 'bun:test';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SettingsPage } from '../../../src/subjects/settings/web/SettingsPage.tsx';
import { preferences } from '../../../web/shared/preferences.ts';
import { endSession, startSession } from '../../../src/subjects/accounts/web/shared/session/session.ts';
import { loadSettings, startSettings } from '../../../web/shared/settings.ts';
import { CATALOGS } from '../../support/catalogs.ts';
import { fakeApi, MAGGIE, ONE_SESSION } from '../../support/fakeApi.ts';
import { NO_CHATS } from '../../support/linkedChats.ts';

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

test('shows the account', () => {
  render(<SettingsPage />);
  const account = within(screen.getByRole('region', { name: 'Account' }));
  expect(account.getByText('MA')).toBeTruthy();
  expect(account.getByText('maggie')).toBeTruthy();
  expect(account.getByText('basic')).toBeTruthy();
});

test('saves the quote site as it is chosen', async () => {
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

test('puts the quote site back and says so when it could not be saved', async () => {
  server.answers['POST /api/settings/quote-site'] = { status: 500, body: {} };
  render(<SettingsPage />);
  await userEvent.selectOptions(quoteSite(), 'asx');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Failed to save'));
  expect(quoteSite().value).toBe('none');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('alert') === null).toBe(true);
});

test('says why settings are missing, and tries again', async () => {
  endSession();
  server.answers['GET /api/settings'] = { status: 500, body: { error: 'The database is busy. Try again.' } };
  startSession({ accessToken: 't2', accessLevel: 2 });
  render(<SettingsPage />);
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('The database is busy.'));
  expect(quoteSite().disabled).toBe(true);
  server.answers['GET /api/settings'] = { body: MAGGIE };
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('maggie');
  expect(screen.queryByRole('alert') === null).toBe(true);
});

test('chooses theme, direction colours and row height', async () => {
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
