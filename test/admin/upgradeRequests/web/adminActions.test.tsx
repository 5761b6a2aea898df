import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { UpgradeRequests } from '../../../../src/admin/upgradeRequests/web/UpgradeRequests.tsx';
import { AllUsers } from '../../../../src/admin/users/web/AllUsers.tsx';
import { forgetWaiting } from '../../../../web/shared/onReconnect.ts';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { fakeApi } from '../../../support/fakeApi.ts';

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
