import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  alertPreferences,
  preferAlerts,
} from '../../../../src/subjects/alerts/web/shared/alertPreferences.ts';
import { publishAlert } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import { findings } from '../../../support/axe.ts';
import { openRow, openWatchlist, type WatchlistScreen } from '../../../support/watchlistScreen.tsx';

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
  page.watch('BHP');
});
afterEach(() => page.close());

test('an alert gets a note, an end in the market’s time, and a snooze; before and after the end it says so', async () => {
  const { id } = page.alert('BHP', 50);
  await page.open();
  const panel = await openRow('BHP');
  fireEvent.change(panel.getByLabelText('Note (goes into the message)'), { target: { value: 'Sell half' } });
  const end = panel.getByLabelText<HTMLInputElement>('Expires (Sydney time; empty for never)');
  fireEvent.change(end, { target: { value: '2026-11-27T16:10' } });
  fireEvent.blur(end);
  const at = Date.parse('2026-11-27T05:10:00Z');
  await waitFor(() => expect(page.alerts()[0]).toMatchObject({ note: 'Sell half', expiresAt: at }));
  await panel.findByText('Expires 27 Nov 2026 16:10 Sydney, then switched off.');
  expect(end.value).toBe('2026-11-27T16:10');
  expect(await findings(document.body)).toEqual([]);
  page.app.clock.advance(at - page.app.clock.now());
  page.app.tick.run();
  act(() => publishAlert({ type: 'changed', alertId: id, symbol: 'BHP' }));
  await panel.findByText('Stopped: It expired on 27 Nov 2026 16:10 Sydney.');
});

test('a time that is over is refused, and the box is marked', async () => {
  page.alert('BHP', 50);
  await page.open();
  const panel = await openRow('BHP');
  const end = panel.getByLabelText<HTMLInputElement>('Expires (Sydney time; empty for never)');
  fireEvent.change(end, { target: { value: '2020-11-27T16:10' } });
  fireEvent.keyDown(end, { key: 'Enter' });
  await panel.findByText('Choose a time to expire that is still to come.');
  expect(end.getAttribute('aria-invalid')).toBe('true');
  expect(page.alerts()[0]?.expiresAt).toBeNull();
  await userEvent.clear(end);
});

test('a sound is offered once, as the first alert is made', async () => {
  act(() => preferAlerts({ sound: false, wasOffered: false }));
  await page.open();
  const panel = await openRow('BHP');
  const make = async (value: string) => {
    fireEvent.change(panel.getByLabelText('Compared with'), { target: { value: 'number' } });
    fireEvent.change(panel.getByLabelText('Number'), { target: { value } });
    fireEvent.keyDown(panel.getByLabelText('Number'), { key: 'Enter' });
  };
  await make('50');
  await userEvent.click(await screen.findByRole('button', { name: 'Play a sound' }));
  expect(alertPreferences.peek().sound).toBe(true);
  act(() => preferAlerts({ sound: false }));
  await userEvent.click(await panel.findByRole('button', { name: 'Delete alert' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(page.alerts()).toHaveLength(0));
  await panel.findByText('Not saved yet: complete the conditions.');
  await make('60');
  await waitFor(() => expect(page.alerts()).toHaveLength(1));
  expect(screen.queryByRole('button', { name: 'Play a sound' }) === null).toBe(true);
});
