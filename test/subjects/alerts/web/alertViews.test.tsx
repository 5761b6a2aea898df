import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { publishAlert } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import {
  forgetLinkedChats,
  linkedChats,
  loadLinkedChats,
} from '../../../../src/subjects/chats/web/shared/linkedChats.ts';
import { findings } from '../../../support/axe.ts';
import {
  openRow,
  openWatchlist,
  press,
  shown,
  type WatchlistScreen,
} from '../../../support/watchlistScreen.tsx';
import { logicOver } from '../../../support/watchedAlerts.ts';

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
  page.watch('BHP');
});
afterEach(() => {
  jest.useRealTimers();
  page.close();
});

/** Answers requests whose path ends so; the others go to the application. */
const answer = (answers: Record<string, () => Response>) =>
  page.fail(({ url }) => {
    const path = new URL(url).pathname;
    const found = Object.entries(answers).find(([end]) => path.endsWith(end));
    return found ? found[1]() : null;
  });
const json = (body: unknown, status = 200) => Response.json(body, { status });

describe('destinations', () => {
  const link = (platform: string, more: { confirmed?: boolean; broken?: string } = {}) =>
    page.app.db.$client.run(
      `INSERT INTO linked_chats (user_id, platform, chat_id, created_at, confirmed_at, broken_at, broken_reason)
       VALUES (?, ?, ?, 1, ?, ?, ?)`,
      [
        page.userId,
        platform,
        crypto.randomUUID(),
        more.confirmed === false ? null : 1,
        more.broken ? 1 : null,
        more.broken ?? null,
      ],
    );
  const switches = (panel: Awaited<ReturnType<typeof openRow>>) =>
    panel.queryAllByRole('switch', { name: /Telegram|Discord/ }).map((one) => one.parentElement?.textContent);

  test('are not offered without a linked chat; the way to Settings is', async () => {
    await page.open();
    const panel = await openRow('BHP');
    expect(switches(panel)).toEqual([]);
    expect(panel.getByRole('link', { name: 'link a chat in Settings' }).getAttribute('href')).toBe(
      '#/settings',
    );
  });

  test('are offered where there is a chat, and saved at once', async () => {
    link('telegram');
    const { id } = page.alert('BHP', 50);
    await page.open();
    const panel = await openRow('BHP');
    expect(switches(panel)).toEqual(['Telegram']);
    await userEvent.click(panel.getByRole('switch', { name: 'Telegram' }));
    await waitFor(() =>
      expect(page.alerts()[0]?.destinations).toEqual({ telegram: true, discord: false, devices: [] }),
    );
    expect(page.changes()).toContain(`PATCH /api/alerts/${id}`);
  });

  test('say when a chat is not confirmed or does not work', async () => {
    link('telegram', { confirmed: false });
    link('discord');
    link('discord', { broken: 'The bot was blocked.' });
    await page.open();
    const panel = await openRow('BHP');
    const telegram = panel.getByRole('switch', { name: 'Telegram' });
    expect(telegram.getAttribute('aria-describedby')).toBeTruthy();
    expect(panel.getByText('Not confirmed: answer the bot’s question in that chat first.')).toBeTruthy();
    expect(panel.getByText('1 of 2 chats: Can’t deliver: The bot was blocked.')).toBeTruthy();
    expect(await findings(document.body)).toEqual([]);
  });

  test('an answer that comes after the session ended shows nobody’s chats', async () => {
    link('telegram');
    await page.open();
    const late = Promise.withResolvers<void>();
    page.fail(({ url }) => (url.endsWith('/linked-chats') ? late.promise.then(() => null) : null));
    const loading = loadLinkedChats();
    forgetLinkedChats();
    late.resolve();
    await loading;
    expect(linkedChats.peek()).toBeNull();
  });

  test('the history names only what keeps a message from a chat that the alert goes to', async () => {
    link('telegram', { broken: 'The bot was blocked.' });
    link('discord', { broken: 'The chat is gone.' });
    const destinations = { telegram: false, discord: true, devices: [] };
    page.app.parts.alerts.service.create(page.userId, {
      symbol: 'BHP',
      logic_json: logicOver(50),
      destinations,
    });
    const trigger = { id: 1, timestamp: '2026-11-18T01:00:00Z', delivery: 'failed', seen: [] };
    answer({ '/triggers': () => json({ triggers: [trigger] }) });
    await page.open();
    const panel = await openRow('BHP');
    await userEvent.click(panel.getByText('History'));
    expect(await panel.findByText('No: The chat is gone.')).toBeTruthy();
  });

  test('a new alert goes to every chat there is', async () => {
    link('discord');
    await page.open();
    const panel = await openRow('BHP');
    const discord = panel.getByRole<HTMLInputElement>('switch', { name: 'Discord' });
    expect(discord.checked).toBe(true);
  });
});

