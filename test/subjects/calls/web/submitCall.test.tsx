import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { SubmitCallDialog } from '#subjects/calls/web/parts/SubmitCallDialog.tsx';
import { CallsPage } from '#subjects/calls/web/CallsScreen.tsx';
import { chooseSize } from '#subjects/calls/web/shared/size/sizeChoices.tsx';
import { forgetCall } from '#subjects/calls/web/shared/callSignals.ts';
import { resetCalls } from '#subjects/calls/web/state.ts';
import { type AppInPage, listed, openAppInPage } from '#support/appInPage.ts';
import { loadAppInfo } from '#web/shared/appInfo.ts';
import { results } from '#support/axe.ts';

let page: AppInPage;
let events: string[];
const dialog = (asked: string | null = null) => (
  <SubmitCallDialog
    symbol={asked}
    onClose={() => events.push('closed')}
    onSubmitted={() => events.push('submitted')}
  />
);
beforeEach(async () => {
  forgetCall();
  page = openAppInPage();
  page.quote(listed('BHP', 45.2), listed('BHX', 0.0005), listed('CBA', 170), listed('CB', 1.5));
  await page.signIn('olive');
  events = [];
  render(dialog());
});
afterEach(() => {
  jest.useRealTimers();
  chooseSize({ risk: null, maxValue: null, fees: null, isOpen: false });
  page.close();
  resetCalls();
});

const box = (name: string) => screen.getByRole<HTMLInputElement>('spinbutton', { name });
const symbol = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Symbol' });
const stopType = () => screen.getByLabelText<HTMLSelectElement>('Stop Loss');
const submit = () => userEvent.click(screen.getByRole('button', { name: /^Submit/ }));
const prices = () => [box('Entry Price').value, box('Target Price').value, box('Stop loss value').value];
const pick = async (code: string) => {
  await userEvent.clear(symbol());
  await userEvent.type(symbol(), code);
  await userEvent.tab();
};
const type = async (name: string, text: string) => {
  await userEvent.clear(box(name));
  await userEvent.type(box(name), text);
};
const marked = () => [...document.querySelectorAll('[aria-invalid="true"]')];
/** Olive is the first user. */
const stored = () => page.app.parts.calls.service.mine({ id: 1 });

test('a complete symbol is chosen when its box is left, and a price typed next is kept', async () => {
  await pick('cba');
  expect(prices()).toEqual(['170', '170.001', '169.999']);
  await type('Entry Price', '165');
  await act(() => Bun.sleep(120));
  expect(box('Entry Price').value).toBe('165');
});

test('raising the entry raises the target, and a half-typed number has no lasting effect', async () => {
  await pick('CB');
  await type('Target Price', '2');
  await type('Entry Price', '19');
  expect(box('Target Price').value).toBe('19.001');
  await userEvent.keyboard('{Backspace}.8');
  expect(box('Target Price').value).toBe('2');
  await userEvent.tab();
  expect(prices()[0]).toBe('1.8');
});

test('a short call is offered only if the server allows it, and mirrors the prices', async () => {
  const allow = (shortCalls: boolean) => {
    Object.assign(page.app.services.config, { shortCalls });
    return act(loadAppInfo);
  };
  const short = { name: 'Is it a short position?' };
  expect(screen.queryByRole('switch', short)).toBeNull();
  await allow(true);
  await pick('CB');
  await userEvent.click(screen.getByRole('switch', short));
  expect(prices()).toEqual(['1.5', '1.499', '1.501']);
  await type('Target Price', '2');
  await userEvent.tab();
  expect(box('Target Price').value).toBe('1.499');
  await submit();
  await waitFor(() => expect(events).toEqual(['submitted', 'closed']));
  expect(stored()).toMatchObject([{ isShort: true, targetPrice: 1.499, stopLoss: 1.501 }]);
  await allow(false);
});

describe('submitting', () => {
  test('shows errors in order in the dialog, and sends nothing', async () => {
    const alert = () => screen.getByRole('alert').textContent;
    await submit();
    expect(alert()).toBe('Symbol is required');
    await pick('CB');
    expect(alert()).toBe('');
    await userEvent.clear(box('Entry Price'));
    await submit();
    expect(alert()).toBe('Entry price must be positive');
    expect(document.activeElement).toBe(box('Entry Price'));
    expect(box('Entry Price').getAttribute('aria-invalid')).toBe('true');
    await type('Entry Price', '1.5');
    await type('Stop loss value', '0');
    await submit();
    expect(alert()).toBe('Stop loss value must be positive');
    expect(page.asked).toEqual([]);
  });

  test('disables both buttons while sending, and cannot send twice', async () => {
    await pick('CB');
    const { promise, resolve } = Promise.withResolvers<null>();
    page.fail(() => promise);
    await submit();
    const busy = screen.getByRole<HTMLButtonElement>('button', { name: 'Submitting…' });
    expect(busy.disabled).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true);
    const form = document.querySelector('form');
    if (form) fireEvent.submit(form);
    await userEvent.keyboard('{Escape}');
    expect(events).toEqual([]);
    resolve(null);
    await waitFor(() => expect(events).toEqual(['submitted', 'closed']));
    expect(stored()).toHaveLength(1);
  });

  test('marks the field that the server refuses', async () => {
    await pick('CB');
    page.fail(() => Response.json({ error: 'Too far away.', field: 'targetPrice' }, { status: 400 }));
    await submit();
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Too far away.'));
    expect(marked().map(({ id }) => id)).toEqual([box('Target Price').id]);
  });
});

