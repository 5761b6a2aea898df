import { afterEach, beforeEach, expect, test } from 'bun:test';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { fakeApi } from '../../../support/fakeApi.ts';
import { giveLayout } from '../../../support/layout.ts';
import { codes, screenOf, THREE_STOCKS } from '../../../support/scannerScreen.tsx';

await import('../../../../src/subjects/scanners/web/parts/ListFilterMenu.tsx');

const TITLE = 'Top Movers under $1';
const LISTS = [
  { id: 1, name: 'My list', symbols: ['AAA'] },
  { id: 2, name: 'Miners', symbols: ['BBB', 'ZZZ'] },
];
let server: ReturnType<typeof fakeApi>;
let takeLayout: () => void;
beforeEach(() => {
  localStorage.clear();
  server = fakeApi({ 'GET /api/watchlists': { body: { lists: LISTS } } });
  takeLayout = giveLayout();
});
afterEach(() => {
  server.restore();
  takeLayout();
  localStorage.clear();
});

const choose = async (name: string) => fireEvent.click(await screen.findByRole('menuitemcheckbox', { name }));

test('a scanner shows only what stands on one list, on several, or on all', async () => {
  render(screenOf('intraDaySmall', THREE_STOCKS.slice(0, 2), { scope: '' }));
  const all = codes(TITLE);
  expect([...all].sort()).toEqual(['AAA', 'BBB']);
  expect(server.to('/api/watchlists')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Only my lists' }));
  await choose('Miners');
  await waitFor(() => expect(codes(TITLE)).toEqual(['BBB']));
  expect(await screen.findByText('Miners', { selector: '.filter-chip' })).toBeTruthy();
  await choose('My list');
  await waitFor(() => expect(codes(TITLE)).toEqual(all));
  await choose('All my lists');
  await waitFor(() => expect(codes(TITLE)).toEqual(all));
  await choose('My list');
  await waitFor(() => expect(codes(TITLE)).toEqual(['AAA']));
});
