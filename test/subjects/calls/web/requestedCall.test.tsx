import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SubmitCallDialog } from '../../../../src/subjects/calls/web/parts/SubmitCallDialog.tsx';
import { resetCalls } from '../../../../src/subjects/calls/web/state.ts';
import { type AppInPage, listed, openAppInPage } from '../../../support/appInPage.ts';

let page: AppInPage;
beforeEach(async () => {
  page = openAppInPage();
  page.quote(listed('BHP', 45.2));
  await page.signIn('olive');
});
afterEach(() => {
  cleanup();
  page.close();
  resetCalls();
});

const openWith = (code: string) => {
  cleanup();
  render(<SubmitCallDialog symbol={code} onClose={() => {}} onSubmitted={() => {}} />);
};
const symbol = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Symbol' });
const box = (name: string) => screen.getByRole<HTMLInputElement>('spinbutton', { name });
const prices = () => ['Entry Price', 'Target Price', 'Stop loss value'].map((name) => box(name).value);
const stopType = () => screen.getByLabelText<HTMLSelectElement>('Stop Loss');

test('begun with a symbol, it fills in the prices once they are known, but over nothing that was chosen meanwhile', async () => {
  openWith('LTE');
  expect([symbol().value, ...prices()]).toEqual(['LTE', '', '', '']);
  act(() => page.quote(listed('LTE', 2.5)));
  await waitFor(() => expect(prices()).toEqual(['2.5', '2.501', '2.499']));
  openWith('NXT');
  await userEvent.selectOptions(stopType(), 'No stop loss');
  act(() => page.quote(listed('NXT', 9)));
  expect(stopType().value).toBe('NONE');
  expect(box('Entry Price').value).toBe('');
});

test('a symbol that clears itself after it was left takes back nothing that was chosen since', async () => {
  openWith('NXT');
  await userEvent.click(symbol());
  await userEvent.selectOptions(stopType(), 'No stop loss');
  await waitFor(() => expect(symbol().value).toBe(''));
  expect(stopType().value).toBe('NONE');
});
