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

test('a user follows a submitter, mutes a stock of a call, and ends both on the submitter’s page', async () => {
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
