import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../../../src/subjects/alerts/web/watchlist/allAlerts/GroupDialog.tsx';
import { lines, openTab, rows } from '../../../support/alertLists.tsx';
import { openWatchlist, type WatchlistScreen } from '../../../support/watchlistScreen.tsx';

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
});
afterEach(() => page.close());

const groups = () => page.alerts().map(({ symbol, group }) => `${symbol} ${group}`);
async function file(group: string, button: string): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: 'Group…' }));
  const box = await screen.findByLabelText('Group (empty for none)');
  if (group !== '') await userEvent.type(box, group);
  await userEvent.click(screen.getByRole('button', { name: button }));
}

describe('groups of alerts', () => {
  test('are chosen for many at once, shown one at a time, found by the search, and taken away', async () => {
    page.alert('BHP', 50);
    page.alert('CBA', 200);
    page.alert('XRO', 200);
    await openTab('All alerts');
    expect(screen.queryByLabelText('Group')).toBeNull();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select BHP' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select XRO' }));
    await file(' Long term ', 'File under Long term');
    await screen.findByText('2 alerts filed.');
    expect(groups()).toEqual(['BHP Long term', 'CBA null', 'XRO Long term']);
    await userEvent.selectOptions(await screen.findByLabelText('Group'), 'Without a group');
    expect(lines().map((line) => line.slice(0, 4))).toEqual(['|CBA']);
    await userEvent.selectOptions(screen.getByLabelText('Group'), 'Long term');
    expect(rows()).toHaveLength(2);
    await file('', 'Take out of groups');
    await waitFor(() => expect(groups()).toEqual(['BHP null', 'CBA null', 'XRO null']));
    // Of a group that is gone all are shown.
    await waitFor(() => expect(rows()).toHaveLength(3));
  });

  test('are searched like everything else', async () => {
    page.alert('BHP', 50);
    const { id } = page.alert('CBA', 200);
    page.app.parts.alerts.service.change(page.userId, id, { group: 'Banks' });
    await openTab('All alerts');
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search alerts' }), 'bank');
    expect(rows()).toHaveLength(1);
    expect(lines()[0]).toContain('CBA');
  });
});
