import { describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AccountPanel } from '#subjects/accounts/web/shared/account/AccountPanel.tsx';
import { UpgradePanel } from '#subjects/accounts/web/shared/UpgradePanel.tsx';
import { loadAppInfo } from '#web/shared/appInfo.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { loadSettings } from '#web/shared/settings.ts';
import { pageApi, MAGGIE } from '#support/fakeApi.ts';

const SESSIONS = [
  {
    id: 'this',
    device: 'Firefox on Linux',
    createdAt: '2026-11-18T00:00:00Z',
    lastSeenAt: '2026-11-18T22:30:00Z',
    current: true,
  },
  { id: 'phone', device: 'Safari on iPhone', createdAt: '2026-11-17T00:00:00Z', lastSeenAt: null },
  { id: 'old', device: null, createdAt: null, lastSeenAt: null },
];
const DONE = { body: { success: true } };

const server = pageApi(
  () => ({
    'GET /api/settings/sessions': { body: { sessions: SESSIONS } },
    'GET /api/app': { body: { donateUrl: 'https://donate.example/', hasModel: true } },
  }),
  1,
);

const region = (name: string) => within(screen.getByRole('region', { name }));
const button = (name: string) => screen.getByRole('button', { name });
const hasButton = (name: string): boolean => screen.queryByRole('button', { name }) !== null;

async function showUpgrade(change: object): Promise<void> {
  server.answers['GET /api/settings'] = { body: { ...MAGGIE, ...change } };
  await Promise.all([loadSettings(), loadAppInfo()]);
  render(<UpgradePanel />);
}

