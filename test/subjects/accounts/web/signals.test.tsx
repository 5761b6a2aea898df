import { afterEach, expect, test } from 'bun:test';
import { act, render, screen } from '@testing-library/react';
import { UserBadge } from '../../../../src/subjects/accounts/web/shared/UserBadge.tsx';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { loadSettings, patchSettings, startSettings } from '../../../../web/shared/settings.ts';
import { fakeApi, MAGGIE } from '../../../support/fakeApi.ts';

afterEach(() => endSession());

test('a component that reads a signal renders again when it changes', async () => {
  const server = fakeApi({ 'GET /api/settings': { body: MAGGIE } });
  const stop = startSettings();
  try {
    render(<UserBadge />);
    expect(screen.getByRole('status').getAttribute('aria-label')).toBe('Loading account…');
    startSession({ accessToken: 't', accessLevel: 1 });
    await act(() => loadSettings());
    expect(screen.getByText('basic')).toBeTruthy();
    act(() => patchSettings({ subscriptionType: 'premium' }));
    expect(screen.getByText('premium')).toBeTruthy();
    expect(screen.queryByText('basic') === null).toBe(true);
    act(() => endSession());
    expect(screen.queryByText('maggie') === null).toBe(true);
  } finally {
    stop();
    server.restore();
  }
});
