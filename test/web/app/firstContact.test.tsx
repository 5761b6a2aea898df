import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Hints } from '../../../web/app/hints/Hints.tsx';
import { ScannerStrip } from '../../../web/app/ScannerStrip.tsx';
import { CallsPage } from '../../../src/subjects/calls/web/CallsPage.tsx';
import { board, resetCalls } from '../../../src/subjects/calls/web/state.ts';
import { startLive } from '../../../web/live/market.ts';
import { fromSnapshot } from '../../../web/live/stream/marketState.ts';
import type { ToWindow } from '../../../web/live/stream/protocol.ts';
import { navigate } from '../../../web/router/navigate.ts';
import { startRouter } from '../../../web/router/router.ts';
import { register } from '../../../src/subjects/accounts/web/shared/session/account.ts';
import { endSession, startSession } from '../../../src/subjects/accounts/web/shared/session/session.ts';
import { type AppInPage, listed, openAppInPage } from '../../support/appInPage.ts';
import { findings } from '../../support/axe.ts';
import { fakeApi, MAGGIE } from '../../support/fakeApi.ts';
import { aSnapshot } from '../../support/market.ts';

await Promise.all([
  import('../../../src/subjects/calls/web/parts/Introduction.tsx'),
  import('../../../web/app/hints/HintLine.tsx'),
]);

const TITLE = 'Watch the Australian market live';

describe('a visitor', () => {
  let page: AppInPage;
  beforeEach(() => {
    page = openAppInPage();
    page.quote({ ...listed('BHP', 45.2), close: 45 }, listed('CBA', 170), listed('XYZ', 1));
  });
  afterEach(() => {
    cleanup();
    page.close();
    resetCalls();
  });

  test('on a server without calls is told what this is, with live rows and the way in', async () => {
    render(<CallsPage />);
    await screen.findByText(TITLE);
    const rows = screen.getByRole('table', { name: /^Live prices/ });
    expect(rows.textContent).toContain('BHP');
    expect(rows.textContent).toContain('45.200');
    expect(rows.textContent).not.toContain('XYZ');
    expect(page.watched()?.codes).toContain('BHP');
    expect(screen.getByRole('link', { name: 'Register' }).getAttribute('href')).toBe('#/register');
    act(() => page.quote({ code: 'BHP', last: 46.1, volume: 9000 }));
    // A row listens once its effects have run, which is after it is seen.
    await waitFor(() => expect(rows.textContent).toContain('46.100'));
    expect(await findings(document.body)).toEqual([]);
  });

  test('reads what this is at any time, also once there are calls', async () => {
    await page.signIn('olive');
    page.app.parts.calls.service.submit(
      { id: 1, username: 'olive' },
      {
        symbol: 'BHP',
        callType: 'bought',
        entryPrice: 45,
        targetPrice: 50,
        stopLossType: 'NONE',
        stopLoss: null,
      },
    );
    act(() => endSession());
    render(<CallsPage />);
    const about = await screen.findByText(/^Bellbird shows which ASX stocks/);
    expect(board.value.data?.calls.map(({ symbol }) => symbol)).toEqual(['BHP']);
    expect(document.contains(about)).toBe(true);
    expect(within(about).getByRole('link', { name: 'Register' }).getAttribute('href')).toBe('#/register');
    expect(screen.queryByText(TITLE)).toBeNull();
  });

  test('is not told so once there are calls, and a member never', async () => {
    await page.signIn('olive');
    const { unmount } = render(<CallsPage />);
    await screen.findByText('No calls yet.');
    expect(screen.queryByText(TITLE) === null).toBe(true);
    unmount();
  });
});

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

  test('gets a line a screen, each until it is dismissed', async () => {
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

  test('is the one who registered here, and nobody else', async () => {
    await registerAs(7);
    act(() => startSession({ accessToken: token(8), accessLevel: 1 }, '/calls'));
    render(<Hints />);
    await act(() => new Promise((done) => setTimeout(done, 5)));
    expect(hint()).toBeNull();
    act(() => startSession({ accessToken: token(7), accessLevel: 1 }, '/calls'));
    await waitFor(() => expect(hint()).not.toBeNull());
  });
});

describe('after the login the strip', () => {
  let receive: (message: ToWindow) => void;
  let stops: (() => void)[];
  beforeEach(() => {
    stops = [
      startRouter(),
      startLive((take) => {
        receive = take;
        return () => {};
      }),
    ];
    startSession({ accessToken: 'abc', accessLevel: 1 });
  });
  afterEach(() => {
    cleanup();
    endSession();
    for (const stop of stops) stop();
    localStorage.clear();
  });
  const show = (path: string, time: string) => {
    navigate(path);
    const change = { marketTime: Date.parse(`2026-11-19T${time}:00+11:00`), clockSpeed: 1 };
    receive({
      type: 'state',
      state: fromSnapshot(aSnapshot(['BHP'], change), Date.now()),
      connection: 'live',
    });
  };
  test.each([
    ['15:59', false],
    ['16:00', true],
    ['16:09', true],
    ['16:10', false],
  ] as const)('at %s says that the closing auction gathers its orders: %p', (time, isSaid) => {
    show('/intra-day-small', time);
    render(<ScannerStrip />);
    expect(screen.queryByText('Closing auction') !== null).toBe(isSaid);
    expect(screen.getByText('Intraday')).toBeTruthy();
  });

  const offer = () => screen.queryByRole('link', { name: 'Market is open: go to Intraday' });

  test.each([
    ['/pre-market', '11:11', true],
    ['/pre-market', '09:30', false],
    ['/pre-market', '17:00', false],
    ['/intra-day-small', '11:11', false],
  ])('at %s %s offers Intraday: %p', (path, time, isOffered) => {
    show(path, time);
    render(<ScannerStrip />);
    expect(offer() !== null).toBe(isOffered);
    if (isOffered) expect(offer()?.getAttribute('href')).toBe('#/intra-day-small');
  });

  test('offers it no more that day once it was dismissed', async () => {
    show('/pre-market', '11:11');
    render(<ScannerStrip />);
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(offer() === null).toBe(true);
    cleanup();
    render(<ScannerStrip />);
    expect(offer() === null).toBe(true);
  });
});
