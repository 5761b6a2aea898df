import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { waitFor } from '@testing-library/react';
import { startAlerts } from '../../../../src/subjects/alerts/web/toasts/startAlerts.ts';
import { navigate } from '../../../../web/router/navigate.ts';
import { route, startRouter } from '../../../../web/router/router.ts';
import type { AlertEventName } from '../../../../web/live/stream/protocol.ts';
import {
  endSession,
  session,
  startSession,
} from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { administers, loadSettings, settings, startSettings } from '../../../../web/shared/settings.ts';
import { fakeHolder, tokenOf } from '../../../support/alertWindow.ts';
import { fakeApi, MAGGIE } from '../../../support/fakeApi.ts';

let holder: ReturnType<typeof fakeHolder>;
let server: ReturnType<typeof fakeApi>;
let cleared = 0;
let stops: (() => void)[];

beforeEach(async () => {
  localStorage.clear();
  server = fakeApi({ 'GET /api/settings': { body: { ...MAGGIE, accessLevel: 2 } } });
  holder = fakeHolder();
  stops = [startRouter(), holder.stop, startSettings()];
  startSession({ accessToken: tokenOf(1), accessLevel: 2 });
  await loadSettings();
  const signs = { show: () => undefined, sound: () => undefined, clear: () => void (cleared += 1) };
  stops.unshift(startAlerts(signs));
  cleared = 0;
});
afterEach(() => {
  for (const stop of stops) stop();
  endSession();
  server.restore();
});

const say = (name: AlertEventName, data: unknown) =>
  holder.say({ type: 'alert', name, data: JSON.stringify(data), id: '', isLead: true });
const note = () => document.querySelector('.snackbar')?.textContent ?? '';

describe('a changed account', () => {
  test('shows at once, is kept for the next start, and disturbs nothing else', async () => {
    const asked = server.to('/api/settings').length;
    say('account_changed', {
      accessLevel: 3,
      subscriptionType: 'premium',
      requestedSubscriptionType: null,
      upgradeDeclinedReason: null,
    });
    expect(session.peek()).toMatchObject({ isAuthenticated: true, accessLevel: 3 });
    expect(localStorage.getItem('accessLevel')).toContain('3');
    expect(settings.peek()).toMatchObject({ username: 'maggie', subscriptionType: 'premium' });
    await waitFor(() => expect(note()).toBe('You are now on the Premium plan.'));
    expect([cleared, server.to('/api/settings').length]).toEqual([0, asked]);
  });

  test('that lacks two-factor login does not administer until it is on', () => {
    say('account_changed', { accessLevel: 4 });
    expect(administers.peek()).toBe(true);
    say('account_changed', { accessLevel: 4, lacksSecondFactor: true });
    expect([administers.peek(), session.peek().accessLevel]).toEqual([false, 4]);
    say('account_changed', { accessLevel: 4, lacksSecondFactor: false });
    expect(administers.peek()).toBe(true);
  });

  test('that is no administrator’s any more is led away from the Admin Panel', async () => {
    say('account_changed', { accessLevel: 4 });
    navigate('/admin');
    expect(route.peek()?.path).toBe('/admin');
    const shown: (string | undefined)[] = [];
    const stop = route.subscribe((now) => void shown.push(now?.path));
    say('account_changed', { accessLevel: 2 });
    stop();
    expect(shown).toEqual(['/admin', '/settings']);
    await waitFor(() => expect(note()).toBe('You are no longer an administrator.'));
  });
});

describe('settings that are being read', () => {
  test('have what the server said meanwhile of the account: their answer may be older', async () => {
    const answer = Promise.withResolvers<{ body: unknown }>();
    server.answers['GET /api/settings'] = () => answer.promise;
    const loading = loadSettings();
    say('account_changed', { accessLevel: 3, subscriptionType: 'premium' });
    answer.resolve({ body: { ...MAGGIE, accessLevel: 2 } });
    await loading;
    expect(settings.peek()).toMatchObject({ username: 'maggie', subscriptionType: 'premium' });
    expect(session.peek().accessLevel).toBe(3);
    server.answers['GET /api/settings'] = { body: { ...MAGGIE, accessLevel: 2 } };
    await loadSettings();
    expect(settings.peek()).toMatchObject({ subscriptionType: 'basic' });
  });
});

test('a window asks whether its session was among those that ended', async () => {
  say('sessions_ended', {});
  await waitFor(() => expect(server.to('/api/settings').length).toBeGreaterThan(1));
  expect(session.peek().isAuthenticated).toBe(true);
  server.answers['GET /api/settings'] = { status: 401, body: { error: 'Your session has ended.' } };
  say('sessions_ended', {});
  await waitFor(() => expect(session.peek().isAuthenticated).toBe(false));
});
