import { afterEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { publishHidden, publishUnseen } from '#subjects/alerts/web/shared/alertStream.ts';
import { navigate } from '#web/router/navigate.ts';
import { endSession } from '#subjects/accounts/web/shared/session/session.ts';
import { results } from '#support/axe.ts';
import { appByHand } from '#support/appByHand.tsx';
import { aMeta } from '#support/market.ts';

const app = appByHand();

const navigation = () => screen.getByRole('navigation', { name: 'Main' });
const linkNames = (name: string) =>
  within(screen.getByRole('navigation', { name }))
    .getAllByRole('link')
    .map((link) => link.textContent);

test('a visitor’s header links to Calls, and other addresses lead to the login with a reason', async () => {
  await app.open('/calls');
  expect(linkNames('Main')).toEqual([
    'Scanners',
    'Announcements',
    'FX News',
    'Calls',
    'Watchlist & Alerts',
    'Settings',
  ]);
  for (const link of within(navigation()).getAllByRole('link')) {
    const isCalls = link.textContent === 'Calls';
    expect(link.getAttribute('href')).toBe(isCalls ? '#/calls' : '#/login');
    const hint = document.getElementById(link.getAttribute('aria-describedby') ?? '');
    expect(hint?.textContent ?? null).toBe(isCalls ? null : 'Login to access this section');
  }
  expect(screen.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('#/login');
  expect(screen.queryByRole('button', { name: 'Logout' }) === null).toBe(true);
  expect(document.title).toBe('Calls · Bellbird');
});

test('the summary bar shows a source’s problem on the screens with live prices', async () => {
  await app.open('/calls');
  const problem = 'The bridge has sent nothing for 3 minutes.';
  app.live.show([], { feed: { ...aMeta().feed, name: 'ingest', healthy: false, problem } });
  expect(document.querySelector('.stale-strip p')?.textContent).toBe(
    `Prices from the broker bridge have not arrived yet. ${problem}`,
  );
  act(() => navigate('/login'));
  await screen.findByRole('heading', { name: 'Login' });
  expect(document.querySelector('.stale-strip')).toBeNull();
});

describe('keys', () => {
  test('a letter after g counts for a second and a half', async () => {
    await app.open('/settings', 1);
    const press = (key: string, timeStamp: number) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true });
      Object.defineProperty(event, 'timeStamp', { value: timeStamp });
      act(() => void document.body.dispatchEvent(event));
    };
    press('g', 1000);
    press('f', 2500);
    expect(window.location.hash).toBe('#/settings');
    press('g', 3000);
    press('f', 4499);
    expect(window.location.hash).toBe('#/fx-news');
  });
  test('of a visitor open the login if one is needed', async () => {
    await app.open('/calls');
    await userEvent.keyboard('ge');
    expect(window.location.hash).toBe('#/login');
    // The first field of the login has the focus, and keys type into it.
    const box = await screen.findByLabelText('Username');
    await waitFor(() => expect(box === document.activeElement).toBe(true));
    act(() => box.blur());
    await userEvent.keyboard('gc');
    await waitFor(() => expect(window.location.hash).toBe('#/calls'));
    await userEvent.keyboard('2');
    expect(window.location.hash).toBe('#/login');
  });
  test('that compose a character in an input method are ignored', async () => {
    await app.open('/settings', 1);
    const composing = new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, isComposing: true });
    act(() => void window.dispatchEvent(composing));
    await act(() => Bun.sleep(5));
    expect(composing.defaultPrevented).toBe(false);
    expect(screen.queryByRole('dialog') === null).toBe(true);
  });
  test('n opens the form for a new call on the row’s symbol in a scanner; for a visitor it does nothing', async () => {
    await app.open('/settings', 1);
    await userEvent.keyboard('n');
    await screen.findByRole('dialog', { name: 'Submit Call' });
    expect(window.location.hash).toBe('#/calls');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add Call' }));
    act(() => navigate('/settings'));
    act(() => navigate('/calls'));
    await screen.findByRole('heading', { name: 'Calls' });
    expect(screen.queryByRole('dialog') === null).toBe(true);
    act(() => endSession());
    await userEvent.keyboard('n');
    expect(screen.queryByRole('dialog') === null).toBe(true);
  });
});

describe('unseen alerts', () => {
  afterEach(() => {
    publishUnseen(0);
    publishHidden(false);
  });

  test('are counted next to the watchlist, and in the title of a hidden window', async () => {
    await app.open('/calls', 1);
    expect(linkNames('Main')).toContain('Watchlist & Alerts');
    act(() => publishUnseen(1));
    expect(within(navigation()).getByRole('link', { name: 'Watchlist & Alerts 1 new alert' })).toBeTruthy();
    act(() => publishUnseen(120));
    expect(
      within(navigation()).getByRole('link', { name: 'Watchlist & Alerts 99+ new alerts' }),
    ).toBeTruthy();
    expect(document.title).toBe('Calls · Bellbird');
    act(() => publishHidden(true));
    expect(document.title).toBe('(120) Calls · Bellbird');
    act(() => publishUnseen(0));
    expect(document.title).toBe('Calls · Bellbird');
  });
});

test('axe would find a button without a name', async () => {
  const { container } = render(<button type="button" />);
  expect(await results(container)).toHaveLength(1);
});
