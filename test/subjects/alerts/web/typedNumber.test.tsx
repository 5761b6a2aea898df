import { afterEach, beforeEach, describe, expect, setSystemTime, test } from 'bun:test';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AUTOSAVE_MS } from '../../../../src/subjects/alerts/web/watchlist/alerts/alertEditor.ts';
import { publishAlert } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import { findings } from '../../../support/axe.ts';
import { openRow, openWatchlist, type WatchlistScreen } from '../../../support/watchlistScreen.tsx';
import { logicOver } from '../../../support/watchedAlerts.ts';

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
  page.watch('BHP');
});
afterEach(() => {
  setSystemTime();
  page.close();
});

type Panel = Awaited<ReturnType<typeof openRow>>;
const name = (panel: Panel) => panel.getByLabelText<HTMLInputElement>('Name (optional)');
const type = (input: HTMLElement, value: string) => fireEvent.change(input, { target: { value } });
const writes = () => page.changes().filter((request) => !request.endsWith('/rehearse'));

describe('a number under the cursor', () => {
  const box = (panel: Panel) => panel.getByLabelText<HTMLInputElement>('Number');
  const comparedWith = () => page.alerts()[0]?.logic.conditions[0];
  const pause = () => act(() => new Promise<void>((done) => setTimeout(done, AUTOSAVE_MS + 150)));

  test('creates nothing, whatever pause is made, until the box is left', async () => {
    await page.open();
    const panel = await openRow('BHP');
    fireEvent.change(panel.getByLabelText('Compared with'), { target: { value: 'number' } });
    await userEvent.type(box(panel), '5');
    await pause();
    await userEvent.type(box(panel), '4.90');
    await pause();
    expect(writes()).toEqual([]);
    expect(panel.getByText(/Enter sets it/)).toBeTruthy();
    await userEvent.tab();
    await waitFor(() => expect(page.alerts()).toHaveLength(1));
    expect(comparedWith()).toMatchObject({ rhs: { value: 54.9 } });
    expect(writes()).toEqual(['POST /api/alerts']);
  });

  test('leaves a live alert as it was until all of the new form is there', async () => {
    page.alert('BHP', 50);
    await page.open();
    const panel = await openRow('BHP');
    fireEvent.change(panel.getByLabelText('Comparison'), { target: { value: '<' } });
    fireEvent.change(box(panel), { target: { value: '3' } });
    type(name(panel), 'Dip');
    await waitFor(() => expect(page.alerts()[0]?.name).toBe('Dip'));
    expect(comparedWith()).toMatchObject({ op: '>', rhs: { value: 50 } });
    fireEvent.change(box(panel), { target: { value: '39' } });
    fireEvent.keyDown(box(panel), { key: 'Enter' });
    await waitFor(() => expect(comparedWith()).toMatchObject({ op: '<', rhs: { value: 39 } }));
  });

  test('is set by Enter and by the arrows, given up by Escape', async () => {
    page.alert('BHP', 50);
    await page.open();
    const panel = await openRow('BHP');
    await userEvent.clear(box(panel));
    await userEvent.type(box(panel), '60{Enter}');
    await waitFor(() => expect(comparedWith()).toMatchObject({ rhs: { value: 60 } }));
    await userEvent.keyboard('{ArrowUp}');
    await waitFor(() => expect(comparedWith()).toMatchObject({ rhs: { value: 61 } }));
    await userEvent.type(box(panel), '5{Escape}');
    expect(box(panel).value).toBe('61');
    await userEvent.tab();
    await pause();
    expect(comparedWith()).toMatchObject({ rhs: { value: 61 } });
  });

  test('stays under it while another program has the focus', async () => {
    page.alert('BHP', 50);
    await page.open();
    const panel = await openRow('BHP');
    await userEvent.clear(box(panel));
    await userEvent.type(box(panel), '5');
    // The window loses the focus; the box is still where the page has its own.
    fireEvent.blur(box(panel));
    await pause();
    expect(comparedWith()).toMatchObject({ rhs: { value: 50 } });
    expect(box(panel).value).toBe('5');
  });

  test('of another window’s version is no silent overwriting', async () => {
    const { id } = page.alert('BHP', 50);
    await page.open();
    const panel = await openRow('BHP');
    await userEvent.clear(box(panel));
    await userEvent.type(box(panel), '55');
    page.app.parts.alerts.service.change(page.userId, id, { logic_json: logicOver(52) });
    act(() => publishAlert({ type: 'changed', alertId: id, symbol: 'BHP' }));
    await pause();
    await userEvent.keyboard('{Enter}');
    await panel.findByText(/changed elsewhere while you edited it/);
    expect(comparedWith()).toMatchObject({ rhs: { value: 52 } });
  });
});

describe('what it will do', () => {
  const outlook = () => document.querySelector('.alert-outlook')?.textContent ?? '';

  test('stands beside the number while it is typed', async () => {
    await page.open();
    const panel = await openRow('BHP');
    fireEvent.change(panel.getByLabelText('Compared with'), { target: { value: 'number' } });
    type(panel.getByLabelText('Number'), '5');
    await waitFor(() => expect(outlook()).toMatch(/^Already true: fires at once/));
    type(panel.getByLabelText('Number'), '40.8');
    await waitFor(() => expect(outlook()).toMatch(/^2\.0 % away/));
    expect(writes()).toEqual([]);
  });

  test('what is already true can be undone in the window that saved it, and in others', async () => {
    // The five seconds do not pass, however long this takes.
    setSystemTime(new Date());
    await page.open();
    const panel = await openRow('BHP');
    fireEvent.change(panel.getByLabelText('Compared with'), { target: { value: 'number' } });
    type(panel.getByLabelText('Number'), '5');
    fireEvent.keyDown(panel.getByLabelText('Number'), { key: 'Enter' });
    await panel.findByText(/^Already true: fires in \d s$/);
    expect(await findings(document.body)).toEqual([]);
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
});
