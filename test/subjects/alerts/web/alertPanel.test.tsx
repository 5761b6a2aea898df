import { afterEach, beforeEach, describe, expect, jest, mock, setSystemTime, test } from 'bun:test';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AUTOSAVE_MS } from '#subjects/alerts/web/watchlist/alerts/alertEditor.ts';
import { publishAlert } from '#subjects/alerts/web/shared/alertStream.ts';
import { results } from '#support/axe.ts';
import { QuickAlert } from '#subjects/alerts/web/shared/AlertMeDialog.tsx';
import { allOf, anyOf, field, is, LAST } from '#support/conditions.ts';
import { aStock } from '#support/aStock.ts';
import {
  openRow,
  openWatchlist,
  press,
  rowOf,
  shown,
  type WatchlistScreen,
} from '#support/watchlistScreen.tsx';

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
  page.watch('BHP', 'CBA');
});
afterEach(() => {
  jest.useRealTimers();
  setSystemTime();
  page.close();
});

type Panel = Awaited<ReturnType<typeof openRow>>;
const name = (panel: Panel) => panel.getByLabelText<HTMLInputElement>('Name (optional)');
/** Sets the whole text, because separate keystrokes would each wait for the save. */
const type = (input: HTMLElement, value: string) => fireEvent.change(input, { target: { value } });
/** Longer than the autosave delay. */
const pause = () => act(() => new Promise<void>((done) => setTimeout(done, AUTOSAVE_MS + 150)));
const writes = () => page.changes().filter((request) => !request.endsWith('/rehearse'));
const failing = (method: string, body: object = {}) =>
  page.fail((request) =>
    request.method === method && !request.url.endsWith('/rehearse')
      ? Response.json(body, { status: 500 })
      : null,
  );

/** Starts a new alert in the full editor. */
const begin = async (panel: Panel) => {
  await userEvent.click(await panel.findByRole('button', { name: 'More conditions…' }));
  await panel.findByLabelText('Compared with');
};

const completeNewAlert = (panel: Panel, value: string) => {
  fireEvent.change(panel.getByLabelText('Compared with'), { target: { value: 'number' } });
  type(panel.getByLabelText('Number'), value);
  fireEvent.keyDown(panel.getByLabelText('Number'), { key: 'Enter' });
};

describe('a new alert', () => {
  test('is begun by the user, and is created with its first condition', async () => {
    await page.open();
    const panel = await openRow('BHP');
    expect(panel.queryByLabelText('Name (optional)')).toBeNull();
    await begin(panel);
    expect(panel.getByText('Not saved yet: complete the conditions.')).toBeTruthy();
    type(name(panel), 'Breakout');
    await pause();
    expect(writes()).toEqual([]);
    completeNewAlert(panel, '50');
    await waitFor(() => expect(page.alerts()).toHaveLength(1));
    expect(page.alerts()[0]).toMatchObject({ name: 'Breakout', active: true, persistent: false });
    expect(writes()).toEqual(['POST /api/alerts']);
    await waitFor(() => expect(rowOf('BHP').children[2]?.textContent).toBe('1'));
    expect(panel.queryByText(/Not saved yet/) === null).toBe(true);
  });

  test('stays if a list from before its creation arrives late', async () => {
    await page.open();
    const panel = await openRow('BHP');
    const late = Promise.withResolvers<void>();
    let held = 0;
    page.fail(async ({ method, url }) => {
      if (method !== 'GET' || !url.includes('/alerts?') || held > 0) return null;
      held += 1;
      await late.promise;
      return Response.json({ alerts: [] });
    });
    act(() => publishAlert({ type: 'changed', alertId: null, symbol: 'BHP' }));
    await waitFor(() => expect(held).toBe(1));
    await begin(panel);
    completeNewAlert(panel, '50');
    await waitFor(() => expect(rowOf('BHP').children[2]?.textContent).toBe('1'));
    await act(async () => {
      late.resolve();
      await new Promise((done) => setTimeout(done, 20));
    });
    type(name(panel), 'Breakout');
    await waitFor(() => expect(page.alerts()[0]?.name).toBe('Breakout'));
    expect(rowOf('BHP').children[2]?.textContent).toBe('1');
  });
});