describe('the last evaluation', () => {
  const now = () => within(screen.getByRole('region', { name: 'Last check' }));

  test('is shown condition by condition, and asked for again while the window is visible', async () => {
    page.alert('BHP', 50);
    await page.open();
    await openRow('BHP');
    const says = (text: string) =>
      waitFor(() => expect(screen.getByRole('region', { name: 'Last check' }).textContent).toContain(text));
    await says('Not yet: 40.00, waiting for 50.00');
    await shown(() => page.quote({ code: 'BHP', last: 41, volume: 2000 }));
    await says('Not yet: 41.00, waiting for 50.00');
    const asked = () => page.asked.filter((request) => request.endsWith('/evaluation')).length;
    Object.defineProperty(document, 'hidden', { configurable: true, value: true });
    const before = asked();
    await new Promise((done) => setTimeout(done, 2300));
    expect(asked()).toBeLessThanOrEqual(before + 1);
    Reflect.deleteProperty(document, 'hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(asked()).toBeGreaterThan(before));
  });

  test('says why there is none', async () => {
    page.alert('BHP', 50);
    await page.open();
    await shown(() => page.quote({ code: 'BHP', status: 'Halted' }));
    await openRow('BHP');
    await now().findByText('not checked: BHP is halted', { exact: false });
  });

  test('of an alert that is switched off is not asked for', async () => {
    const { id } = page.alert('BHP', 50);
    page.app.parts.alerts.service.change(page.userId, id, { active: false });
    await page.open();
    await openRow('BHP');
    expect(now().getByText('not checked: the alert is switched off')).toBeTruthy();
    expect(page.asked.some((request) => request.endsWith('/evaluation'))).toBe(false);
  });

  test('that can not be read says so', async () => {
    page.alert('BHP', 50);
    answer({ '/evaluation': () => json({}, 500) });
    await page.open();
    await openRow('BHP');
    await now().findByText('The last check could not be loaded.');
  });
});

describe('the rehearsal', () => {
  const REHEARSAL = {
    minutes: {
      from: Date.parse('2026-11-15T23:00:00Z'),
      to: Date.parse('2026-11-20T05:00:00Z'),
      tradingDays: 5,
      fired: 130,
      times: [1, 2, 3].map((day) => Date.parse(`2026-11-1${day + 5}T01:00:00Z`)),
      closes: [49, 50.5, 51],
    },
    days: {
      from: Date.parse('2025-11-20T05:00:00Z'),
      to: Date.parse('2026-11-20T05:00:00Z'),
      tradingDays: 250,
      fired: 1,
      times: [Date.parse('2025-11-20T05:00:00Z'), Date.parse('2026-11-20T05:00:00Z')],
      closes: [40, 51],
    },
    firings: [
      { at: Date.parse('2026-05-04T06:00:00Z'), price: 45, period: 'days' },
      { at: Date.parse('2026-11-17T01:00:00Z'), price: 50.5, period: 'minutes' },
      { at: Date.parse('2026-11-18T01:00:00Z'), price: 51, period: 'minutes' },
    ],
    perDay: 26,
    busiestDay: 40,
    tooOften: true,
    notRehearsed: ['Market Cap is left out: no past of it is kept.'],
  };
  const rehearsal = () => within(screen.getByRole('region', { name: 'Would have fired' }));

  test('shows how often, when and at which price, before anything is saved', async () => {
    answer({ '/rehearse': () => json(REHEARSAL) });
    await page.open();
    const panel = await openRow('BHP');
    expect(rehearsal().getByText(/^Complete the conditions/)).toBeTruthy();
    answer({ '/rehearse': () => json(REHEARSAL), '/alerts': () => json({}, 500) });
    fireEvent.change(panel.getByLabelText('Compared with'), { target: { value: 'number' } });
    fireEvent.change(panel.getByLabelText('Number'), { target: { value: '50' } });
    await rehearsal().findByText('130 times in 5 trading days, 16 Nov to 20 Nov');
    expect(page.alerts()).toEqual([]);
    expect(rehearsal().getByText(/26\.0 a day on average, 40 on the busiest day/)).toBeTruthy();
    // It does not repeat yet.
    expect(rehearsal().queryByText(/More than 20 times a day/)).toBeNull();
    expect(rehearsal().getByText(/^This alert fires once and switches itself off/)).toBeTruthy();
    await userEvent.click(panel.getByRole('switch', { name: 'Repeat each time' }));
    await rehearsal().findByText(/More than 20 times a day: 40 on the busiest/);
    expect(rehearsal().queryByText(/fires once/)).toBeNull();
    expect(rehearsal().getByText('Market Cap is left out: no past of it is kept.')).toBeTruthy();
    // No bars of it are known here: the closes are drawn, with the price of the condition and the firings.
    const chart = within(
      await rehearsal().findByRole('figure', {
        name: 'BHP, would have fired: 130 times in 5 trading days, 16 Nov to 20 Nov',
      }),
    );
    // The list comes after the picture.
    const told = (await chart.findAllByRole('listitem')).map(({ textContent }) => textContent);
    expect(told).toContain('Alert: 50.00');
    expect(told).toContain('17 Nov 12:00, Alert: Would have fired at 50.50');
    await userEvent.click(rehearsal().getByText('Times and prices'));
    const rows = () =>
      within(rehearsal().getByRole('region', { name: 'Times and prices' }))
        .getAllByRole('row')
        .map((row) => row.textContent);
    expect(rows()).toEqual(['Time (Sydney)Price', '18 Nov 12:0051.00', '17 Nov 12:0050.50']);
    expect(rehearsal().getByText('Newest 2 shown')).toBeTruthy();
    await press('Last year');
    expect(rehearsal().getByText('Once in 250 trading days, 20 Nov 2025 to 20 Nov 2026')).toBeTruthy();
    expect(rows()).toEqual(['Time (Sydney)Price', '4 May 202645.00']);
    expect(await findings(document.body)).toEqual([]);
  });

  test('waits for a pause, and asks once for what was typed', async () => {
    page.alert('BHP', 50);
    answer({ '/rehearse': () => json({ ...REHEARSAL, firings: [] }) });
    const times = () => page.asked.filter((request) => request.endsWith('/rehearse')).length;
    await page.open();
    const panel = await openRow('BHP');
    await rehearsal().findByText(/^130 times/);
    expect(times()).toBe(1);
    for (const value of ['5', '51', '51.5']) {
      fireEvent.change(panel.getByLabelText('Number'), { target: { value } });
    }
    await waitFor(() => expect(times()).toBe(2));
    jest.useFakeTimers();
    fireEvent.change(panel.getByLabelText('Name (optional)'), { target: { value: 'Breakout' } });
    await act(async () => void jest.advanceTimersByTime(2000));
    expect(times()).toBe(2);
  });

  test('is of the cooldown that is chosen, as long as the alert repeats', async () => {
    const asked: unknown[] = [];
    page.alert('BHP', 50);
    page.fail(async (request) => {
      if (!request.url.endsWith('/rehearse')) return null;
      asked.push(((await request.clone().json()) as Record<string, unknown>).cooldown_minutes);
      return json({ ...REHEARSAL, firings: [] });
    });
    await page.open();
    const panel = await openRow('BHP');
    await waitFor(() => expect(asked).toEqual([1]));
    const persistent = () => panel.getByRole('switch', { name: 'Repeat each time' });
    await userEvent.click(persistent());
    await userEvent.click(panel.getByText('More'));
    await userEvent.selectOptions(panel.getByLabelText('Quiet after it fired'), '30');
    await waitFor(() => expect(asked).toEqual([1, 30]));
    await userEvent.click(persistent());
    await waitFor(() => expect(asked).toEqual([1, 30, 1]));
  });

  test('that fails says why, and is tried again; one without bars says so', async () => {
    page.alert('BHP', 50);
    answer({ '/rehearse': () => json({ error: 'The server is busy. Try again shortly.' }, 503) });
    await page.open();
    await openRow('BHP');
    await rehearsal().findByText('The server is busy. Try again shortly.');
    const none = { ...REHEARSAL, minutes: null, days: null, firings: [], tooOften: false };
    answer({ '/rehearse': () => json({ ...none, notRehearsed: ['No bars of BHP are known.'] }) });
    await press('Retry');
    await rehearsal().findByText('No bars of BHP are known.');
  });

  test('of the real application', async () => {
    page.alert('BHP', 50);
    await page.open();
    await openRow('BHP');
    await waitFor(() => expect(rehearsal().queryByLabelText('Backtesting…') === null).toBe(true));
    expect(screen.getByRole('region', { name: 'Would have fired' }).textContent?.length).toBeGreaterThan(20);
    expect(rehearsal().queryByRole('alert') === null).toBe(true);
  });
});

describe('what became of it', () => {
  test('when it fired, what it saw, and whether that was delivered', async () => {
    page.alert('BHP', 50);
    await page.open();
    const panel = await openRow('BHP');
    expect(panel.getByText('Never triggered')).toBeTruthy();
    await shown(() => page.quote({ code: 'BHP', last: 51, volume: 2000 }));
    act(() => publishAlert({ type: 'changed', alertId: null, symbol: 'BHP' }));
    await panel.findByText(/^Last triggered \d/);
    const toggle = panel.getByRole<HTMLInputElement>('switch', { name: /active$/ });
    await waitFor(() => expect(toggle.checked).toBe(false));
    await userEvent.click(panel.getByText('History'));
    const row = await panel.findByRole('row', { name: /last 51\.00 above 50\.00/ });
    expect(row.textContent).toContain('then switched off');
    expect(row.textContent).toContain('No chat or device to send to');
  });

  test('a trigger is in the editor at once, also when the alerts can not be read after it', async () => {
    const { id } = page.alert('BHP', 50);
    await page.open();
    const panel = await openRow('BHP');
    const toggle = panel.getByRole<HTMLInputElement>('switch', { name: /active$/ });
    page.fail(({ method, url }) =>
      method === 'GET' && url.includes('/alerts?') ? json({ error: 'The disk is full.' }, 500) : null,
    );
    const HOUR = 3_600_000;
    const fired = (at: number) => {
      const said = { silent: false, name: null, text: null };
      const trigger = {
        of: 'stock' as const,
        key: `#${at}`,
        alertId: id,
        symbol: 'BHP',
        at,
        marketAt: at + HOUR,
        deactivated: true,
        ...said,
      };
      act(() => publishAlert({ type: 'triggered', trigger }));
    };
    const at = Date.UTC(2026, 10, 18, 1, 5);
    fired(at);
    expect(toggle.checked).toBe(false);
    // As the market’s clock had it.
    expect(panel.getByText(/^Last triggered 18 Nov 13:05/)).toBeTruthy();
    await panel.findByText('The disk is full.');
    expect(toggle.checked).toBe(false);
    // An older one, told after a break.
    fired(at - 60_000);
    expect(panel.getByText(/^Last triggered 18 Nov 13:05/)).toBeTruthy();
  });

  test('history that is empty, and that can not be loaded', async () => {
    page.alert('BHP', 50);
    answer({ '/triggers': () => json({}, 500) });
    await page.open();
    const panel = await openRow('BHP');
    await userEvent.click(panel.getByText('History'));
    await panel.findByText('The history could not be loaded.');
    page.fail(null);
    await press('Retry');
    await panel.findByText('This alert has not fired yet.');
  });

  test('snoozed, stopped and not delivered are said; a snooze can be ended', async () => {
    const { id } = page.alert('BHP', 50);
    const until = page.app.clock.now() + 3_600_000;
    page.app.parts.alerts.service.snooze(page.userId, id, until);
    await page.open();
    const panel = await openRow('BHP');
    expect(panel.getByText(/^Snoozed until \d\d:\d\d$/)).toBeTruthy();
    await userEvent.click(panel.getByRole('button', { name: 'End snooze' }));
    await waitFor(() => expect(page.alerts()[0]?.snoozedUntil).toBeNull());
    await waitFor(() => expect(panel.queryByText(/Snoozed/) === null).toBe(true));
    page.app.db.$client.run(
      "UPDATE alerts SET active = 0, stopped_reason = 'It fired 15 times in 3 minutes.'",
    );
    act(() => publishAlert({ type: 'changed', alertId: id, symbol: 'BHP' }));
    await panel.findByText('Stopped: It fired 15 times in 3 minutes.');
  });
});
