import { afterEach, expect, test } from 'bun:test';
import { act, render, screen } from '@testing-library/react';
import { UserBadge } from '../../web/shared/UserBadge.tsx';
import { ErrorBoundary } from '../../web/app/ErrorBoundary.tsx';
import { clearSession, saveSession } from '../../web/shared/session/session.ts';
import { loadSettings, patchSettings, startSettings } from '../../web/shared/settings.ts';
import { fakeApi, MAGGIE } from '../support/fakeApi.ts';

afterEach(() => clearSession());

test('a component that reads a signal renders again when it changes', async () => {
  const server = fakeApi({ 'GET /api/settings': { body: MAGGIE } });
  const stop = startSettings();
  try {
    render(<UserBadge />);
    expect(screen.getByRole('status').getAttribute('aria-label')).toBe('Loading account…');
    saveSession({ accessToken: 't', accessLevel: 1 });
    await act(() => loadSettings());
    expect(screen.getByText('basic')).toBeTruthy();
    act(() => patchSettings({ subscriptionType: 'premium' }));
    expect(screen.getByText('premium')).toBeTruthy();
    expect(screen.queryByText('basic') === null).toBe(true);
    act(() => clearSession());
    expect(screen.queryByText('maggie') === null).toBe(true);
  } finally {
    stop();
    server.restore();
  }
});

test('a screen that breaks is replaced by a sentence, and gets another chance on the next route', () => {
  const logged = console.error;
  console.error = () => {};
  try {
    const Broken = (): never => {
      throw new Error('secret detail');
    };
    const { rerender } = render(
      <ErrorBoundary resetKey="/a">
        <Broken />
      </ErrorBoundary>,
    );
    expect(screen.getByRole('alert').textContent).toContain('This screen failed to show.');
    expect(document.body.textContent).not.toContain('secret detail');
    rerender(
      <ErrorBoundary resetKey="/b">
        <p>fine</p>
      </ErrorBoundary>,
    );
    expect(screen.getByText('fine')).toBeTruthy();
  } finally {
    console.error = logged;
  }
});
