import { afterEach, beforeEach, expect, test } from 'bun:test';
import { waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { findings } from '../../../support/axe.ts';
import { openRow, openWatchlist, type WatchlistScreen } from '../../../support/watchlistScreen.tsx';

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
  page.watch('BHP');
});
afterEach(() => page.close());

const LABEL = 'Around HIGH events (± 5 min)';

test('an alert is held back around events of the chosen currencies, of one at least', async () => {
  page.alert('BHP', 50);
  await page.open();
  const panel = await openRow('BHP');
  expect(panel.queryByRole('group', { name: 'Events of' })).toBeNull();
  await userEvent.selectOptions(panel.getByLabelText(LABEL), 'Hold back until they are over');
  await waitFor(() =>
    expect(page.alerts()[0]).toMatchObject({ guard: { mode: 'hold', currencies: ['AUD', 'USD'] } }),
  );
  await userEvent.click(panel.getByRole('switch', { name: 'USD' }));
  await waitFor(() => expect(page.alerts()[0]).toMatchObject({ guard: { currencies: ['AUD'] } }));
  expect(panel.getByRole<HTMLInputElement>('switch', { name: 'AUD' }).disabled).toBe(true);
  await panel.findByText(/Events are not rehearsed/);
  expect(await findings(document.body)).toEqual([]);
  await userEvent.selectOptions(panel.getByLabelText(LABEL), 'Fire as always');
  await waitFor(() => expect(page.alerts()[0]?.guard).toBeNull());
});