describe('an alert', () => {
  test('is saved while being edited, and shows that', async () => {
    page.alert('BHP', 50);
    await page.open();
    const panel = await openRow('BHP');
    type(name(panel), 'Breakout');
    expect(panel.queryByText('Saving…') === null).toBe(true);
    await panel.findByText('Saving…');
    await waitFor(() => expect(page.alerts()[0]?.name).toBe('Breakout'));
    await waitFor(() => expect(panel.queryByText('Saving…') === null).toBe(true));
    await userEvent.click(panel.getByRole('switch', { name: 'Each time' }));
    await waitFor(() => expect(page.alerts()[0]?.persistent).toBe(true));
    expect(await results(document.body)).toEqual([]);
  });

  test('is saved when its row is closed and when the page is left', async () => {
    page.alert('BHP', 50);
    await page.open();
    const panel = await openRow('BHP');
    type(name(panel), 'One');
    await press('Alerts for BHP');
    expect(writes()).toEqual(['PATCH /api/alerts/1']);
    await waitFor(() => expect(page.alerts()[0]?.name).toBe('One'));
    type(name(await openRow('BHP')), 'Two');
    cleanup();
    await waitFor(() => expect(page.alerts()[0]?.name).toBe('Two'));
  });

  test('that cannot be saved keeps the typed text and is retried', async () => {
    page.alert('BHP', 50);
    await page.open();
    const panel = await openRow('BHP');
    failing('PATCH');
    type(name(panel), 'Breakout');
    await panel.findByText('Failed to save alert');
    expect(panel.getByRole('alert')).toBeTruthy();
    expect(panel.getByText('Not saved')).toBeTruthy();
    expect(within(rowOf('BHP')).getByRole('img', { name: 'An alert is not saved' })).toBeTruthy();
    expect(name(panel).value).toBe('Breakout');
    page.fail(null);
    await press('Retry');
    await waitFor(() => expect(page.alerts()[0]?.name).toBe('Breakout'));
    await waitFor(() => expect(panel.queryByRole('alert') === null).toBe(true));
  });

  test('is deleted after a confirmation; a failure is shown and reloads the alerts', async () => {
    const { id } = page.alert('BHP', 50);
    await page.open();
    const panel = await openRow('BHP');
    failing('DELETE');
    await userEvent.click(panel.getByRole('button', { name: 'Delete alert' }));
    const loads = () => page.asked.filter((request) => request === 'GET /api/alerts').length;
    const before = loads();
    await press('Delete');
    await panel.findByText('Failed to delete alert');
    expect(loads()).toBe(before + 1);
    page.fail(null);
    await userEvent.click(panel.getByRole('button', { name: 'Delete alert' }));
    await press('Delete');
    await waitFor(() => expect(page.alerts()).toEqual([]));
    expect(writes()).toContain(`DELETE /api/alerts/${id}`);
    await waitFor(() => expect(rowOf('BHP').children[2]?.textContent).toBe('0'));
  });
});

test('shows that loading failed, and loads again', async () => {
  page.alert('BHP', 50, 'Breakout');
  await page.open();
  page.fail(({ url }) => (url.includes('/alerts?') ? Response.json({}, { status: 500 }) : null));
  await userEvent.click(screen.getByRole('button', { name: 'Alerts for BHP' }));
  await screen.findByText('Failed to load alerts');
  page.fail(null);
  await press('Retry');
  await screen.findByText('Breakout');
});

test('unsaved text is restored after a new login', async () => {
  page.alert('BHP', 50, 'Saved');
  await page.open();
  const panel = await openRow('BHP');
  page.fail(({ method }) =>
    method === 'PATCH' ? Response.json({ error: 'Log in again.' }, { status: 401 }) : null,
  );
  type(name(panel), 'Typed');
  await waitFor(() => expect(sessionStorage.getItem('bellbird.interruption')).toContain('Typed'));
  cleanup();
  page.fail(null);
  expect(page.alerts()[0]?.name).toBe('Saved');
  await page.signInAgain();
  await page.open();
  const again = within(await screen.findByRole('region', { name: 'Alerts on BHP' }));
  await waitFor(() => expect(name(again).value).toBe('Typed'));
  await waitFor(() => expect(page.alerts()[0]?.name).toBe('Typed'));
});

test('a number being typed is not saved, and later not over another window’s version', async () => {
  const box = (panel: Panel) => panel.getByLabelText<HTMLInputElement>('Number');
  const comparedWith = () => page.alerts()[0]?.logic.conditions[0];
  const { id } = page.alert('BHP', 50);
  await page.open();
  const panel = await openRow('BHP');
  await userEvent.clear(box(panel));
  await userEvent.type(box(panel), '55');
  expect(panel.getByText(/Enter sets it/)).toBeTruthy();
  page.app.parts.alerts.service.change(page.userId, id, { logic_json: allOf(is(LAST, '>', 52)) });
  act(() => publishAlert({ type: 'changed', alertId: id, symbol: 'BHP' }));
  await pause();
  expect(writes()).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await panel.findByText(/changed elsewhere while you edited it/);
  expect(comparedWith()).toMatchObject({ rhs: { value: 52 } });
});

