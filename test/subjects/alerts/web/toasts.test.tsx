import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  AlertWatch,
  ANNOUNCE_EVERY_MS,
  createAnnouncements,
} from '#subjects/alerts/web/toasts/AlertWatch.tsx';
import { MAX_LINES, passToastTime, TOAST_MS } from '#subjects/alerts/web/toasts/toastLines.tsx';
import { createHandScheduler } from '#support/handScheduler.ts';
import { forgetAlert, requestedAlert } from '#subjects/alerts/web/shared/showAlert.ts';
import type { AlertTrigger } from '#subjects/alerts/web/shared/alertStream.ts';
import { navigate } from '#web/router/navigate.ts';
import { startRouter } from '#web/router/router.ts';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { pageApi } from '#support/fakeApi.ts';
import { results } from '#support/axe.ts';
import { aSeen } from '#support/aTrigger.ts';
import { aTrigger, fakeHolder, tokenOf } from '#support/alertWindow.ts';

let holder: ReturnType<typeof fakeHolder>;
let stops: (() => void)[];

beforeEach(() => {
  holder = fakeHolder();
  stops = [startRouter(), holder.stop];
  startSession({ accessToken: tokenOf(1), accessLevel: 1 });
  navigate('/calls');
  render(
    <main id="main" tabIndex={-1}>
      <button type="button">Before</button>
      <AlertWatch />
    </main>,
  );
});
afterEach(() => {
  for (const stop of stops) stop();
  endSession();
  forgetAlert();
});

const shownTrigger = (symbol: string): AlertTrigger => ({
  key: symbol,
  of: 'stock',
  alertId: 1,
  at: 0,
  marketAt: 0,
  deactivated: false,
  silent: false,
  symbol,
  name: null,
  text: `${symbol} 1.00`,
});
const fire = (change: Record<string, unknown> = {}) =>
  act(() => holder.event('alert_triggered', aTrigger(change)));
const region = () => screen.getByRole('region', { name: 'Alerts that fired' });
const expectNone = () =>
  expect(screen.queryByRole('region', { name: 'Alerts that fired' }) === null).toBe(true);
const toasts = () => within(region()).getAllByRole('listitem');
const symbols = () => toasts().map((toast) => within(toast).getByRole('link').textContent);
const announcement = () => document.querySelector('[aria-live=polite].alert-announcement')?.textContent;
const pass = (ms: number) => act(() => passToastTime(ms));

describe('a toast', () => {
  test('shows the alert with its values, is announced, and is accessible', async () => {
    fire({ deactivated: true, marketTime: '2026-11-19T23:42:00Z' });
    expect(toasts()[0]?.textContent).toBe(
      '10:42BHPBreakout50.61 ▲ +1.7% · last crossed above 50.50It fired once and is now off.On',
    );
    expect(announcement()).toBe(
      'Alert fired. BHP: Breakout. 50.61 ▲ +1.7% · last crossed above 50.50 · 10:42 Sydney',
    );
    expect(await results(document.body)).toEqual([]);
  });

  describe('with buttons', () => {
    const scan = { type: 'scan', id: 7, name: 'Breakouts' };
    const server = pageApi(() => ({
      'PATCH /api/alerts/12': { body: { id: 12 } },
      'PATCH /api/scan-alerts/12': { body: { id: 12, scan } },
      'POST /api/scan-alerts/12/mutes': { body: { id: 12, scan } },
    }));
    const changes = () =>
      server.calls.filter(({ method }) => method !== 'GET').map(({ path, body }) => [path, body]);

    test('snoozes, switches off and on, and explains, in place', async () => {
      fire({ alertId: 12, seen: [aSeen()] });
      const toast = within(toasts()[0] as HTMLElement);
      await userEvent.click(toast.getByRole('button', { name: 'Why' }));
      const why = within(toast.getByRole('list', { name: 'Why it fired' }));
      expect(why.getAllByRole('listitem')).toHaveLength(1);
      await userEvent.click(toast.getByRole('button', { name: 'Snooze 1 h' }));
      await toast.findByText('Snoozed for an hour.');
      await userEvent.click(toast.getByRole('button', { name: 'Off' }));
      await toast.findByText('Switched off.');
      const error = 'That alert no longer exists. Reload the list.';
      server.answers['PATCH /api/alerts/12'] = { status: 404, body: { error } };
      await userEvent.click(toast.getByRole('button', { name: 'On' }));
      await toast.findByText(error);
      expect(changes()).toEqual([
        ['/api/alerts/12', { snoozed_until: expect.stringMatching(/Z$/) }],
        ['/api/alerts/12', { active: false }],
        ['/api/alerts/12', { active: true }],
      ]);
      expect(await results(document.body)).toEqual([]);
    });

    test('of an alert on a scan switches it off, and mutes its stock for today', async () => {
      const trigger = { scanAlertId: 12, triggerId: 5, timestamp: new Date().toISOString(), symbol: 'BHP' };
      const more = {
        name: 'Up',
        text: 'BHP 51.00 · entered Breakouts',
        seen: [aSeen()],
        silent: false,
      };
      act(() => holder.event('scan_alert_triggered', { ...trigger, ...more }));
      const toast = within(toasts()[0] as HTMLElement);
      await userEvent.click(toast.getByRole('button', { name: 'Not this stock today' }));
      await toast.findByText('BHP is muted until tomorrow.');
      expect(toast.queryByRole('button', { name: 'Not this stock today' }) === null).toBe(true);
      await userEvent.click(toast.getByRole('button', { name: 'Off' }));
      await toast.findByText('Switched off.');
      expect(changes()).toEqual([
        ['/api/scan-alerts/12/mutes', { symbol: 'BHP', muted: true }],
        ['/api/scan-alerts/12', { active: false }],
      ]);
    });
  });

  test('links to its alert in the watchlist', async () => {
    fire({ alertId: 12 });
    await userEvent.click(screen.getByRole('link', { name: 'BHP' }));
    expect(requestedAlert.value).toEqual({ symbol: 'BHP', alertId: 12 });
    expect(window.location.hash).toBe('#/watchlist');
    // The toast would cover its target.
    expectNone();
  });

  test('shows markup as plain text', () => {
    fire({ name: '<img src=x onerror=alert(1)>', text: '<b>bold</b> *star*' });
    expect(document.querySelector('.toast img, .toast b') === null).toBe(true);
    expect(region().textContent).toContain('<b>bold</b> *star*');
  });

  test('disappears after its time', () => {
    fire();
    pass(TOAST_MS - 1);
    expect(toasts()).toHaveLength(1);
    pass(1);
    expectNone();
  });

  test('can be dismissed, here and in the other windows', async () => {
    const other = new BroadcastChannel('bellbird-toasts');
    const received: unknown[] = [];
    other.onmessage = ({ data }) => received.push(data);
    fire({ alertId: 1, symbol: 'BHP' });
    fire({ alertId: 2, symbol: 'CBA' });
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss CBA: Breakout' }));
    expect(symbols()).toEqual(['BHP']);
    await waitFor(() => expect(received).toHaveLength(1));
    const key = (toasts()[0] as HTMLElement).dataset.toast;
    other.postMessage({ dismissed: key });
    await waitFor(expectNone);
    other.close();
  });
});

