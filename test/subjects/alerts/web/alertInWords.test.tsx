import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { logicText } from '../../../../src/subjects/conditions/rules/logicText.ts';
import { AUTOSAVE_MS } from '../../../../src/subjects/alerts/web/watchlist/alerts/alertEditor.ts';
import { findings } from '../../../support/axe.ts';
import { PHRASE_CATALOG } from '../../../support/phrases.ts';
import { openRow, openWatchlist, type WatchlistScreen } from '../../../support/watchlistScreen.tsx';

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
  page.watch('BHP');
});
afterEach(() => {
  setSystemTime();
  page.close();
});

const pause = () => act(() => new Promise<void>((done) => setTimeout(done, AUTOSAVE_MS + 150)));
const writes = () => page.changes().filter((request) => !request.endsWith('/rehearse'));
const saved = () => page.alerts().map(({ logic }) => logicText(logic, PHRASE_CATALOG));

test('an alert that is said in words is saved once its conditions are used, and not before', async () => {
  await page.open();
  const panel = await openRow('BHP');
  await userEvent.type(panel.getByLabelText('Say it in words'), 'falls below 35, RSI below 30{Enter}');
  const found = within(await screen.findByRole('region', { name: 'What was read' }));
  await pause();
  expect(writes()).toEqual([]);
  await userEvent.click(found.getByRole('checkbox', { name: 'Last crosses below 35' }));
  expect(await findings(document.body)).toEqual([]);
  await userEvent.click(found.getByRole('button', { name: 'Use these 2 conditions' }));
  await waitFor(() => expect(saved()).toEqual(['Last crosses below 35 and RSI(14) 1D below 30']));
  expect(writes()).toEqual(['POST /api/alerts']);
});

test('a live alert goes on as it was while a phrase is read and discarded, and asks before its conditions are replaced', async () => {
  page.alert('BHP', 50);
  await page.open();
  const panel = await openRow('BHP');
  await userEvent.type(panel.getByLabelText('Say it in words'), 'up 5% and in the energy sector{Enter}');
  const found = within(await screen.findByRole('region', { name: 'What was read' }));
  expect(
    found.getByText('An alert is of one stock, so it compares no sectors.', { exact: false }),
  ).toBeTruthy();
  await userEvent.click(found.getByRole('button', { name: 'Discard' }));
  await pause();
  expect(writes()).toEqual([]);
  await userEvent.type(panel.getByLabelText('Say it in words'), 'up 5%{Enter}');
  await userEvent.click(await screen.findByRole('button', { name: 'Replace all with this condition' }));
  await waitFor(() => expect(saved()).toEqual(['Change % at or above 5']));
});
