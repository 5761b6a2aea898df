import { expect, test } from 'bun:test';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  answers,
  click,
  codes,
  market,
  onStage,
  posted,
  priced,
  scanSelect,
  show,
} from '../../../support/customScanner.tsx';
import { remember } from '../../../support/scannerScreen.tsx';

onStage();

const SCAN = { type: 'scan', id: 1, name: 'Over two' };

async function openScan(filters: object): Promise<void> {
  localStorage.clear();
  remember('custom', filters);
  answers()['GET /api/scan-alerts'] = { body: { scan_alerts: [], limit: 10 } };
  answers()['POST /api/scan-alerts/rehearse'] = { body: { fired: 2, stocks: 1, days: 20 } };
  answers()['POST /api/scan-alerts'] = { body: { id: 3, scan: SCAN } };
  show();
  market(priced('AAA', 1), priced('BBB', 2.5), priced('CCC', 3));
  await waitFor(() => expect(scanSelect().options.length).toBe(2));
  await userEvent.selectOptions(scanSelect(), 'Over two');
}

test('an alert on a saved scan keeps the filters above the custom scanner, and counts its rows', async () => {
  await openScan({ minValue: 2_700_000, newsOnly: false });
  await waitFor(() => expect(codes()).toEqual(['CCC']));
  await click('Alert me on this scan');
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('The conditions of your scan “Over two”')).toBeDefined();
  expect(dialog.getByText('At least $2,700,000 traded')).toBeDefined();
  expect(dialog.getByText('1 stock matches now.')).toBeDefined();
  await userEvent.click(dialog.getByRole('button', { name: 'Add alert' }));
  await waitFor(() =>
    expect(posted('/api/scan-alerts')).toMatchObject([
      { body: { scan: { ...SCAN, filters: { minValue: 2_700_000 } } } },
    ]),
  );
});

test('without filters it keeps none, and the bell shows only the alert of this very view', async () => {
  await openScan({ minValue: 0 });
  answers()['GET /api/scan-alerts'] = {
    body: {
      scan_alerts: [
        { id: 1, scan: { ...SCAN, filters: { minValue: 9000 } }, active: true },
        { id: 2, scan: SCAN, active: true, name: 'Mine' },
      ],
      limit: 10,
    },
  };
  await click('Alert me on this scan');
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Add alert' }));
  await waitFor(() => expect(posted('/api/scan-alerts')).toHaveLength(1));
  expect(posted('/api/scan-alerts')[0]?.body).toHaveProperty('scan', SCAN);
  await userEvent.click(await screen.findByRole('button', { name: 'Alert on this scan: on' }));
  expect(await screen.findByLabelText('Name (optional)')).toHaveProperty('value', 'Mine');
});

test('all stocks, without a saved scan, have no bell', async () => {
  await openScan({ minValue: 0 });
  await userEvent.selectOptions(scanSelect(), 'All stocks');
  expect(screen.queryByRole('button', { name: /^Alert/ })).toBeNull();
});
