import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MyCallsDialog } from '#subjects/calls/web/parts/MyCallsDialog.tsx';
import { board, loadMyCalls, reloadAll, resetCalls } from '#subjects/calls/web/state.ts';
import { BOUGHT } from '#support/callsApp.ts';
import { type AppInPage, listed, openAppInPage } from '#support/appInPage.ts';

let page: AppInPage;
let closed: number;
const olive = { id: 1, username: 'olive' };

beforeEach(async () => {
  page = openAppInPage();
  closed = 0;
  page.quote(listed('BHP', 40), listed('CBA', 170));
  await page.signIn('olive');
});
afterEach(() => {
  page.close();
  resetCalls();
});

const submit = () => page.app.parts.calls.service.submit(olive, BOUGHT);
const open = async () => {
  render(<MyCallsDialog onClose={() => (closed += 1)} />);
  await act(loadMyCalls);
};
const row = (symbol: string) => {
  const found = screen.getByRole('rowheader', { name: symbol }).closest('tr');
  if (!found) throw new Error(`There is no row of ${symbol}.`);
  return within(found);
};
const texts = (symbol: string) =>
  row(symbol)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
const pocketed = (symbol: string) => row(symbol).getByPlaceholderText<HTMLInputElement>('Pocketed $');
const press = (symbol: string, name: string) => userEvent.click(row(symbol).getByRole('button', { name }));
/** Lets the ten seconds pass, after which the server ends the call and notifies the page. */
const passTenSeconds = async () => {
  page.app.clock.advance(10_000);
  page.app.tick.run();
  await act(() => reloadAll());
};
/** Ends a call without an undo. */
const end = async (symbol: string, name: 'Close' | 'Cancel') => {
  await press(symbol, name);
  if (name === 'Cancel') await press(symbol, 'Cancel call');
  await waitFor(() => expect(row(symbol).queryByRole('group')).toBeNull());
};
/** Waits until the server has stored the end. */
const endSoon = async (symbol: string, name: 'Close' | 'Cancel') => {
  await end(symbol, name);
  await row(symbol).findByRole('button', { name: `Undo: ${symbol}` });
};
const endAndWait = async (symbol: string, name: 'Close' | 'Cancel') => {
  await endSoon(symbol, name);
  await passTenSeconds();
};

test('shows a failed load and tries again', async () => {
  page.fail(() => 'offline');
  await open();
  expect(screen.getByRole('alert').textContent).toContain('Unable to load your calls');
  page.fail(null);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('You have not submitted any calls yet.');
});