describe('an automatic change of the form', () => {
  const described = (name: string) =>
    (box(name).getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ');
  const announced = () =>
    screen
      .getAllByRole('status')
      .map((one) => one.textContent)
      .join(' ');

  test('is described at the field while typing, and announced politely after it', async () => {
    await pick('CB');
    expect(described('Entry Price')).toBe('Entry set to 1.5: the last price of CB');
    await type('Target Price', '1');
    const message = 'Target raised to 1.501: it must be above the entry 1.5';
    expect(described('Target Price')).toBe(message);
    await userEvent.tab();
    expect(box('Target Price').value).toBe('1.501');
    expect(described('Target Price')).toBe(message);
    await waitFor(() => expect(announced()).toContain(message));
    await type('Target Price', '2');
    expect(described('Target Price')).toBe('');
  });

  test('is not submitted by Enter before the field shows it', async () => {
    await pick('CB');
    await type('Target Price', '1');
    const enter = () => {
      const form = document.querySelector('form');
      if (form) fireEvent.submit(form);
    };
    enter();
    expect(box('Target Price').value).toBe('1.501');
    expect(document.activeElement).toBe(box('Target Price'));
    expect(page.asked).toEqual([]);
    enter();
    await waitFor(() => expect(events).toEqual(['submitted', 'closed']));
  });
});

test('after a lost answer the same call is not submitted twice, but a changed call is submitted', async () => {
  await pick('CB');
  page.fail(async (request) => {
    await page.app.api.handle(request.clone());
    return 'offline' as const;
  });
  await submit();
  await screen.findByText('Network error. Try again.');
  expect(stored()).toHaveLength(1);
  page.fail(null);
  await submit();
  await waitFor(() => expect(events).toHaveLength(2));
  expect(stored()).toHaveLength(1);
  await type('Target Price', '9');
  await submit();
  await waitFor(() => expect(events).toHaveLength(4));
  expect(stored()).toHaveLength(2);
});

test('opened with a symbol, it fills in prices once known, but keeps chosen values', async () => {
  cleanup();
  render(dialog('LTE'));
  expect([symbol().value, ...prices()]).toEqual(['LTE', '', '', '']);
  act(() => page.quote(listed('LTE', 2.5)));
  await waitFor(() => expect(prices()).toEqual(['2.5', '2.501', '2.499']));
  cleanup();
  render(dialog('NXT'));
  await userEvent.selectOptions(stopType(), 'No stop loss');
  act(() => page.quote(listed('NXT', 9)));
  expect(stopType().value).toBe('NONE');
  expect(box('Entry Price').value).toBe('');
});

const KEY = 'bellbird.callDraft';
/** A reload removes the page without notifying its parts. */
const reload = (shown: ReactNode) => {
  const kept = window.sessionStorage.getItem(KEY);
  cleanup();
  if (kept !== null) window.sessionStorage.setItem(KEY, kept);
  render(shown);
};

test('a half-written call is restored in its form after a reload, on the same page', async () => {
  await pick('BHP');
  await type('Target Price', '48');
  reload(<CallsPage />);
  await screen.findByRole('dialog', { name: 'Submit Call' });
  expect([symbol().value, ...prices()]).toEqual(['BHP', '45.2', '48', '45.199']);
});

const unfold = async () => {
  await userEvent.click(screen.getByText('Position size'));
  await screen.findByRole('spinbutton', { name: 'Risk ($)' });
};
const figures = () =>
  [...document.querySelectorAll('.size-figures dt')].map(
    (name) => `${name.textContent}: ${name.nextElementSibling?.textContent}`,
  );
const word = () => document.querySelector('p.size-word')?.textContent;

test('the position size is folded, follows prices and limits while typing, and keeps the limits', async () => {
  await pick('BHP');
  expect(screen.queryByRole('spinbutton', { name: 'Risk ($)' })).toBeNull();
  await unfold();
  expect(word()).toBe('Enter the most you can lose, in dollars.');
  await type('Stop loss value', '44.2');
  await type('Target Price', '48.2');
  await type('Risk ($)', '500');
  expect(figures()).toEqual([
    'Shares: 500',
    'Value: $22,600.00',
    'Loss at the stop: $500.00',
    'Gain at the target: $1,500.00',
    'Reward/risk: 3.00',
  ]);
  await type('Fees, both ways ($)', '20');
  await type('Maximum value ($)', '10000');
  expect(figures()[0]).toBe('Shares: 221');
  expect(word()).toBe('Limited by the maximum value.');
  expect(await results(document.body)).toEqual([]);
  cleanup();
  render(dialog('CB'));
  expect((await screen.findByRole<HTMLInputElement>('spinbutton', { name: 'Risk ($)' })).value).toBe('500');
});
