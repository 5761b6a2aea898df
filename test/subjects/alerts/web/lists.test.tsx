import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { addToWatchlist } from '../../../../src/subjects/alerts/web/shared/addToWatchlist.ts';
import {
  openRow,
  openWatchlist,
  press,
  symbolsIn,
  type WatchlistScreen,
} from '../../../support/watchlistScreen.tsx';

await Promise.all([
  import('../../../../src/subjects/alerts/web/watchlist/parts/ListMenu.tsx'),
  import('../../../../web/ui/MenuSheet.tsx'),
]);

let page: WatchlistScreen;
beforeEach(async () => {
  localStorage.clear();
  page = await openWatchlist();
  page.watch('BHP', 'CBA');
});
afterEach(() => {
  page.close();
  localStorage.clear();
});

const lists = () =>
  within(screen.getByRole('group', { name: 'Lists' }))
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
    .filter(Boolean);
const symbols = () => [...symbolsIn('Trading'), ...symbolsIn('Pre-open')].sort();

async function addList(name: string): Promise<void> {
  await press('New list');
  await userEvent.type(await screen.findByLabelText('Name'), `${name}{Enter}`);
  await screen.findByRole('button', { name: `Options of ${name}` });
}

describe('several lists', () => {
  test('a new one is shown, and what is added goes there, by w too', async () => {
    await page.open();
    await addList('Miners');
    await waitFor(() => expect(symbols()).toEqual([]));
    await addToWatchlist('XRO');
    await waitFor(() => expect(lists()).toEqual(['My list 2', 'Miners 1']));
    await waitFor(() => expect(symbols()).toEqual(['XRO']));
    await press('My list 2');
    await waitFor(() => expect(symbols()).toEqual(['BHP', 'CBA']));
  });

  test('a name that another has is refused, and stays to be changed', async () => {
    await page.open();
    await press('New list');
    const box = await screen.findByLabelText<HTMLInputElement>('Name');
    await userEvent.type(box, 'my LIST{Enter}');
    await screen.findByText('You already have a list called “my LIST”. Choose another name.');
    expect(box.value).toBe('my LIST');
  });

  test('one is moved, renamed, and deleted only after what goes with it was said', async () => {
    page.alert('BHP', 50);
    await page.open();
    await addList('Miners');
    await press('My list 2');
    await screen.findByRole('button', { name: 'Options of My list' });
    await press('Options of My list');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Move right' }));
    await waitFor(() => expect(lists()).toEqual(['Miners 0', 'My list 2']));
    await press('Options of My list');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename…' }));
    const box = await screen.findByLabelText('Name');
    await userEvent.clear(box);
    await userEvent.type(box, 'Banks{Enter}');
    await waitFor(() => expect(lists()).toEqual(['Miners 0', 'Banks 2']));
    await press('Options of Banks');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete…' }));
    await screen.findByText(
      'Its 2 symbols with notes and targets go with it, and 1 alert on BHP, which no other list has.',
    );
    await press('Delete list');
    await waitFor(() => expect(lists()).toEqual(['Miners 0']));
    expect(page.alerts()).toEqual([]);
  });
});

test('a target that is no number clears none, stays to be mended, and holds up no note', async () => {
  await page.open();
  await openRow('BHP');
  const fields = within(screen.getByRole('group', { name: 'Note and target of BHP' }));
  const target = () => fields.getByLabelText<HTMLInputElement>('Target');
  await userEvent.type(target(), '44{Enter}');
  await waitFor(() => expect(document.querySelector('[data-id="BHP"]')?.textContent).toContain('+10.0%'));
  await userEvent.clear(target());
  await userEvent.type(target(), '45,5');
  await userEvent.type(fields.getByLabelText('Note'), 'Results{Enter}');
  await waitFor(() => expect(document.querySelector('[data-id="BHP"]')?.textContent).toContain('Results'));
  expect(document.querySelector('[data-id="BHP"]')?.textContent).toContain('+10.0%');
  expect(target().value).toBe('45,5');
  fields.getByText('“45,5” is not a number. Write decimals with a point: 1.25.');
});

test('a note and a target are saved when they are left or with Enter, and nothing while they are typed', async () => {
  await page.open();
  await openRow('BHP');
  const fields = within(screen.getByRole('group', { name: 'Note and target of BHP' }));
  await userEvent.type(fields.getByLabelText('Target'), '44');
  expect(page.changes()).toEqual([]);
  await userEvent.type(fields.getByLabelText('Note'), 'Results on Tuesday{Enter}');
  await waitFor(() => expect(document.querySelector('[data-id="BHP"]')?.textContent).toContain('+10.0%'));
  await waitFor(() =>
    expect(document.querySelector('[data-id="BHP"]')?.textContent).toContain('Results on Tuesday'),
  );
  expect(new Set(page.changes())).toEqual(new Set(['PATCH /api/watchlist/1']));
});
