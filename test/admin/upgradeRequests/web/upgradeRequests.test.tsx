import { expect, test } from 'bun:test';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { UpgradeRequests } from '#admin/upgradeRequests/web/UpgradeRequests.tsx';
import { adminApi } from '#support/adminApi.ts';

const REQUESTS = [
  { id: 7, username: 'maggie', requestedSubscriptionType: 'premium', requestedAt: '2026-11-18T00:00:00Z' },
  { userId: 9, username: 'kook', requestedSubscriptionType: 'basic' },
];

const answer = (requests: readonly object[]) => ({ body: { requests } });
const server = adminApi(() => ({ 'GET /api/admin/upgrade-requests': answer(REQUESTS) }));
const give = (requests: readonly object[]) => {
  server.answers['GET /api/admin/upgrade-requests'] = answer(requests);
};

const rows = () => screen.getAllByRole('row').map(({ textContent }) => textContent);

test('approving sends the displayed request, removes the row, and moves the focus to the next', async () => {
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

test('a request withdrawn in the meantime is reported, and the list reloads', async () => {
  server.answers['POST /api/admin/approve-upgrade'] = () => {
    give(REQUESTS.slice(1));
    return { status: 409, body: { error: 'The request from maggie is not pending any more.' } };
  };
  render(<UpgradeRequests />);
  await userEvent.click(await screen.findByRole('button', { name: 'Approve maggie' }));
  await screen.findByText('The request from maggie is not pending any more.');
  expect(rows()).toHaveLength(2);
});

test('declining sends a reason', async () => {
  server.answers['POST /api/admin/decline-upgrade'] = () => {
    give(REQUESTS.slice(1));
    return { body: { success: true } };
  };
  render(<UpgradeRequests />);
  await userEvent.click(await screen.findByRole('button', { name: 'Decline maggie' }));
  const box = await screen.findByLabelText('Reason');
  await userEvent.click(screen.getByRole('button', { name: 'Decline' }));
  await screen.findByText('Enter a reason. The user will see it');
  await userEvent.type(box, ' We are full ');
  await userEvent.click(screen.getByRole('button', { name: 'Decline' }));
  await screen.findByText('Declined the request from maggie.');
  expect(server.to('/api/admin/decline-upgrade')[0]?.body).toEqual({
    userId: 7,
    requestedSubscriptionType: 'premium',
    reason: 'We are full',
  });
});
