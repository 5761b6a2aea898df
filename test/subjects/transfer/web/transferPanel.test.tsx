import { expect, test } from 'bun:test';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { TransferPanel } from '#subjects/transfer/web/shared/TransferPanel.tsx';
import { results } from '#support/axe.ts';
import { openWatchlist } from '#support/watchlistScreen.tsx';
import { eachTest } from '#support/eachTest.ts';

const page = eachTest(() => openWatchlist());

const lastAbove = (value: number) => ({
  op: 'AND',
  conditions: [{ lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value } }],
});
const MANNER = {
  urgent: false,
  group: null,
  sound: null,
  destinations: { telegram: false, discord: false, devices: [] },
};
const alertOn = (symbol: string) => ({
  symbol,
  name: 'Breakout',
  active: true,
  persistent: true,
  logic_json: lastAbove(9000),
  note: null,
  expires_at: null,
  event_guard: null,
  cooldown_minutes: 1,
  ...MANNER,
});
const FILE = {
  format: 'bellbird transfer file',
  version: 1,
  exportedAt: '2026-11-18T00:00:00.000Z',
  scans: [{ number: 1, name: 'Dear', logic: lastAbove(30) }],
  alerts: [alertOn('BHP'), alertOn('QQQ')],
  calls: [{}],
};
const choose = (content: unknown, name = 'my set-up.json') =>
  userEvent.upload(
    screen.getByLabelText('Settings file'),
    new File([typeof content === 'string' ? content : JSON.stringify(content)], name, {
      type: 'application/json',
    }),
  );
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const kind = (name: RegExp) => screen.findByRole<HTMLInputElement>('checkbox', { name });
const alerts = () => page.app.parts.alerts.service.list(page.userId);

test('the import panel shows what a file would change, imports the selection, and shows the result', async () => {
  render(<TransferPanel />);
  await choose(FILE);
  await kind(/Alerts 2 alerts: 1 new, 1 left out/);
  expect(document.activeElement?.textContent).toBe('Changes from my set-up.json');
  expect(document.body.textContent).toContain('Left out: QQQ Breakout. The stock is not listed here.');
  expect(document.body.textContent).toContain('1 call in the file is not imported');
  expect(await results(document.body)).toEqual([]);
  await userEvent.click(await kind(/Scans 1 scan: new/));
  await kind(/Scans 1 scan, not imported/);
  expect(alerts()).toEqual([]);
  await userEvent.click(screen.getByRole('switch', { name: /Turn imported alerts on/ }));
  const bring = await screen.findByRole<HTMLButtonElement>('button', { name: 'Import 1 item' });
  await waitFor(() => expect(bring.disabled).toBe(false));
  await userEvent.click(await button('Import 1 item'));
  await screen.findByText('Imported 1 item.');
  expect(alerts().map(({ symbol, active }) => [symbol, active])).toEqual([['BHP', true]]);
  expect(page.app.parts.indicators.service.scans(page.userId)).toEqual([]);
  await userEvent.click(await button('Close'));
  expect(screen.queryByText('Imported 1 item.')).toBeNull();
});

test('the import panel retries after a failure, and refreshes an outdated preview', async () => {
  render(<TransferPanel />);
  page.fail(({ url }) => (url.includes('/transfer') ? Response.json({}, { status: 500 }) : null));
  await choose(FILE);
  await screen.findByText('The preview could not be made. Try again.');
  page.fail(null);
  await userEvent.click(await button('Preview again'));
  await button('Import 2 items');
  page.app.parts.indicators.service.addScan(page.userId, { name: 'Dear', logic: lastAbove(30) });
  await userEvent.click(await button('Import 2 items'));
  await screen.findByText(/^The file or your settings changed after this preview/);
  await kind(/Scans 1 scan: unchanged/);
  expect(alerts()).toEqual([]);
  await userEvent.click(await button('Import 1 item'));
  await screen.findByText('Imported 1 item.');
  await choose(FILE);
  await screen.findByText('Everything in this file is already here.');
  expect(screen.queryByRole('button', { name: /Import \d/ })).toBeNull();
});