describe('closing', () => {
  test('accepts a negative value, and reloads both lists', async () => {
    submit();
    page.quote({ code: 'BHP', last: 40, volume: 2000 });
    page.quote({ code: 'BHP', last: 39, volume: 2100 });
    await open();
    await userEvent.type(pocketed('BHP'), '-120.5');
    await endAndWait('BHP', 'Close');
    await waitFor(() => expect(texts('BHP')[0]).toBe('ClosedAwaiting a trade'));
    page.quote({ code: 'BHP', last: 39, volume: 2200 });
    await act(loadMyCalls);
    await waitFor(() => expect(texts('BHP')).toEqual(['ClosedVerified −2.5%', '40', '44', '−$121', '–']));
    await waitFor(() => expect(board.value.data?.leaderboard[0]?.metrics.pocketedValue).toBe(-120.5));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('a call that is already closed shows an error and the current status', async () => {
    const { publicId } = submit();
    await open();
    page.app.parts.calls.service.end(olive, publicId, { kind: 'close', pocketedValue: 0 });
    await userEvent.type(pocketed('BHP'), '0');
    await end('BHP', 'Close');
    await waitFor(() => expect(texts('BHP')[0]).toContain('Closed'));
    expect((await screen.findByRole('alert')).textContent).toContain('This call was already closed.');
  });
});

const focused = () => document.activeElement;

test('moves the focus to the row heading', async () => {
  submit();
  await open();
  await press('BHP', 'Close');
  expect(screen.getByRole('alert').textContent).toContain('Enter a valid pocketed value before closing');
  expect(pocketed('BHP').getAttribute('aria-invalid')).toBe('true');
  page.fail(({ method }) => (method === 'POST' ? 'offline' : null));
  await end('BHP', 'Cancel');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Network error. Try again.'));
  expect(document.querySelectorAll('[aria-invalid="true"]')).toHaveLength(0);
  page.fail(null);
  await userEvent.type(pocketed('BHP'), '0');
  await endAndWait('BHP', 'Close');
  await waitFor(() => expect(texts('BHP')[0]).toContain('Closed'));
  await waitFor(() => expect(focused()?.tagName).toBe('TH'));
  expect(focused()?.textContent).toBe('BHP');
});

test('an open call shows its result at the live price', async () => {
  submit();
  page.quote({ code: 'BHP', last: 40, volume: 2000 });
  await open();
  expect(row('BHP').getByText('Now 0.0%; 10.0% to the target, 5.0% to the stop')).toBeTruthy();
  act(() => page.quote({ code: 'BHP', last: 42, volume: 2100 }));
  await row('BHP').findByText('Now +5.0%; 4.8% to the target, 9.5% to the stop');
});

test('a call in review shows the reason, and that it does not count', async () => {
  const { publicId } = submit();
  page.quote({ code: 'BHP', last: 40, volume: 2000 });
  page.app.parts.calls.service.end(olive, publicId, { kind: 'close', pocketedValue: 900 });
  await open();
  expect(texts('BHP')[3]).toBe('+$900 (in review)');
  expect(texts('BHP')[0]).toContain(
    'In review. A gain was pocketed, but the price never traded above the entry. ' +
      'While in review, a call can only lower the track record.',
  );
  page.app.parts.calls.service.setAdminStatus(await page.app.user('admin'), publicId, 'normal');
  await act(loadMyCalls);
  expect(texts('BHP')[0]).not.toContain('In review');
});

describe('an end can be undone', () => {
  const ends = () => page.asked.filter((request) => /\/(close|cancel)$/.test(request));

  test('an implausible value is questioned, and Enter returns to it', async () => {
    submit();
    page.quote({ code: 'BHP', last: 40, volume: 2000 });
    page.quote({ code: 'BHP', last: 41, volume: 2100 });
    await open();
    await userEvent.type(pocketed('BHP'), '5000{Enter}');
    expect(row('BHP').getByText('Few traders hold that much of one stock. Check the figure.')).toBeTruthy();
    await userEvent.keyboard('{Enter}');
    expect(ends()).toEqual([]);
    expect(focused() === pocketed('BHP')).toBe(true);
    await userEvent.keyboard('50{Enter}');
    await row('BHP').findByRole('button', { name: 'Undo: BHP' });
    expect(ends()).toHaveLength(1);
    await passTenSeconds();
    expect(page.app.parts.calls.service.mine(olive)[0]?.pocketedValue).toBe(50);
  });

  test('after the undo the call continues', async () => {
    submit();
    await open();
    await press('BHP', 'Cancel');
    await press('BHP', 'Cancel call');
    expect(await row('BHP').findByText(/^Cancels in (?:[5-9]|10) s/)).toBeTruthy();
    await waitFor(() => expect(focused()?.getAttribute('aria-label')).toBe('Undo: BHP'));
    await press('BHP', 'Undo: BHP');
    await row('BHP').findByRole('button', { name: 'Cancel' });
    await passTenSeconds();
    expect(texts('BHP')[0]).toContain('Open');
  });

  test('a reloaded page shows the rest of the ten seconds and the undo', async () => {
    submit();
    await open();
    await userEvent.type(pocketed('BHP'), '0');
    await endSoon('BHP', 'Close');
    act(() => void window.dispatchEvent(new Event('pagehide')));
    cleanup();
    resetCalls();
    page.app.clock.advance(4000);
    page.app.tick.run();
    await open();
    expect(await row('BHP').findByText(/^Closes in [1-6] s at the price at that moment/)).toBeTruthy();
    expect(texts('BHP')[0]).toContain('Open');
    await press('BHP', 'Undo: BHP');
    await row('BHP').findByRole('button', { name: 'Close' });
    await passTenSeconds();
    expect(texts('BHP')[0]).toContain('Open');
  });
});
