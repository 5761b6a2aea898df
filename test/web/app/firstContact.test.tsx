import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ScannerStrip } from '#web/app/ScannerStrip.tsx';
import { Tour } from '#web/app/Tour.tsx';
import { offerTour, startTour, tour } from '#web/shared/tour.ts';
import { showStock } from '#web/windows/stockPane.ts';
import { countAlert } from '#subjects/alerts/web/shared/alertRequests.ts';
import { navigate } from '#web/router/navigate.ts';
import { startRouter } from '#web/router/router.ts';
import { register } from '#subjects/accounts/web/shared/session/account.ts';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { fakeApi, MAGGIE } from '#support/fakeApi.ts';
import { liveByHand } from '#support/liveByHand.ts';
import { aMeta } from '#support/market.ts';
import type { StreamMeta } from '#market/rules/stream.ts';

describe('a new user', () => {
  const token = (uid: number) => `h.${btoa(JSON.stringify({ uid, sid: 's' }))}.s`;
  const input = { username: 'maggie', password: 'secret1' };
  let server: ReturnType<typeof fakeApi>;
  let stop: () => void;
  beforeEach(async () => {
    const authentication = { authenticated: true, accessToken: token(7), accessLevel: 1 };
    server = fakeApi({
      'GET /api/settings': { body: MAGGIE },
      'GET /api/devices': { body: { devices: [], publicKey: null } },
      'POST /api/register': { body: authentication },
    });
    stop = startRouter();
    await act(async () => {
      await register({ ...input, email: null, setupToken: null });
    });
  });
  afterEach(() => {
    endSession();
    stop();
    server.restore();
  });
  const step = () => screen.queryByRole('complementary', { name: 'Tour' })?.textContent ?? null;
  const go = (path: string) => act(() => navigate(path));

  test('takes the steps of the tour in any order, and after a reload continues', async () => {
    go('/pre-market');
    expect(server.to('/api/register')[0]?.body).toEqual({ ...input, platform: 'web' });
    const { unmount } = render(<Tour />);
    await waitFor(() => expect(step()).toContain('1 of 3 Pick another scanner'));
    act(countAlert);
    expect(step()).toContain('1 of 3');
    go('/intra-day-small');
    await waitFor(() => expect(step()).toContain('2 of 3 Open a stock'));
    unmount();
    render(<Tour />);
    expect(step()).toContain('2 of 3 Open a stock');
    act(() => showStock('BHP'));
    await waitFor(() => expect(step()).toBeNull());
    expect(tour.value.isOn).toBe(false);
  });

  test('skips the tour for good, and starts it again on request', async () => {
    render(<Tour />);
    await userEvent.click(await screen.findByRole('button', { name: 'Skip tour' }));
    offerTour();
    expect(tour.value.isOn).toBe(false);
    startTour();
    expect(tour.value).toEqual({ isOn: true, done: [] });
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
    endSession();
    stop();
    live.stop();
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

  test('says that the time is simulated, and takes administrators to the pre-open by one click', async () => {
    const feed = { ...aMeta().feed, name: 'simulator', label: 'Simulated' } as StreamMeta['feed'];
    live.show([], { clockOffsetMs: -1e9, feed });
    act(() => navigate('/intra-day-small'));
    render(<ScannerStrip />);
    expect(screen.getByText('Simulated time').tagName).toBe('SPAN');
    const server = fakeApi({ 'POST /api/simulator/skip': { body: { marketTime: 1 } } });
    act(() => startSession({ accessToken: 'abc', accessLevel: 4 }));
    await userEvent.click(await screen.findByRole('button', { name: 'Simulated time: go to the pre-open' }));
    await waitFor(() => expect(server.to('/api/simulator/skip')[0]?.body).toEqual({ to: 'pre-open' }));
    server.restore();
  });
});
