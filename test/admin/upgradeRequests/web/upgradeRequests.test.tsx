import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { UpgradeRequests } from '../../../../src/admin/upgradeRequests/web/UpgradeRequests.tsx';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { fakeApi } from '../../../support/fakeApi.ts';
import { AllUsers } from '../../../../src/admin/users/web/AllUsers.tsx';
import { forgetWaiting } from '../../../../web/shared/onReconnect.ts';

describe('upgrade requests', () => {
  const REQUESTS = [
    {
      id: 7,
      username: 'maggie',
      requestedSubscriptionType: 'premium',
      requestedAt: '2026-11-18T00:00:00Z',
    },
    { userId: 9, username: 'kook', requestedSubscriptionType: 'basic' },
  ];

  let server: ReturnType<typeof fakeApi>;
  const give = (requests: readonly object[]) => {
    server.answers['GET /api/admin/upgrade-requests'] = { body: { requests } };
  };
  beforeEach(() => {
    server = fakeApi({});
    give(REQUESTS);
    startSession({ accessToken: 't', accessLevel: 4 });
  });
  afterEach(() => {
    endSession();
    server.restore();
  });

  const rows = () => screen.getAllByRole('row').map(({ textContent }) => textContent);

  test('approves what is shown; the row goes, and the focus to the next', async () => {
    server.answers['POST /api/admin/approve-upgrade'] = () => {
      give(REQUESTS.slice(1));
      return { body: {} };
    };
    render(<UpgradeRequests />);
    await userEvent.click(await screen.findByRole('button', { name: 'Approve maggie' }));
    await screen.findByText('Approved Premium for maggie.');
    expect(server.to('/api/admin/approve-upgrade')[0]?.body).toEqual({
      userId: 7,
      requestedSubscriptionType: 'premium',
    });
    expect(rows()).toHaveLength(2);
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Approve kook' })),
    );
  });

  test('a request that was withdrawn meanwhile is said so, and the list is read again', async () => {
    server.answers['POST /api/admin/approve-upgrade'] = () => {
      give(REQUESTS.slice(1));
      return { status: 409, body: { error: 'The request from maggie is not pending any more.' } };
    };
    render(<UpgradeRequests />);
    await userEvent.click(await screen.findByRole('button', { name: 'Approve maggie' }));
    await screen.findByText('The request from maggie is not pending any more.');
    expect(rows()).toHaveLength(2);
  });

  test('declines with a reason', async () => {
    server.answers['POST /api/admin/decline-upgrade'] = () => {
      give(REQUESTS.slice(1));
      return { body: { success: true } };
    };
    render(<UpgradeRequests />);
    await userEvent.click(await screen.findByRole('button', { name: 'Decline maggie' }));
    const box = await screen.findByLabelText('Reason');
    await userEvent.click(screen.getByRole('button', { name: 'Decline' }));
    await screen.findByText('Say why: the user will read it');
    await userEvent.type(box, ' We are full ');
    await userEvent.click(screen.getByRole('button', { name: 'Decline' }));
    await screen.findByText('Declined the request from maggie.');
    expect(server.to('/api/admin/decline-upgrade')[0]?.body).toEqual({
      userId: 7,
      requestedSubscriptionType: 'premium',
      reason: 'We are full',
    });
  });
});

describe('other sections', () => {
  const MAGGIE = {
    ...{ id: 7, username: 'maggie', email: null, isAdmin: false, created_at: '2026-11-01T00:00:00Z' },
    ...{ promptTokens: 0, completionTokens: 0, telegramCount: 0, discordCount: 0 },
  };
  const users = (change: object) => ({
    body: { users: [{ ...MAGGIE, ...change }], next: null, total: 1 },
  });
  const audit = (action: string) => ({
    body: {
      entries: [{ id: 1, time: '2026-11-20T00:00:00Z', by: 'boss', action, target: 'maggie' }],
      ...{ next: null, actions: [action], administrators: [] },
    },
  });
  const REQUEST = { id: 7, username: 'maggie', requestedSubscriptionType: 'premium' };

  let server: ReturnType<typeof fakeApi>;
  beforeEach(() => {
    server = fakeApi({
      'GET /api/admin/upgrade-requests': { body: { requests: [REQUEST] } },
      'GET /api/admin/users': users({ subscriptionType: 'free', requestedSubscriptionType: 'premium' }),
      'GET /api/admin/audit': audit('back up'),
    });
    startSession({ accessToken: 't', accessLevel: 4 });
  });
  afterEach(() => {
    cleanup();
    endSession();
    forgetWaiting();
    server.restore();
  });

  const tableText = (name: string) => screen.getByRole('table', { name }).textContent;

  test('after Approve the lists of the other sections show it at once', async () => {
    render(
      <>
        <UpgradeRequests />
        <AllUsers />
      </>,
    );
    await waitFor(() => expect(tableText('All users')).toContain('Free'));
    await waitFor(() => expect(tableText('Audit')).toContain('Back up'));
    server.answers['POST /api/admin/approve-upgrade'] = () => {
      server.answers['GET /api/admin/users'] = users({
        subscriptionType: 'premium',
        requestedSubscriptionType: null,
      });
      server.answers['GET /api/admin/audit'] = audit('approve upgrade');
      server.answers['GET /api/admin/upgrade-requests'] = { body: { requests: [] } };
      return { body: {} };
    };
    await userEvent.click(await screen.findByRole('button', { name: 'Approve maggie' }));
    await waitFor(() => expect(tableText('All users')).not.toContain('Free'));
    await waitFor(() => expect(tableText('Audit')).toContain('Approve upgrade'));
    await screen.findByText('No pending requests.');
  });
});
