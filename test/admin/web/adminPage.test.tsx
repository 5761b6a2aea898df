import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { fetchServerAlerts } from '#admin/serverAlerts/web/shared/WaitingCount.tsx';
import { ADMIN_SECTIONS } from '#admin/web/shared/sections.ts';
import { navigate } from '#web/router/navigate.ts';
import { AdminPage } from '#admin/web/AdminPage.tsx';
import { loadSettings, startSettings } from '#web/shared/settings.ts';
import { results } from '#support/axe.ts';
import { adminApi, settle } from '#support/adminApi.ts';
import { MAGGIE } from '#support/fakeApi.ts';

const SETTINGS = 'GET /api/settings';
const LACKING = { ...MAGGIE, accessLevel: 4, lacksSecondFactor: true };
const REFUSAL = 'This server requires two-factor login for administrators.';
const DEMAND = /requires two-factor login for administrators, and yours is off/;

const server = adminApi(() => ({ [SETTINGS]: { body: LACKING } }));
let stop: () => void;
beforeEach(() => {
  navigate('/admin/call-review');
  stop = startSettings();
});
afterEach(() => stop());

/** The requests other than settings. */
const asked = () => server.calls.filter(({ path }) => path !== '/api/settings').map(({ path }) => path);
const demand = () => screen.queryByText(DEMAND);
const section = () => screen.queryByRole('region', { name: 'Calls Awaiting Admin Review' });

describe('an administrator without the required two-factor login', () => {
  test('sees one banner with a link to set it up, and no section loads', async () => {
    render(<AdminPage />);
    await settle();
    expect(demand()).not.toBeNull();
    expect(screen.getAllByRole('status')).toHaveLength(1);
    const way = screen.getByRole('link', { name: 'Set up two-factor login' });
    expect(way.getAttribute('href')).toBe('#/settings?show=two-factor');
    expect([section(), screen.queryByRole('button')]).toEqual([null, null]);
    expect(asked()).toEqual([]);
    expect(await results(document.body)).toEqual([]);
  });

  test('sees the banner after any section is refused, if the settings did not require it', async () => {
    server.answers[SETTINGS] = { body: { ...LACKING, lacksSecondFactor: false } };
    await loadSettings();
    server.answers['GET /api/admin/notices'] = {
      status: 403,
      body: { error: REFUSAL, field: 'secondFactor' },
    };
    render(<AdminPage />);
    await waitFor(() => expect(demand()).not.toBeNull());
    expect(section()).toBeNull();
  });
});

test('opens at the first section in which something waits, and stays there once nothing does', async () => {
  server.answers[SETTINGS] = { body: { ...LACKING, lacksSecondFactor: false } };
  const waits = (upgradeRequests: number) => ({
    body: { notices: [], checks: [], waiting: { upgradeRequests } },
  });
  server.answers['GET /api/admin/notices'] = waits(2);
  await loadSettings();
  navigate('/admin');
  render(<AdminPage />);
  const link = await screen.findByRole('link', { current: 'page' });
  expect(link.textContent).toBe('Pending Upgrade Requests2 wait');
  server.answers['GET /api/admin/notices'] = waits(0);
  await act(() => fetchServerAlerts());
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Pending Upgrade Requests');
});

test('each list that could not be loaded says so, does not look empty, and reloads with Retry', async () => {
  server.answers[SETTINGS] = { body: { ...LACKING, lacksSecondFactor: false } };
  await loadSettings();
  for (const { id, title } of ADMIN_SECTIONS) {
    if (id === 'relays' || id === 'question') continue;
    navigate(`/admin/${id}`);
    render(<AdminPage />);
    const retry = async () => (await screen.findAllByRole('button', { name: 'Retry' }))[0];
    await retry();
    expect(screen.getByRole('region', { name: title })).toBeTruthy();
    expect(document.querySelectorAll('.skeleton, .empty-state').length).toBe(0);
    expect(screen.queryByText(/^No |^There are no |Add a channel below/)).toBeNull();
    await settle();
    const before = asked().length;
    act(() => void retry().then((button) => button?.click()));
    await waitFor(() => expect(asked().length).toBeGreaterThan(before));
    cleanup();
  }
});
