import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CallReview } from '../../../../src/admin/callReview/web/CallReview.tsx';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { findings } from '../../../support/axe.ts';
import { fakeApi } from '../../../support/fakeApi.ts';

const BOARD = 'GET /api/calls/leaderboard';
const DECIDE = 'POST /api/admin/calls/c1/admin-status';

let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({});
  startSession({ accessToken: 't', accessLevel: 4 });
});
afterEach(() => {
  cleanup();
  endSession();
  server.restore();
});

const aCall = (change: Record<string, unknown> = {}) => ({
  publicId: 'c1',
  symbol: 'BHP',
  status: 'closed',
  adminStatus: 'review',
  reviewReason: 'The price never traded there.',
  submittedAt: '2026-11-19T23:05:00Z',
  pocketedValue: 1840,
  submittedBy: { display: 'maggie' },
  ...change,
});
const show = async (...calls: unknown[]) => {
  server.answers[BOARD] = { body: { calls, leaderboard: [], fetchedAt: 1 } };
  render(<CallReview />);
  if (calls.length > 0) await screen.findByRole('table', { name: 'Calls awaiting admin review' });
};
const rows = () => screen.getAllByRole('row').slice(1);
const cells = () => rows().map((row) => [...row.children].map((cell) => cell.textContent));
const reject = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name: `Reject ${name}` });

describe('the queue', () => {
  test('has the specified columns, what waits before what was rejected, and leaves normal calls out', async () => {
    await show(
      aCall({
        publicId: 'c2',
        symbol: 'CBA',
        adminStatus: 'rejected',
        reviewReason: null,
        pocketedValue: null,
      }),
      aCall(),
      aCall({ publicId: 'c3', adminStatus: 'normal' }),
      aCall({ publicId: 'c4', adminStatus: undefined }),
    );
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Symbol',
      'Submitter',
      'Status',
      'Admin Status',
      'Submitted',
      'Pocketed',
      'Actions',
    ]);
    expect(cells()).toEqual([
      [
        'BHP',
        'maggie',
        'Closed',
        'ReviewThe price never traded there.',
        expect.stringMatching(/^20 Nov(?: 2026)? 10:05$/),
        '+$1,840',
        'RejectMark normal',
      ],
      [
        'CBA',
        'maggie',
        'Closed',
        'Rejected',
        expect.stringMatching(/^20 Nov(?: 2026)? 10:05$/),
        '–',
        'RejectMark normal',
      ],
    ]);
    expect(reject('BHP by maggie').disabled).toBe(false);
    expect(reject('CBA by maggie').disabled).toBe(true);
    expect(await findings(document.body)).toEqual([]);
  });

  test('shows a status that it does not know', async () => {
    await show(aCall({ adminStatus: 'flagged', reviewReason: null }));
    expect(cells()[0]?.[3]).toBe('Flagged');
  });

  test('says that nothing waits', async () => {
    await show();
    await screen.findByText('No calls require admin review.');
  });

  test.each([
    [{ status: 500, body: {} }, 'Failed to load moderation queue'],
    [{ status: 500, body: { error: 'The database is busy.' } }, 'The database is busy.'],
    ['offline', 'Network error. Try again.'],
  ] as const)('says why it could not be loaded, and loads it again: %j', async (answer, message) => {
    server.answers[BOARD] = answer;
    render(<CallReview />);
    expect(screen.getByRole('status', { name: 'Loading calls…' })).toBeTruthy();
    expect((await screen.findByRole('alert')).textContent).toContain(message);
    server.answers[BOARD] = { body: { calls: [], leaderboard: [] } };
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await screen.findByText('No calls require admin review.');
  });
});

describe('a decision', () => {
  test('to reject disables Reject and keeps the call', async () => {
    await show(aCall());
    server.answers[DECIDE] = { body: {} };
    await userEvent.click(reject('BHP by maggie'));
    await waitFor(() => expect(reject('BHP by maggie').disabled).toBe(true));
    expect(server.to('/api/admin/calls/c1/admin-status')[0]?.body).toEqual({ adminStatus: 'rejected' });
    await waitFor(() =>
      expect(document.activeElement?.getAttribute('aria-label')).toBe('Mark normal BHP by maggie'),
    );
  });

  test('to mark it normal takes it off, and the focus goes to the next', async () => {
    await show(aCall(), aCall({ publicId: 'c2', symbol: 'CBA' }));
    server.answers[DECIDE] = { body: {} };
    await userEvent.click(screen.getByRole('button', { name: 'Mark normal BHP by maggie' }));
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(within(rows()[0] as HTMLElement).getByText('CBA')).toBeTruthy();
    expect(server.to('/api/admin/calls/c1/admin-status')[0]?.body).toEqual({ adminStatus: 'normal' });
    await waitFor(() =>
      expect(document.activeElement?.getAttribute('aria-label')).toBe('Mark normal CBA by maggie'),
    );
  });

  test.each([
    [{ status: 500, body: {} }, 'Failed to update admin status'],
    [{ body: { success: false } }, 'Failed to update admin status'],
    [{ status: 404, body: { error: 'There is no such call.' } }, 'There is no such call.'],
    ['offline', 'Network error. Try again.'],
  ] as const)('that fails changes nothing and says why: %j', async (answer, message) => {
    await show(aCall());
    server.answers[DECIDE] = answer;
    await userEvent.click(reject('BHP by maggie'));
    expect((await screen.findByRole('alert')).textContent).toContain(message);
    expect(reject('BHP by maggie').disabled).toBe(false);
  });
});
