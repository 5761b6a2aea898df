import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SubmitCallDialog } from '../../../../src/subjects/calls/web/parts/SubmitCallDialog.tsx';
import { resetCalls } from '../../../../src/subjects/calls/web/state.ts';
import { type AppInPage, listed, openAppInPage } from '../../../support/appInPage.ts';

let page: AppInPage;
let submitted = 0;
beforeEach(async () => {
  submitted = 0;
  page = openAppInPage();
  page.quote(listed('BHP', 45.2), listed('CBA', 170));
  await page.signIn('olive');
  render(
    <SubmitCallDialog
      onClose={() => {}}
      onSubmitted={() => {
        submitted += 1;
      }}
    />,
  );
});
afterEach(() => {
  cleanup();
  page.close();
  resetCalls();
});

const box = (name: string) => screen.getByRole<HTMLInputElement>('spinbutton', { name });
const pick = async (code: string) => {
  const symbol = screen.getByRole('combobox', { name: 'Symbol' });
  await userEvent.clear(symbol);
  await userEvent.type(symbol, code);
  await userEvent.tab();
};
const paste = async (text: string) => {
  await userEvent.clear(box('Entry Price'));
  await userEvent.click(box('Entry Price'));
  await userEvent.paste(text);
};

test('pasted prices are read, and shown plainly once their box is left', async () => {
  await pick('BHP');
  await paste('$1,234.50 ');
  expect(box('Target Price').value).toBe('1234.501');
  await userEvent.tab();
  expect(box('Entry Price').value).toBe('1234.5');
});

test('a decimal comma stays with a sentence and is not submitted as another price', async () => {
  await pick('BHP');
  await paste('45,25');
  await userEvent.tab();
  expect(box('Entry Price').value).toBe('45,25');
  expect(screen.getByText('“45,25” is not a number. Write decimals with a point: 1.25.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: /^Submit/ }));
  expect(screen.getByText('Entry price must be positive')).toBeDefined();
  expect(submitted).toBe(0);
  // The price of another symbol takes its place.
  await pick('CBA');
  expect(box('Entry Price').value).toBe('170');
});
