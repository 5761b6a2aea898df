import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Hints } from '#web/app/Shell.tsx';
import { ScannerStrip } from '#web/app/ScannerStrip.tsx';
import { navigate } from '#web/router/navigate.ts';
import { startRouter } from '#web/router/router.ts';
import { register } from '#subjects/accounts/web/shared/session/account.ts';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { fakeApi, MAGGIE } from '#support/fakeApi.ts';
import { liveByHand } from '#support/liveByHand.ts';

await import('#web/app/HintLine.tsx');

describe('a new user', () => {
  const token = (uid: number) => `h.${btoa(JSON.stringify({ uid, sid: 's' }))}.s`;
  let server: ReturnType<typeof fakeApi>;
  let stop: () => void;
  beforeEach(() => {
    server = fakeApi({ 'GET /api/settings': { body: MAGGIE } });
    stop = startRouter();
  });
  afterEach(() => {
    cleanup();
    endSession();
    stop();
    localStorage.clear();
    server.restore();
  });
  const registerAs = async (uid: number) => {
    const body = { authenticated: true, accessToken: token(uid), accessLevel: 1 };
    server.answers['POST /api/register'] = { body };
    await act(async () => {
      await register({ username: 'maggie', password: 'secret1', email: null, setupToken: null });
    });
  };
  const hint = () => screen.queryByRole('complementary', { name: 'Hint' })?.textContent ?? null;
  const go = (path: string) => act(() => navigate(path));

  test('sees one line per screen, each until it is dismissed', async () => {
    await registerAs(7);
    render(<Hints />);
    go('/custom-scanner');
    await waitFor(() => expect(hint()).toContain('Every stock on the market'));
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss hint' }));
    expect(hint()).toBeNull();
    const texts = ['/pre-market', '/intra-day-small', '/calls', '/settings'].map((path) => {
      go(path);
      return hint();
    });
    expect(new Set(texts).size).toBe(4);
    expect(texts).not.toContain(null);
    go('/intra-day-small');
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss hint' }));
    go('/intra-day-large-cap');
    expect(hint()).toBeNull();
    go('/custom-scanner');
    expect(hint()).toBeNull();
  });
});

describe('after login the summary bar', () => {
  let live: ReturnType<typeof liveByHand>;
  let stop: () => void;
  beforeEach(() => {
    stop = startRouter();
    live = liveByHand();
    startSession({ accessToken: 'abc', accessLevel: 1 });
  });
  afterEach(() => {
    cleanup();
    endSession();
    stop();
    live.stop();
    localStorage.clear();
  });
  const show = (path: string, time: string) => {
    navigate(path);
    live.show([], { marketTime: Date.parse(`2026-11-19T${time}:00+11:00`), clockSpeed: 1 });
    render(<ScannerStrip />);
  };
  test.each([
    ['15:59', false],
    ['16:00', true],
    ['16:09', true],
    ['16:10', false],
  ] as const)('at %s shows that orders are gathered for the closing auction: %p', (time, isSaid) => {
    show('/intra-day-small', time);
    expect(screen.queryByText('Closing auction') !== null).toBe(isSaid);
    expect(screen.getByText('Intraday')).toBeTruthy();
  });
});
