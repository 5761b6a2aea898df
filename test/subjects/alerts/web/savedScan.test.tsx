import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { publishAlert } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import { findings } from '../../../support/axe.ts';
import { openRow, openWatchlist, press, type WatchlistScreen } from '../../../support/watchlistScreen.tsx';
import { logicOver } from '../../../support/watchedAlerts.ts';

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
  page.watch('BHP');
});
afterEach(() => page.close());

const scans = () => page.app.parts.indicators.service;
const keep = (name: string) => scans().addScan(page.userId, { name, logic: logicOver(50) });
const entering = (id: number, name: string) => ({
  op: 'AND' as const,
  conditions: [{ lhs: { type: 'scan', id, name }, op: 'crosses_above', rhs: { type: 'number', value: 0.5 } }],
});
const value = (panel: Awaited<ReturnType<typeof openRow>>) =>
  panel.getByLabelText<HTMLSelectElement>('Value');
const optionsOf = (select: HTMLSelectElement) => [...select.options].map(({ text }) => text);

test('a saved scan is chosen like a field, and asked for by the keyboard alone', async () => {
  const { id } = keep('Breakouts');
  await page.open();
  const panel = await openRow('BHP');
  await panel.findByRole('option', { name: 'my scan Breakouts' });
  await userEvent.selectOptions(value(panel), 'my scan Breakouts');
  const question = panel.getByLabelText('The stock');
  expect(optionsOf(question as HTMLSelectElement)).toEqual(['Enters', 'Leaves', 'Is in it', 'Is not in it']);
  expect(panel.queryByLabelText('Compared with') === null).toBe(true);
  await waitFor(() => expect(page.alerts()).toHaveLength(1));
  expect(page.alerts()[0]?.logic).toMatchObject(entering(id, 'Breakouts'));
  await userEvent.selectOptions(question, 'Leaves');
  await waitFor(() =>
    expect(page.alerts()[0]?.logic).toMatchObject({ conditions: [{ op: 'crosses_below' }] }),
  );
  expect(await findings(document.body)).toEqual([]);
});

test('who has no saved scan is shown the way to make one, and finds it once it is made', async () => {
  await page.open();
  const panel = await openRow('BHP');
  await panel.findByRole('option', { name: /^A saved scan/ });
  await userEvent.selectOptions(value(panel), panel.getByRole('option', { name: /^A saved scan/ }));
  expect(panel.getByText(/You have no saved scan/)).toBeTruthy();
  expect(panel.getByRole('link', { name: 'Custom Scanner' }).getAttribute('href')).toBe('#/custom-scanner');
  expect(await findings(document.body)).toEqual([]);
  const { id } = keep('Dips');
  const otherWindow = new BroadcastChannel('bellbird-scans');
  act(() => otherWindow.postMessage('changed'));
  await panel.findByRole('option', { name: 'my scan Dips' });
  otherWindow.close();
  expect(panel.queryByText(/You have no saved scan/) === null).toBe(true);
  expect(panel.getByText('Choose a saved scan.')).toBeTruthy();
  await userEvent.selectOptions(value(panel), 'my scan Dips');
  await waitFor(() => expect(page.alerts()[0]?.logic).toMatchObject(entering(id, 'Dips')));
});

test('the alert says what it waits for, and that its scan was deleted, in the list and in the builder', async () => {
  const { id } = keep('Breakouts');
  page.app.parts.alerts.service.create(page.userId, {
    symbol: 'BHP',
    name: 'Mine',
    logic_json: entering(id, 'Breakouts'),
  });
  await page.open();
  const panel = await openRow('BHP');
  const title = await panel.findByRole('button', { name: /^Mine/ });
  if (title.getAttribute('aria-expanded') === 'true') await userEvent.click(title);
  expect(title.textContent).toContain('enters my scan Breakouts');
  scans().removeScan(page.userId, id);
  act(() => publishAlert({ type: 'changed', alertId: 1, symbol: 'BHP' }));
  const sentence = 'Condition 1: Your scan "Breakouts" does not exist any more. Choose another one.';
  expect(await panel.findByText(sentence)).toBeTruthy();
  await press(/^Mine/);
  expect(
    await panel.findByText('Your scan “Breakouts” was deleted. Choose something else to wait for.'),
  ).toBeTruthy();
  expect(value(panel).selectedOptions[0]?.text).toBe('my scan Breakouts');
  expect(screen.getAllByText(sentence)).toHaveLength(1);
});