test('an already true alert can be undone in the window that saved it and in others', async () => {
  // Freezes the clock so that the five seconds do not pass.
  setSystemTime(new Date());
  await page.open();
  const panel = await openRow('BHP');
  await begin(panel);
  completeNewAlert(panel, '5');
  await panel.findByText(/^Already true: fires in \d s$/);
  expect(await results(document.body)).toEqual([]);
  await userEvent.click(panel.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(page.alerts()[0]?.active).toBe(false));
  await waitFor(() => expect(panel.queryByRole('button', { name: 'Undo' }) === null).toBe(true));
  expect(panel.getByRole<HTMLInputElement>('switch', { name: /active$/ }).checked).toBe(false);
  // Another window switches it on; its row is closed here.
  await userEvent.click(document.querySelector('tr[data-id="BHP"] td:nth-of-type(3)') as HTMLElement);
  const { id } = page.alerts()[0] as { id: number };
  page.app.parts.alerts.service.setActive(page.userId, id, true);
  act(() => publishAlert({ type: 'changed', alertId: id, symbol: 'BHP' }));
  await screen.findByText(/^BHP: Already true: fires in \d s$/);
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(page.alerts()[0]?.active).toBe(false));
});

test('an alert has a note, an expiry in market time and a snooze, and shows whether it has expired', async () => {
  const { id } = page.alert('BHP', 50);
  await page.open();
  const panel = await openRow('BHP');
  fireEvent.change(panel.getByLabelText('Text added to the message (optional)'), {
    target: { value: 'Sell half' },
  });
  const end = panel.getByLabelText<HTMLInputElement>('Expires (Sydney time, optional)');
  fireEvent.change(end, { target: { value: '2026-11-27T16:10' } });
  fireEvent.blur(end);
  const at = Date.parse('2026-11-27T05:10:00Z');
  await waitFor(() => expect(page.alerts()[0]).toMatchObject({ note: 'Sell half', expiresAt: at }));
  await panel.findByText('Expires 27 Nov 2026 16:10 Sydney, then switched off.');
  expect(end.value).toBe('2026-11-27T16:10');
  expect(await results(document.body)).toEqual([]);
  page.app.clock.advance(at - page.app.clock.now());
  page.app.tick.run();
  act(() => publishAlert({ type: 'changed', alertId: id, symbol: 'BHP' }));
  await panel.findByText('Stopped: It expired on 27 Nov 2026 16:10 Sydney.');
});

const MENTION = { name: 'Mention high-impact events (±5 min)' };

test('an alert mentions events of the chosen currencies, of at least one', async () => {
  page.alert('BHP', 50);
  await page.open();
  const panel = await openRow('BHP');
  expect(panel.queryByRole('group', { name: 'Events of' })).toBeNull();
  await userEvent.click(panel.getByRole('switch', MENTION));
  await waitFor(() =>
    expect(page.alerts()[0]).toMatchObject({ guard: { mode: 'mark', currencies: ['AUD', 'USD'] } }),
  );
  await userEvent.click(panel.getByRole('switch', { name: 'USD' }));
  await waitFor(() => expect(page.alerts()[0]).toMatchObject({ guard: { currencies: ['AUD'] } }));
  expect(panel.getByRole<HTMLInputElement>('switch', { name: 'AUD' }).disabled).toBe(true);
  expect(await results(document.body)).toEqual([]);
  await userEvent.click(panel.getByRole('switch', MENTION));
  await waitFor(() => expect(page.alerts()[0]?.guard).toBeNull());
});

const MATCH = is(field('match_price'), 'crosses_above', 125);
const EITHER = allOf(anyOf(MATCH, is(LAST, 'crosses_above', 125)));

const logicOfFirst = () => page.alerts()[0]?.logic;

test('the editor offers Last as an alternative to the match price, and the alert continues after the open', async () => {
  page.watch('XRO');
  page.app.parts.alerts.service.create(page.userId, { symbol: 'XRO', logic_json: allOf(MATCH) });
  await page.open();
  const panel = await openRow('XRO');
  await userEvent.click(await panel.findByRole('button', { name: 'Also Last (from the open)' }));
  await waitFor(() => expect(logicOfFirst()).toEqual(EITHER));
  await waitFor(() => expect(panel.queryByText('From the next pre-open')).toBeNull());
  expect(panel.queryByText(/not checked from the open/)).toBeNull();
  await waitFor(() => expect(rowOf('XRO').textContent).not.toContain('pre-open'));
});

