import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SubmitCallDialog } from '../../../../src/subjects/calls/web/parts/SubmitCallDialog.tsx';
import { chooseSize } from '../../../../src/subjects/calls/web/shared/size/sizeChoices.ts';
import { resetCalls } from '../../../../src/subjects/calls/web/state.ts';
import { type AppInPage, listed, openAppInPage } from '../../../support/appInPage.ts';
import { findings } from '../../../support/axe.ts';

let page: AppInPage;
let events: string[];
beforeEach(async () => {
  page = openAppInPage();
  page.quote(listed('BHP', 45.2));
  await page.signIn('olive');
  events = [];
});
afterEach(() => {
  cleanup();
  // Also out of what was read of the storage already.
  chooseSize({ risk: null, maxValue: null, fees: null, isOpen: false });
  page.close();
  resetCalls();
});

const show = () =>
  render(
    <SubmitCallDialog
      symbol="BHP"
      onClose={() => events.push('closed')}
      onSubmitted={() => events.push('submitted')}
    />,
  );
const box = (name: string) => screen.getByRole<HTMLInputElement>('spinbutton', { name });
const type = async (name: string, text: string) => {
  await userEvent.clear(box(name));
  if (text !== '') await userEvent.type(box(name), text);
};
const unfold = async () => {
  await userEvent.click(screen.getByText('Position size'));
  await screen.findByRole('spinbutton', { name: 'Risk ($)' });
};
const figures = () =>
  [...document.querySelectorAll('.size-figures dt')].map(
    (name) => `${name.textContent}: ${name.nextElementSibling?.textContent}`,
  );
const words = () => [...document.querySelectorAll('p.size-word')].map((word) => word.textContent);

test('a call’s size is folded, and is worked out while prices and limits are typed', async () => {
  show();
  expect(screen.queryByRole('spinbutton', { name: 'Risk ($)' })).toBeNull();
  await unfold();
  expect(words()[0]).toBe('Type how many dollars may be lost.');
  await type('Stop loss value', '44.2');
  await type('Target Price', '48.2');
  await type('Risk ($)', '500');
  expect(figures()).toEqual([
    'Shares: 500',
    'Cost: $22,600.00',
    'Loss at the stop: $500.00',
    'Gain at the target: $1,500.00',
    'Reward/risk: 3.00',
  ]);
  await type('Fees, both ways ($)', '20');
  await type('Maximum value ($)', '10000');
  expect(figures()[0]).toBe('Shares: 221');
  expect(figures()[2]).toBe('Loss at the stop, with fees: $241.00');
  expect(words()[0]).toBe('Limited by the maximum value.');
  expect(await findings(document.body)).toEqual([]);
});

test('what gives no size is said in a sentence, and the call is submitted all the same, without it', async () => {
  show();
  await unfold();
  await type('Risk ($)', '0');
  expect(words()[0]).toBe('The risk must be more than $0.');
  expect(box('Risk ($)').getAttribute('aria-invalid')).toBe('true');
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(events).toEqual(['submitted', 'closed']));
  const sent = page.app.db.$client.query<Record<string, unknown>, []>('SELECT * FROM calls').get();
  expect(JSON.stringify(sent)).not.toMatch(/risk|maxValue|fees/i);
});

test('Enter in one of its boxes submits nothing', async () => {
  show();
  await unfold();
  await userEvent.type(box('Risk ($)'), '250{Enter}');
  expect(events).toEqual([]);
  expect(box('Risk ($)').value).toBe('250');
});

test('limits and fold are there again with the next call', async () => {
  show();
  await unfold();
  await type('Risk ($)', '250');
  cleanup();
  show();
  expect((await screen.findByRole<HTMLInputElement>('spinbutton', { name: 'Risk ($)' })).value).toBe('250');
});
