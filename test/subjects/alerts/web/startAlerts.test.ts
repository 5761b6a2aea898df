import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type AlertSigns, startAlerts } from '#subjects/alerts/web/toasts/startAlerts.ts';
import {
  type AlertEvent,
  alertStreamState,
  type AlertTrigger,
  listenToAlerts,
  titlePrefix,
  unseenTriggers,
} from '#subjects/alerts/web/shared/alertStream.ts';
import { waitFor } from '@testing-library/react';
import { navigate } from '#web/router/navigate.ts';
import { route, startRouter } from '#web/router/router.ts';
import { administers, loadSettings, settings, startSettings } from '#web/shared/settings.ts';
import { endSession, session, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { aTrigger, fakeHolder, tokenOf } from '#support/alertWindow.ts';
import { pageApi, MAGGIE } from '#support/fakeApi.ts';
import { aMeta } from '#support/market.ts';

let holder: ReturnType<typeof fakeHolder>;
const server = pageApi(() => ({}));
let shown: AlertTrigger[];
let sounded: AlertTrigger[];
let events: AlertEvent[];
let cleared: number;
let stops: (() => void)[];

const signs: AlertSigns = {
  show: (trigger) => shown.push(trigger),
  sound: (trigger) => sounded.push(trigger),
  clear: () => void (cleared += 1),
};
const signIn = (uid = 1) => startSession({ accessToken: tokenOf(uid), accessLevel: 1 });

beforeEach(() => {
  window.location.hash = '#/calls';
  [shown, sounded, events] = [[], [], []];
  holder = fakeHolder();
  stops = [startRouter(), holder.stop, listenToAlerts((event) => events.push(event))];
  signIn();
  navigate('/calls');
});
afterEach(() => {
  for (const stop of stops) stop();
});
const start = () => {
  const stop = startAlerts(signs);
  stops.unshift(stop);
  return stop;
};
/** Reloads the page: memory is lost and storage is kept. */
const reload = (stop: () => void) => {
  stop();
  return start();
};

describe('the session', () => {
  test('is sent at the start, on a change, on focus, and at the end', () => {
    start();
    expect(holder.sessions()).toEqual([{ type: 'session', token: tokenOf(1), lastEventId: '' }]);
    signIn(2);
    window.dispatchEvent(new Event('focus'));
    endSession();
    expect(holder.sessions().map(({ token }) => token)).toEqual([tokenOf(1), tokenOf(2), tokenOf(2), null]);
  });

  test('is checked once when the server refuses it, until the stream is live again', async () => {
    start();
    server.answers['GET /api/settings'] = { status: 401, body: { error: 'Sign in' } };
    holder.receive({ type: 'alertConnection', connection: 'disconnected', lastEventId: '' });
    holder.receive({ type: 'alertConnection', connection: 'reconnecting', lastEventId: '' });
    holder.receive({ type: 'alertConnection', connection: 'disconnected', lastEventId: '' });
    await Bun.sleep(5);
    expect(server.to('/api/settings')).toHaveLength(1);
    expect(session.value.isAuthenticated).toBe(false);
  });

  test('continues if only the stream is disconnected', async () => {
    start();
    server.answers['GET /api/settings'] = { body: {} };
    holder.receive({ type: 'alertConnection', connection: 'disconnected', lastEventId: '' });
    await Bun.sleep(5);
    expect(session.value.isAuthenticated).toBe(true);
    expect(alertStreamState.value).toBe('disconnected');
    holder.receive({ type: 'alertConnection', connection: 'live', lastEventId: '' });
    expect(alertStreamState.value).toBe('live');
  });
});

describe('a trigger', () => {
  test('is shown and passed on, and plays a sound only in the leading window', () => {
    start();
    holder.event('alert_triggered', aTrigger({ alertId: 1, deactivated: true }));
    holder.event('alert_triggered', aTrigger({ alertId: 2 }), { isLead: false });
    expect(shown.map(({ alertId }) => alertId)).toEqual([1, 2]);
    expect(sounded.map(({ alertId }) => alertId)).toEqual([1]);
    expect(shown.at(-1)).toMatchObject({ alertId: 2, symbol: 'BHP', name: 'Breakout' });
    expect(events).toMatchObject([
      { type: 'triggered', trigger: { alertId: 1, deactivated: true } },
      { type: 'triggered', trigger: { alertId: 2, deactivated: false } },
    ]);
  });

  test('is shown once if it arrives twice, even after a reload', () => {
    const stop = start();
    const trigger = aTrigger();
    holder.event('alert_triggered', trigger, { id: 'r-1' });
    holder.event('alert_triggered', trigger, { id: 'r-1' });
    reload(stop);
    holder.event('alert_triggered', trigger, { id: 'r-1' });
    expect(shown).toHaveLength(1);
    expect(sounded).toHaveLength(1);
    expect(unseenTriggers.value).toBe(1);
    expect(holder.sessions().at(-1)?.lastEventId).toBe('r-1');
  });

  test('of a snoozed alert is only passed on', () => {
    start();
    holder.event('alert_triggered', aTrigger({ silent: true }));
    expect(shown).toEqual([]);
    expect(sounded).toEqual([]);
    expect(unseenTriggers.value).toBe(0);
    expect(events).toMatchObject([{ type: 'triggered', trigger: { alertId: 3, silent: true } }]);
  });

  test('from long ago is only counted, for example after sleep', () => {
    start();
    const timestamp = new Date(Date.now() - 3_600_000).toISOString();
    holder.event('alert_triggered', aTrigger({ timestamp }));
    expect(shown).toEqual([]);
    expect(sounded).toEqual([]);
    expect(unseenTriggers.value).toBe(1);
  });

  test('is shown even if this computer’s clock is an hour fast, because the server’s time counts', () => {
    start();
    const serverTime = Date.now() - 3_600_000;
    holder.receive({
      type: 'state',
      connection: 'live',
      state: {
        stocks: new Map(),
        fx: { data: new Map(), lastUpdated: null },
        changedAt: null,
        meta: aMeta({ marketTime: serverTime }),
        receivedAt: Date.now(),
      },
    });
    holder.event('alert_triggered', aTrigger({ timestamp: new Date(serverTime).toISOString() }));
    expect(shown).toHaveLength(1);
    expect(sounded).toHaveLength(1);
  });
});

describe('a message that arrives before this window listens', () => {
  test('is queued and handled in order', () => {
    holder.receive({ type: 'alertConnection', connection: 'live', lastEventId: '7' });
    holder.event('alert_triggered', aTrigger({ alertId: 1 }), { isLead: false });
    holder.event('alert_changed', { alertId: 5, symbol: 'BHP' });
    expect([shown, events]).toEqual([[], []]);
    start();
    expect(alertStreamState.value).toBe('live');
    expect(shown.map(({ alertId }) => alertId)).toEqual([1]);
    expect(events.map(({ type }) => type)).toEqual(['triggered', 'changed']);
    expect(holder.sessions()).toHaveLength(1);
    expect(JSON.parse(localStorage.getItem('bellbird.alerts.1') ?? '{}')).toMatchObject({ lastEventId: '7' });
  });

  test('is dropped if it was for another user or for no user', () => {
    holder.event('alert_triggered', aTrigger());
    endSession();
    holder.event('alert_triggered', aTrigger());
    signIn(2);
    start();
    expect([shown, events]).toEqual([[], []]);
  });
});

describe('the count of unseen triggers', () => {
  test('survives reloads, and is cleared when the watchlist is visible', () => {
    const stop = start();
    holder.event('alert_triggered', aTrigger({ alertId: 1 }));
    holder.event('alert_triggered', aTrigger({ alertId: 2 }));
    expect(unseenTriggers.value).toBe(2);
    reload(stop);
    expect(unseenTriggers.value).toBe(2);
    navigate('/watchlist');
    expect(unseenTriggers.value).toBe(0);
    holder.event('alert_triggered', aTrigger({ alertId: 3 }));
    expect(unseenTriggers.value).toBe(0);
    expect(shown).toHaveLength(3);
  });

  test('stays while the watchlist is not visible', () => {
    const setHidden = (value: boolean) =>
      Object.defineProperty(document, 'hidden', { configurable: true, value });
    setHidden(true);
    start();
    navigate('/watchlist');
    holder.event('alert_triggered', aTrigger());
    expect(unseenTriggers.value).toBe(1);
    expect(titlePrefix.value).toBe('(1) ');
    setHidden(false);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(unseenTriggers.value).toBe(0);
    expect(titlePrefix.value).toBe('');
  });
});

test('a scan trigger is shown with market time, once even after a reload', () => {
  const aScanTrigger = (change: Record<string, unknown> = {}) => ({
    scanAlertId: 3,
    triggerId: 12,
    timestamp: new Date().toISOString(),
    marketTime: '2026-11-18T00:00:00.000Z',
    symbol: 'BHP',
    name: 'Up',
    text: 'BHP 51.00 · entered Breakouts',
    silent: false,
    ...change,
  });
  const stop = start();
  holder.event('scan_alert_triggered', aScanTrigger(), { id: '4.12' });
  expect(shown).toMatchObject([
    { key: 'scan 12', of: 'scan', alertId: 3, marketAt: Date.parse('2026-11-18T00:00:00.000Z') },
  ]);
  reload(stop);
  expect(holder.sessions().at(-1)?.lastEventId).toBe('4.12');
  holder.event('scan_alert_triggered', aScanTrigger(), { id: '4.12' });
  holder.event('scan_alert_triggered', aScanTrigger({ triggerId: 13 }), { id: '4.13' });
  expect(shown.map(({ key }) => key)).toEqual(['scan 12', 'scan 13']);
  expect(unseenTriggers.value).toBe(2);
});

describe('account messages', () => {
  beforeEach(async () => {
    server.answers['GET /api/settings'] = { body: { ...MAGGIE, accessLevel: 2 } };
    stops.unshift(startSettings());
    startSession({ accessToken: tokenOf(1), accessLevel: 2 });
    await loadSettings();
    start();
    cleared = 0;
  });

  const note = () => document.querySelector('.snackbar')?.textContent ?? '';

  describe('a changed account', () => {
    test('is shown immediately, stored for the next start, and its limits are loaded', async () => {
      const limits = { indicatorValues: { limit: 100, used: 0 } };
      const now = { ...MAGGIE, ...limits, accessLevel: 3, subscriptionType: 'premium' };
      server.answers['GET /api/settings'] = { body: now };
      holder.event('account_changed', {
        accessLevel: 3,
        subscriptionType: 'premium',
        requestedSubscriptionType: null,
        upgradeDeclinedReason: null,
      });
      expect(session.peek()).toMatchObject({ isAuthenticated: true, accessLevel: 3 });
      expect(localStorage.getItem('accessLevel')).toContain('3');
      expect(settings.peek()).toMatchObject({ username: 'maggie', subscriptionType: 'premium' });
      await waitFor(() => expect(note()).toBe('You are now on the Premium plan.'));
      await waitFor(() => expect(settings.peek()).toMatchObject(limits));
      expect(cleared).toBe(0);
    });

    test('without a required second factor cannot administer until it has one', () => {
      holder.event('account_changed', { accessLevel: 4 });
      expect(administers.peek()).toBe(true);
      holder.event('account_changed', { accessLevel: 4, lacksSecondFactor: true });
      expect([administers.peek(), session.peek().accessLevel]).toEqual([false, 4]);
      holder.event('account_changed', { accessLevel: 4, lacksSecondFactor: false });
      expect(administers.peek()).toBe(true);
    });

    test('that is no longer an administrator leaves the Admin Panel', async () => {
      holder.event('account_changed', { accessLevel: 4 });
      navigate('/admin');
      expect(route.peek()?.path).toBe('/admin');
      const shown: (string | undefined)[] = [];
      const stop = route.subscribe((now) => void shown.push(now?.path));
      holder.event('account_changed', { accessLevel: 2 });
      stop();
      expect(shown).toEqual(['/admin', '/settings']);
      await waitFor(() => expect(note()).toBe('You are no longer an administrator.'));
    });
  });

  test('a pending settings request does not overwrite a newer account message', async () => {
    const answer = Promise.withResolvers<{ body: unknown }>();
    server.answers['GET /api/settings'] = () => answer.promise;
    const loading = loadSettings();
    server.answers['GET /api/settings'] = {
      body: { ...MAGGIE, accessLevel: 3, subscriptionType: 'premium' },
    };
    holder.event('account_changed', { accessLevel: 3, subscriptionType: 'premium' });
    answer.resolve({ body: { ...MAGGIE, accessLevel: 2 } });
    await loading;
    expect(settings.peek()).toMatchObject({ username: 'maggie', subscriptionType: 'premium' });
    expect(session.peek().accessLevel).toBe(3);
  });

  test('a window checks whether its own session has ended', async () => {
    holder.event('sessions_ended', {});
    await waitFor(() => expect(server.to('/api/settings').length).toBeGreaterThan(1));
    expect(session.peek().isAuthenticated).toBe(true);
    server.answers['GET /api/settings'] = { status: 401, body: { error: 'Your session has ended.' } };
    holder.event('sessions_ended', {});
    await waitFor(() => expect(session.peek().isAuthenticated).toBe(false));
  });
});