test('a price alert set before the open continues after it, and gets the device that is allowed from its toast', async () => {
  cleanup();
  const row = aStock({ code: 'XRO', status: 'Pre Open', last: null, match_price: 121.5 });
  const done = mock();
  render(<QuickAlert stock={row} onDone={done} />);
  const price = screen.getByLabelText<HTMLInputElement>('Alert price');
  expect([price.value, document.activeElement]).toEqual(['122.72', price]);
  await userEvent.clear(price);
  await userEvent.keyboard('$12x');
  screen.getByText(/is not a number/);
  await userEvent.keyboard('{Backspace}5{ArrowDown}');
  screen.getByText(/^When it rises to 124\.99, before or after the open · 2\.9% away/);
  expect(await results(document.body)).toEqual([]);
  await userEvent.keyboard('{ArrowUp}{Enter}');
  await screen.findByText('Alert set: XRO rises to 125.00');
  expect(done).toHaveBeenCalledTimes(1);
  const at = (key: string) => is(field(key), '>=', 125);
  expect(logicOfFirst()).toEqual(allOf(anyOf(at('match_price'), at('last'))));
  // The page of a test has no secure address.
  await userEvent.click(screen.getByRole('button', { name: 'Get alerts on this computer' }));
  await screen.findByText(/^Notifications need a secure address/);
});

/** Answers requests by the end of their path; the others go to the application. */
const answer = (answers: Record<string, () => Response>) =>
  page.fail(({ url }) => {
    const path = new URL(url).pathname;
    const found = Object.entries(answers).find(([end]) => path.endsWith(end));
    return found ? found[1]() : null;
  });
const json = (body: unknown, status = 200) => Response.json(body, { status });

test('destinations are offered if there is a chat, and saved immediately', async () => {
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

test('the last evaluation shows each condition and is refreshed while the window is visible', async () => {
  page.alert('BHP', 50);
  await page.open();
  await openRow('BHP');
  const expectText = (text: string) =>
    waitFor(() => expect(screen.getByRole('region', { name: 'Last check' }).textContent).toContain(text));
  await expectText('Not yet: 40.00, waiting for 50.00');
  await shown(() => page.quote({ code: 'BHP', last: 41, volume: 2000 }));
  await expectText('Not yet: 41.00, waiting for 50.00');
  const asked = () => page.asked.filter((request) => request.endsWith('/evaluation')).length;
  Object.defineProperty(document, 'hidden', { configurable: true, value: true });
  const before = asked();
  await new Promise((done) => setTimeout(done, 2300));
  expect(asked()).toBeLessThanOrEqual(before + 1);
  Reflect.deleteProperty(document, 'hidden');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(asked()).toBeGreaterThan(before));
});

describe('the backtest', () => {
  const BACKTEST = {
    minutes: {
      from: Date.parse('2026-11-15T23:00:00Z'),
      to: Date.parse('2026-11-20T05:00:00Z'),
      tradingDays: 5,
      fired: 130,
    },
    days: null,
    perDay: 26,
    busiestDay: 40,
    tooOften: true,
    notRehearsed: ['Market Cap is left out: no past of it is kept.'],
  };
  const backtest = () => within(screen.getByRole('region', { name: 'Backtest' }));

  test('shows how often the alert would have fired before anything is saved', async () => {
    answer({ '/rehearse': () => json(BACKTEST) });
    await page.open();
    const panel = await openRow('BHP');
    await begin(panel);
    await userEvent.click(backtest().getByText('Backtest'));
    await backtest().findByText(/^Complete the conditions/);
    answer({ '/rehearse': () => json(BACKTEST), '/alerts': () => json({}, 500) });
    fireEvent.change(panel.getByLabelText('Compared with'), { target: { value: 'number' } });
    fireEvent.change(panel.getByLabelText('Number'), { target: { value: '50' } });
    await backtest().findByText('130 times in 5 trading days, 16 Nov to 20 Nov');
    expect(page.alerts()).toEqual([]);
    expect(backtest().getByText(/26\.0 a day on average, 40 on the busiest day/)).toBeTruthy();
    // It does not repeat yet.
    expect(backtest().queryByText(/More than 20 times a day/)).toBeNull();
    expect(backtest().getByText(/^This alert fires once and switches itself off/)).toBeTruthy();
    await userEvent.click(panel.getByRole('switch', { name: 'Each time' }));
    await backtest().findByText(/More than 20 times a day: 40 on the busiest/);
    expect(backtest().queryByText(/fires once/)).toBeNull();
    expect(backtest().getByText('Market Cap is left out: no past of it is kept.')).toBeTruthy();
    expect(await results(document.body)).toEqual([]);
  });

  test('waits for a pause and sends one request per edit', async () => {
    page.alert('BHP', 50);
    answer({ '/rehearse': () => json(BACKTEST) });
    const times = () => page.asked.filter((request) => request.endsWith('/rehearse')).length;
    await page.open();
    const panel = await openRow('BHP');
    await userEvent.click(backtest().getByText('Backtest'));
    await backtest().findByText(/^130 times/);
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

describe('the history of an alert', () => {
  test('shows when it fired, with which values, and whether it was delivered', async () => {
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

  test('shows that it is snoozed, stopped or undelivered, and can end a snooze', async () => {
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
