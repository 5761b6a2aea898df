import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor } from '@testing-library/react';
import { AdminPage } from '#admin/web/AdminPage.tsx';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { loadSettings, patchSettings, startSettings } from '#web/shared/settings.ts';
import { results } from '#support/axe.ts';
import { adminApi } from '#support/adminApi.ts';
import { MAGGIE } from '#support/fakeApi.ts';

const SETTINGS = 'GET /api/settings';
const LACKING = { ...MAGGIE, accessLevel: 4, lacksSecondFactor: true };
const REFUSAL = 'This server requires two-factor login for administrators.';
const DEMAND = /requires two-factor login for administrators, and yours is off/;

const server = adminApi(() => ({ [SETTINGS]: { body: LACKING } }));
let stop: () => void;
beforeEach(() => {
  stop = startSettings();
});
afterEach(() => stop());

/** The requests other than settings. */
const asked = () => server.calls.filter(({ path }) => path !== '/api/settings').map(({ path }) => path);
const demand = () => screen.queryByText(DEMAND);
const section = () => screen.queryByRole('region', { name: 'Calls Awaiting Admin Review' });
const settle = () =>
  act(async () => {
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  });

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

  test('sees the panel without reloading once it is on or no longer required', async () => {
    render(<AdminPage />);
    await settle();
    act(() => patchSettings({ lacksSecondFactor: false }));
    expect([demand(), section() === null]).toEqual([null, false]);
    act(() => patchSettings({ lacksSecondFactor: true }));
    expect([demand() === null, section()]).toEqual([false, null]);
    await settle();
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

test('the sections load only after their access is known', async () => {
  const answer = Promise.withResolvers<{ body: unknown }>();
  endSession();
  server.answers[SETTINGS] = () => answer.promise;
  startSession({ accessToken: 'u', accessLevel: 4 });
  render(<AdminPage />);
  await settle();
  expect(screen.getByRole('status', { name: 'Loading the Admin Panel…' })).toBeTruthy();
  expect(asked()).toEqual([]);
  answer.resolve({ body: { ...LACKING, lacksSecondFactor: false } });
  await waitFor(() => expect(section()).not.toBeNull());
});

test('each list that could not be loaded says so, does not look empty, and reloads with Retry', async () => {
  server.answers[SETTINGS] = { body: { ...LACKING, lacksSecondFactor: false } };
  await loadSettings();
  render(<AdminPage />);
  const retries = () => screen.getAllByRole('button', { name: 'Retry' });
  await waitFor(() => expect(retries().length).toBeGreaterThan(12));
  expect(document.querySelectorAll('.skeleton').length).toBe(0);
  expect([...document.querySelectorAll('.empty-state')].map(({ textContent }) => textContent)).toEqual([]);
  expect(screen.queryByText(/^No |^There are no |Add a channel below/)).toBeNull();
  await settle();
  for (const retry of retries()) {
    const before = asked().length;
    act(() => retry.click());
    await waitFor(() => expect(asked().length).toBeGreaterThan(before));
  }
});