describe('the upgrade panel', () => {
  test('offers both plans to a free user, with descriptions and the donation link', async () => {
    await showUpgrade({ subscriptionType: 'free' });
    for (const words of ['Basic', 'Premium Supporter', 'Generous Believer']) {
      expect(region('Upgrade').getAllByText(words)[0]?.tagName).toBe('DT');
    }
    expect(region('Upgrade').getByRole('row', { name: 'Free Your plan 20 3 3 No No' })).toBeTruthy();
    expect(region('Upgrade').getByRole('row', { name: 'Premium 100 30 30 Yes Yes' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Donate' }).getAttribute('href')).toBe('https://donate.example/');
    server.answers['POST /api/settings/request-upgrade'] = { status: 204 };
    await userEvent.click(button('Request Basic'));
    expect(server.to('/api/settings/request-upgrade')[0]?.body).toEqual({ level: 'basic' });
    await screen.findByText('Upgrade request pending: Basic');
    await waitFor(() => expect(document.activeElement).toBe(button('Withdraw')));
  });

  test('offers no AI without a model and no donation without an address', async () => {
    const words = () => screen.getByRole('region', { name: 'Upgrade' }).textContent;
    server.answers['GET /api/app'] = { body: { donateUrl: null, hasModel: false } };
    await showUpgrade({ subscriptionType: 'free' });
    expect(words()).not.toMatch(/\bAI\b|summar|donat|believer/i);
    expect(words()).toContain('An administrator approves a request.');
    expect([hasButton('Request Basic'), hasButton('Request Premium')]).toEqual([true, true]);
    server.answers['GET /api/app'] = { body: { donateUrl: 'https://donate.example/', hasModel: true } };
    await act(() => loadAppInfo());
    for (const message of [
      'Summaries of announcements.',
      'Premium, AI and future features.',
      'Premium plus priority attention.',
      'An administrator approves a request after a matching donation.',
    ]) {
      expect(words()).toContain(message);
    }
  });

  test('shows the pending request and withdraws it', async () => {
    await showUpgrade({ requestedSubscriptionType: 'premium' });
    expect(screen.getByText('Upgrade request pending: Premium')).toBeTruthy();
    server.answers['POST /api/settings/withdraw-upgrade'] = { status: 500, body: {} };
    await userEvent.click(button('Withdraw'));
    await screen.findByText('Failed to withdraw the request');
    server.answers['POST /api/settings/withdraw-upgrade'] = { body: {} };
    await userEvent.click(button('Withdraw'));
    await screen.findByRole('button', { name: 'Request Premium' });
  });

  test('shows why a request was declined until it is dismissed', async () => {
    await showUpgrade({ subscriptionType: 'free', upgradeDeclinedReason: 'We are full' });
    expect(screen.getByText(/We are full/).textContent).toBe('Your request was declined: We are full');
    expect(hasButton('Request Premium')).toBe(true);
    server.answers['POST /api/settings/dismiss-declined-upgrade'] = { body: {} };
    await userEvent.click(button('Dismiss'));
    await waitFor(() => expect(screen.queryByText(/We are full/) === null).toBe(true));
  });
});

describe('the account panel', () => {
  const show = async () => {
    server.answers['GET /api/settings'] = { body: MAGGIE };
    await loadSettings();
    render(<AccountPanel />);
    await screen.findByText('Safari on iPhone');
  };
  const openPassword = async (current: string, next: string, confirm = next) => {
    const summary = screen.getByText('Change password', { selector: 'summary' });
    await userEvent.click(summary);
    await userEvent.type(await screen.findByLabelText('Current password'), current);
    await userEvent.type(screen.getByLabelText('New password'), next);
    await userEvent.type(screen.getByLabelText('Confirm new password'), confirm);
    await userEvent.click(button('Change password'));
  };

  test('lists the login sessions and ends one', async () => {
    await show();
    const lines = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(lines()).toHaveLength(3);
    expect(lines()[0]).toContain('This one');
    expect(lines()[2]).toContain('Unknown device');
    expect(hasButton('End Firefox on Linux')).toBe(false);
    server.answers['POST /api/settings/sessions/end'] = () => {
      server.answers['GET /api/settings/sessions'] = { body: { sessions: SESSIONS.slice(0, 1) } };
      return DONE;
    };
    await userEvent.click(button('End Safari on iPhone'));
    expect(server.to('/api/settings/sessions/end')[0]?.body).toEqual({ id: 'phone' });
    await waitFor(() => expect(lines()).toHaveLength(1));
    expect(hasButton('End all others')).toBe(false);
  });

  test('marks a wrong password, then changes it and empties the form', async () => {
    await show();
    const wrong = { error: 'That is not your password.', field: 'currentPassword' };
    server.answers['POST /api/settings/password'] = { status: 400, body: wrong };
    await openPassword('a good one', 'a better one');
    await screen.findByText('That is not your password.');
    expect(session.peek().isAuthenticated).toBe(true);
    server.answers['POST /api/settings/password'] = DONE;
    await userEvent.click(button('Change password'));
    await screen.findByText(/^Password changed/);
    expect(server.to('/api/settings/password')[1]?.body).toEqual({
      currentPassword: 'a good one',
      newPassword: 'a better one',
      code: null,
    });
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('');
  });

  test('deletes the account once the password is right, and logs out', async () => {
    await show();
    await userEvent.click(button('Delete my account'));
    const box = await screen.findByLabelText('Your password');
    expect(screen.getByText(/linked chats and call rationales/)).toBeTruthy();
    expect((button('Delete account') as HTMLButtonElement).disabled).toBe(true);
    server.answers['POST /api/settings/delete-account'] = {
      status: 409,
      body: { error: 'You are the only administrator.' },
    };
    await userEvent.type(box, 'a good one');
    await userEvent.click(button('Delete account'));
    await screen.findByText('You are the only administrator.');
    expect(session.peek().isAuthenticated).toBe(true);
    server.answers['POST /api/settings/delete-account'] = DONE;
    await userEvent.click(button('Delete account'));
    await waitFor(() => expect(session.peek().isAuthenticated).toBe(false));
    expect(window.location.hash).toBe('#/login');
  });
});
