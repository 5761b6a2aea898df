import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { publishAlert } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import { findings } from '../../../support/axe.ts';
import {
  openRow,
  openWatchlist,
  press,
  shown,
  type WatchlistScreen,
} from '../../../support/watchlistScreen.tsx';
import { timeframeFor } from '../../../../src/subjects/alerts/rules/firingSpan.ts';

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

test('destinations are offered where there is a chat, and saved at once', async () => {
  const link = (platform: string) =>
    page.app.db.$client.run(
      `INSERT INTO linked_chats (user_id, platform, chat_id, created_at, confirmed_at)
       VALUES (?, ?, '4711', 1, 1)`,
      [page.userId, platform],
    );
  const switches = (panel: Awaited<ReturnType<typeof openRow>>) =>
    panel.queryAllByRole('switch', { name: /Telegram|Discord/ }).map((one) => one.parentElement?.textContent);
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

test('the last evaluation is shown condition by condition, and asked for again while the window is visible', async () => {
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

test.each([
  [0, '1'],
  [7, '1'],
  [8, '5'],
  [36, '60'],
  [500, 'D'],
  [4000, 'W'],
  [20_000, 'M'],
] as const)('%d days are shown by bars of %s', (days, tf) =>
  expect(timeframeFor(1e12, 1e12 + days * 86_400_000)).toBe(tf),
);
