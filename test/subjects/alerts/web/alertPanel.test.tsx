import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AUTOSAVE_MS } from '../../../../src/subjects/alerts/web/watchlist/alerts/alertEditor.ts';
import { publishAlert } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import { findings } from '../../../support/axe.ts';
import {
  openRow,
  openWatchlist,
  press,
  rowOf,
  type WatchlistScreen,
} from '../../../support/watchlistScreen.tsx';

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
  page.watch('BHP', 'CBA');
});
afterEach(() => page.close());

type Panel = Awaited<ReturnType<typeof openRow>>;
const name = (panel: Panel) => panel.getByLabelText<HTMLInputElement>('Name (optional)');
/** Types as a person would who stops at the end; a keystroke each would wait for the save again and again. */
const type = (input: HTMLElement, value: string) => fireEvent.change(input, { target: { value } });
const writes = () => page.changes().filter((request) => !request.endsWith('/rehearse'));
const failing = (method: string, body: object = {}) =>
  page.fail((request) =>
    request.method === method && !request.url.endsWith('/rehearse')
      ? Response.json(body, { status: 500 })
      : null,
  );

const completeNewAlert = (panel: Panel, value: string) => {
  fireEvent.change(panel.getByLabelText('Compared with'), { target: { value: 'number' } });
  type(panel.getByLabelText('Number'), value);
  fireEvent.keyDown(panel.getByLabelText('Number'), { key: 'Enter' });
};

describe('a new alert', () => {
  test('stands in the opened row of a symbol without one, and is created with its first condition', async () => {
    await page.open();
    const panel = await openRow('BHP');
    expect(panel.getByText('Not saved yet: complete the conditions.')).toBeTruthy();
    type(name(panel), 'Breakout');
    await new Promise((done) => setTimeout(done, AUTOSAVE_MS + 100));
    expect(writes()).toEqual([]);
    completeNewAlert(panel, '50');
    await waitFor(() => expect(page.alerts()).toHaveLength(1));
    expect(page.alerts()[0]).toMatchObject({ name: 'Breakout', active: true, persistent: false });
    expect(writes()).toEqual(['POST /api/alerts']);
    await waitFor(() => expect(rowOf('BHP').children[2]?.textContent).toBe('1'));
    expect(panel.queryByText(/Not saved yet/) === null).toBe(true);
  });

  test('stays when an answer from before its creation comes late', async () => {
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
  test('is saved while it is edited, and says so', async () => {
    page.alert('BHP', 50);
    await page.open();
    const panel = await openRow('BHP');
    type(name(panel), 'Breakout');
    expect(panel.queryByText('Saving…') === null).toBe(true);
    await panel.findByText('Saving…');
    await waitFor(() => expect(page.alerts()[0]?.name).toBe('Breakout'));
    await waitFor(() => expect(panel.queryByText('Saving…') === null).toBe(true));
    await userEvent.click(panel.getByRole('switch', { name: 'Repeat each time' }));
    await waitFor(() => expect(page.alerts()[0]?.persistent).toBe(true));
    expect(await findings(document.body)).toEqual([]);
  });

  test('what is pending is saved when its row is closed, and when the page is left', async () => {
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

  test('that can not be saved keeps what was typed, and is tried again', async () => {
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

  test('is deleted when asked twice; a failure says so and loads the alerts again', async () => {
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

test('alerts that can not be loaded say so, and are loaded again', async () => {
  page.alert('BHP', 50, 'Breakout');
  await page.open();
  page.fail(({ url }) => (url.includes('/alerts?') ? Response.json({}, { status: 500 }) : null));
  await userEvent.click(screen.getByRole('button', { name: 'Alerts for BHP' }));
  await screen.findByText('Failed to load alerts');
  page.fail(null);
  await press('Retry');
  await screen.findByText('Breakout');
});

test('what is unsaved when a session ends is there again after the login', async () => {
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
