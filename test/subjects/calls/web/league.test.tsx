import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { CallsScreen } from '#subjects/calls/web/CallsScreen.tsx';
import { resetFollows } from '#subjects/calls/web/follow.tsx';
import { recordPath } from '#subjects/calls/web/parts/pageParts.tsx';
import { resetCalls } from '#subjects/calls/web/state.ts';
import { goTo } from '#web/router/navigate.ts';
import { loadSettings } from '#web/shared/settings.ts';
import { type AppInPage, listed, openAppInPage } from '#support/appInPage.ts';
import { results } from '#support/axe.ts';
import { BOUGHT } from '#support/callsApp.ts';
import { giveLayout } from '#support/layout.ts';

const NAME = 'Ann O’Tool/50%';
let page: AppInPage;
let publicId: string;
let removeLayout: () => void;

beforeEach(async () => {
  removeLayout = giveLayout();
  page = openAppInPage();
  page.quote(listed('BHP', 40));
  const user = await page.app.addUser(NAME);
  publicId = page.app.parts.calls.service.submit(user, BOUGHT).publicId;
});
afterEach(() => {
  cleanup();
  goTo('/calls');
  page.close();
  resetCalls();
  resetFollows();
  removeLayout();
});

async function logIn(name: string): Promise<void> {
  const user = await page.app.addUser(name);
  startSession({ accessToken: await page.app.tokenOf(user), accessLevel: 1 });
  await loadSettings();
}
const show = (path: string) => {
  cleanup();
  act(() => goTo(path));
  render(<CallsScreen />);
};
const button = (name: string) => screen.findByRole('button', { name });

test('a user follows a submitter, mutes the stock of one call, and ends both on the submitter’s page', async () => {
  const user = userEvent.setup();
  await logIn('bob');
  show(recordPath(NAME));
  await user.click(await button(`Follow ${NAME}`));
  await screen.findByText(/No chat or device receives messages yet/, { selector: '.banner *' });
  expect(await results(document.body)).toEqual([]);
  show(`/calls/${publicId}`);
  await user.click(await button('Mute BHP'));
  await button('Unmute BHP');
  show(recordPath(NAME));
  await user.click(await button('Unmute BHP'));
  await waitFor(() => expect(screen.queryByText('Muted stocks')).toBeNull());
  await user.click(await button(`Unfollow ${NAME}`));
  await button(`Follow ${NAME}`);
  expect(screen.queryByRole('region', { name: 'Following' })).toBeNull();
});

test('visitors and submitters themselves are offered no following', async () => {
  show(recordPath(NAME));
  await screen.findByRole('heading', { name: `Track record of ${NAME}` });
  expect(screen.queryByRole('button', { name: /Follow/ })).toBeNull();
});

test('ranks are shown overall and by quarter, and the choice keeps the focus', async () => {
  const user = userEvent.setup();
  show('/calls/ranks');
  const time = await screen.findByRole('combobox', { name: 'Time' });
  await user.selectOptions(time, 'October to December 2026');
  await screen.findByRole('heading', { level: 1, name: 'Ranks, October to December 2026' });
  await screen.findByRole('link', { name: NAME });
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Time' }));
  expect(await results(document.body)).toEqual([]);
});

test('a record has a card with the hash of the ledger’s latest entry', async () => {
  const user = userEvent.setup();
  show(recordPath(NAME));
  await user.click(await screen.findByText('Card to share'));
  const head = page.app.parts.calls.service.ledger.head();
  const card = await screen.findByRole('img', { name: new RegExp(`Ledger 1 ${head?.hash}`) });
  expect(card.getAttribute('aria-label')).toContain(`#${recordPath(NAME)}`);
  await button('Save picture');
  expect(await results(document.body)).toEqual([]);
});

test('a live call shows how many shares to take with the user’s own risk', async () => {
  const user = userEvent.setup();
  await logIn('carl');
  show(`/calls/${publicId}`);
  await user.click(await button('Position size'));
  await user.type(await screen.findByRole('spinbutton', { name: 'Risk ($)' }), '100');
  // A stop at 38, two dollars below the last price of 40.
  await screen.findByText('50');
  expect(await results(document.body)).toEqual([]);
});