describe('several toasts', () => {
  const codesOf = (count: number) => Array.from({ length: count }, (_, index) => `A${index + 10}`);
  const fireAll = (count: number) =>
    codesOf(count).forEach((symbol, index) => fire({ alertId: index, symbol }));

  test('show at most three lines, newest first, and count the rest', async () => {
    fireAll(21);
    expect(symbols()).toEqual(['A30', 'A29', 'A28']);
    expect(symbols()).toHaveLength(MAX_LINES);
    expect(screen.getByRole('button', { name: '18 more' })).toBeDefined();
    expect(await results(document.body)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss A30: Breakout' }));
    expect(symbols()).toEqual(['A29', 'A28', 'A27']);
    expect(screen.getByRole('button', { name: '17 more' })).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss all' }));
    expectNone();
    fire({ alertId: 99, symbol: 'GGG' });
    expect(symbols()).toEqual(['GGG']);
    expect(screen.queryByText(/ more$/) === null).toBe(true);
  });

  test('are announced first individually, then together', () => {
    const clock = createHandScheduler(0);
    const spoken: string[] = [];
    const announcements = createAnnouncements((sentence) => spoken.push(sentence), clock.schedule);
    const triggers = codesOf(21).map((symbol) => shownTrigger(symbol));
    for (const trigger of triggers) announcements.add(trigger);
    clock.advance(ANNOUNCE_EVERY_MS);
    expect(spoken).toEqual(['Alert fired. A10. 1.00', '20 alerts fired. The newest: A30.']);
    clock.advance(ANNOUNCE_EVERY_MS);
    announcements.add(shownTrigger('BHP'));
    expect(spoken.at(-1)).toBe('Alert fired. BHP. 1.00');
    announcements.add(shownTrigger('CBA'));
    announcements.clear();
    clock.advance(ANNOUNCE_EVERY_MS);
    expect(spoken.slice(3)).toEqual(['']);
  });

  test('are entered and left by F6, and dismissed one by one by Escape', async () => {
    fire({ alertId: 1, symbol: 'BHP' });
    fire({ alertId: 2, symbol: 'CBA' });
    const before = screen.getByRole('button', { name: 'Before' });
    before.focus();
    await userEvent.keyboard('{F6}');
    expect(document.activeElement?.textContent).toBe('CBA');
    await userEvent.keyboard('{F6}');
    expect(document.activeElement === before).toBe(true);
    await userEvent.keyboard('{F6}{Escape}');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('BHP'));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement === before).toBe(true));
    expectNone();
  });

  test('disappear when the session ends', () => {
    fire();
    act(() => endSession());
    expectNone();
    expect(announcement()).toBe('');
  });

  test('stay while the pointer is over one, and continue when it leaves', async () => {
    const user = userEvent.setup();
    fire();
    await user.hover(screen.getByRole('link', { name: 'BHP' }));
    pass(TOAST_MS - 1000);
    // Longer than its remaining time.
    await Bun.sleep(1200);
    expect(toasts()).toHaveLength(1);
    await user.hover(screen.getByRole('button', { name: 'Before' }));
    await waitFor(expectNone, { timeout: 10_000 });
  });
});
