import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SubmitCallDialog } from '../../../../src/subjects/calls/web/parts/SubmitCallDialog.tsx';
import { resetCalls } from '../../../../src/subjects/calls/web/state.ts';
import { type AppInPage, listed, openAppInPage } from '../../../support/appInPage.ts';
import { findings } from '../../../support/axe.ts';

let page: AppInPage;
let events: string[];
beforeEach(async () => {
  page = openAppInPage();
  page.quote(listed('BHP', 45.2), listed('BHX', 0.0005), listed('CBA', 170), listed('CB', 1.5));
  await page.signIn('olive');
  events = [];
  render(
    <SubmitCallDialog onClose={() => events.push('closed')} onSubmitted={() => events.push('submitted')} />,
  );
});
afterEach(() => {
  jest.useRealTimers();
  cleanup();
  page.close();
  resetCalls();
});

const box = (name: string) => screen.getByRole<HTMLInputElement>('spinbutton', { name });
const symbol = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Symbol' });
const stopType = () => screen.getByLabelText<HTMLSelectElement>('Stop Loss');
const options = () => screen.queryAllByRole('option').filter((option) => option.tagName === 'LI');
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
const stored = async () => {
  const calls = page.app.parts.calls.service;
  const user = page.app.db.$client
    .query<{ id: number }, []>("SELECT id FROM users WHERE username = 'olive'")
    .get();
  return calls.mine({ id: user?.id ?? 0 });
};

test('opens with its defaults', () => {
  expect(symbol().value).toBe('');
  expect(symbol().placeholder).toBe('ASX code');
  expect(
    screen.getByRole('switch', { name: 'Has your position been filled?' }).getAttribute('aria-checked'),
  ).toBe('true');
  expect(stopType().value).toBe('HARD');
  expect(prices()).toEqual(['', '', '']);
  expect(box('Stop loss value').placeholder).toBe('Price level (e.g. 0.95)');
});

describe('symbol', () => {
  test('completes by prefix from two characters, in upper case, by keyboard', async () => {
    await userEvent.type(symbol(), 'b');
    expect(options()).toHaveLength(0);
    await userEvent.type(symbol(), 'h');
    expect(symbol().value).toBe('BH');
    expect(options().map((option) => option.textContent)).toEqual(['BHPBHP LIMITED', 'BHXBHX LIMITED']);
    expect(symbol().getAttribute('aria-expanded')).toBe('true');
    // Behind the last option comes the box itself, then the first again.
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(symbol().getAttribute('aria-activedescendant')).toBe(options()[0]?.id ?? 'none');
    await userEvent.keyboard('{Enter}');
    expect(symbol().value).toBe('BHP');
    expect(options()).toHaveLength(0);
    expect(prices()).toEqual(['45.2', '45.201', '45.199']);
    expect(events).toEqual([]);
  });

  test('is chosen by pointer', async () => {
    await userEvent.type(symbol(), 'bh');
    const second = options()[1];
    if (!second) throw new Error('There is no second option.');
    await userEvent.click(second);
    expect(symbol().value).toBe('BHX');
    expect(prices()).toEqual(['0.0005', '0.0015', '0']);
  });

  test('Escape closes the list and not the dialog', async () => {
    await userEvent.type(symbol(), 'bh{Escape}');
    expect(options()).toHaveLength(0);
    expect(events).toEqual([]);
    await userEvent.keyboard('{Escape}');
    expect(events).toEqual(['closed']);
  });

  test('clears itself after it was left with something unknown', async () => {
    await userEvent.type(symbol(), 'zz');
    jest.useFakeTimers();
    act(() => symbol().blur());
    expect(symbol().value).toBe('ZZ');
    act(() => void jest.advanceTimersByTime(1000));
    expect(symbol().value).toBe('');
  });

  test('typed in full and left, it is chosen at once; a price typed next is kept', async () => {
    await pick('cba');
    expect(prices()).toEqual(['170', '170.001', '169.999']);
    await type('Entry Price', '165');
    await act(() => Bun.sleep(120));
    expect(box('Entry Price').value).toBe('165');
  });

  test('left a second time it does not fill the prices again', async () => {
    await pick('cba');
    await type('Entry Price', '165');
    await userEvent.click(symbol());
    await userEvent.tab();
    expect(box('Entry Price').value).toBe('165');
  });
});

describe('prices', () => {
  test('raising entry lifts the target, and a half-typed number leaves no trace', async () => {
    await pick('CB');
    await type('Target Price', '2');
    await type('Entry Price', '19');
    expect(box('Target Price').value).toBe('19.001');
    await userEvent.keyboard('{Backspace}.8');
    expect(box('Target Price').value).toBe('2');
    await userEvent.tab();
    expect(prices()[0]).toBe('1.8');
  });

  test('the target is clamped above entry when it is left', async () => {
    await pick('CB');
    await type('Target Price', '1');
    expect(box('Target Price').value).toBe('1');
    await userEvent.tab();
    expect(box('Target Price').value).toBe('1.501');
  });

  test('arrow and page keys step', async () => {
    await pick('CB');
    await userEvent.click(box('Entry Price'));
    await userEvent.keyboard('{ArrowUp}{ArrowUp}{PageUp}');
    expect(prices()).toEqual(['1.512', '1.513', '1.499']);
    await userEvent.keyboard('{PageDown}{ArrowDown}');
    expect(prices()).toEqual(['1.501', '1.502', '1.499']);
  });

  test('a seventh decimal is not taken', async () => {
    await type('Entry Price', '1.23456789');
    expect(box('Entry Price').value).toBe('1.234567');
  });
});

describe('stop loss', () => {
  const texts = [
    ['NONE', '', 'No stop loss will be applied.'],
    ['HARD', 'Price level (e.g. 0.95)', 'Absolute price where the position exits (typically below entry).'],
    [
      'TRAILING_ABS',
      'Trailing value (e.g. 0.10)',
      'Trailing amount (currency) that follows the high after fill.',
    ],
    ['TRAILING_PCT', 'Trailing percent (e.g. 5)', 'Trailing percentage below the high after fill (0-100).'],
  ] as const;
  for (const [id, placeholder, help] of texts) {
    test(`${id} has its texts`, async () => {
      await userEvent.selectOptions(stopType(), id);
      expect(box('Stop loss value').placeholder).toBe(placeholder);
      expect(screen.getByText(help)).toBeTruthy();
      expect(box('Stop loss value').disabled).toBe(id === 'NONE');
    });
  }

  test('changing the type clears the value, a hard stop is prefilled', async () => {
    await pick('CB');
    await userEvent.selectOptions(stopType(), 'TRAILING_PCT');
    expect(box('Stop loss value').value).toBe('');
    await type('Stop loss value', '7.6');
    await userEvent.tab();
    expect(box('Stop loss value').value).toBe('8');
    await userEvent.selectOptions(stopType(), 'HARD');
    expect(box('Stop loss value').value).toBe('1.499');
  });
});

describe('submitting', () => {
  test('refusals stand in the dialog, in their order, and nothing is sent', async () => {
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

  test('a good call reaches the database, and the dialog closes', async () => {
    await pick('CB');
    await userEvent.click(screen.getByRole('switch', { name: 'Has your position been filled?' }));
    expect(screen.getByText('No')).toBeTruthy();
    await type('Entry Price', '1.45');
    await type('Target Price', '1.8');
    await userEvent.selectOptions(stopType(), 'NONE');
    await submit();
    await waitFor(() => expect(events).toEqual(['submitted', 'closed']));
    expect(await stored()).toMatchObject([
      {
        symbol: 'CB',
        callType: 'buy',
        status: 'pending',
        entryPrice: 1.45,
        targetPrice: 1.8,
        stopLossType: 'NONE',
        stopLoss: null,
      },
    ]);
  });

  test('a price that is still being typed is submitted as typed', async () => {
    await pick('CB');
    await type('Target Price', '1.9');
    // What Enter does in a browser: the button stands outside the form, where user-event does not look for it.
    const form = document.querySelector('form');
    if (form) fireEvent.submit(form);
    await waitFor(() => expect(events).toEqual(['submitted', 'closed']));
    expect((await stored())[0]?.targetPrice).toBe(1.9);
  });

  test('while it is sent both buttons are disabled, and it can not be sent twice', async () => {
    await pick('CB');
    const { promise, resolve } = Promise.withResolvers<void>();
    const viaApp = globalThis.fetch;
    globalThis.fetch = Object.assign(
      async (...given: Parameters<typeof fetch>) => {
        await promise;
        return viaApp(...given);
      },
      { preconnect: viaApp.preconnect },
    );
    await submit();
    const busy = screen.getByRole<HTMLButtonElement>('button', { name: 'Submitting…' });
    expect(busy.disabled).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true);
    const form = document.querySelector('form');
    if (form) fireEvent.submit(form);
    await userEvent.keyboard('{Escape}');
    expect(events).toEqual([]);
    resolve();
    await waitFor(() => expect(events).toEqual(['submitted', 'closed']));
    expect(await stored()).toHaveLength(1);
  });

  test('what the server refuses is shown, and the dialog stays', async () => {
    for (let count = 0; count < 3; count += 1) {
      await pick('CB');
      await submit();
      await waitFor(() => expect(events).toHaveLength((count + 1) * 2));
    }
    await submit();
    await waitFor(() =>
      expect(screen.getByRole('alert').textContent).toContain('3 pending or open calls on CB'),
    );
    expect(events).toHaveLength(6);
  });

  test('an answer without a sentence gives ours', async () => {
    await pick('CB');
    page.fail(() => Response.json({ error: '' }, { status: 500, statusText: '' }));
    await submit();
    await waitFor(() => expect(screen.getByRole('alert').textContent).not.toBe(''));
    page.fail(() => 'offline');
    await submit();
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Network error. Try again.'));
    expect(marked()).toHaveLength(0);
    expect(events).toEqual([]);
  });

  test('a refusal of the server marks the field that it names', async () => {
    await pick('CB');
    page.fail(() => Response.json({ error: 'Too far away.', field: 'targetPrice' }, { status: 400 }));
    await submit();
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Too far away.'));
    expect(marked().map(({ id }) => id)).toEqual([box('Target Price').id]);
  });
});

test('axe finds nothing, with the list open', async () => {
  await userEvent.type(symbol(), 'bh');
  expect(await findings(screen.getByRole('dialog'))).toEqual([]);
});

describe('what the form changes by itself', () => {
  const line = () => document.querySelector('.call-line')?.textContent ?? '';
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

  test('is said beside the field while it is typed, after it was left, and politely', async () => {
    await pick('CB');
    expect(described('Entry Price')).toBe('Entry set to 1.5: the last price of CB');
    await type('Target Price', '1');
    const said = 'Target raised to 1.501: it must be above the entry 1.5';
    expect(described('Target Price')).toBe(said);
    await userEvent.tab();
    expect(box('Target Price').value).toBe('1.501');
    expect(described('Target Price')).toBe(said);
    await waitFor(() => expect(announced()).toContain(said));
    await type('Target Price', '2');
    expect(described('Target Price')).toBe('');
  });

  test('is said beside the fields that another one moves', async () => {
    await pick('CB');
    await type('Entry Price', '3');
    expect(described('Target Price')).toBe('Target raised to 3.001: it must be above the entry 3');
    await type('Entry Price', '1');
    expect(described('Stop loss value')).toBe('Stop lowered to 0.999: it must be below the entry 1');
    await userEvent.selectOptions(stopType(), 'TRAILING_PCT');
    expect(described('Stop loss value')).toBe('Stop cleared: a trailing stop needs its own value');
  });

  test('is not submitted by Enter before the box shows it', async () => {
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

  test('stands with the whole call in words above Submit, close levels marked by words too', async () => {
    expect(line()).toBe('');
    await pick('CB');
    expect(line()).toBe(
      'Buy CB at 1.5, target 1.501 (+0.067 %, less than one price step), ' +
        'stop 1.499 (−0.067 %, less than one price step), already filled. ' +
        'Target and stop are within two price steps of the entry.',
    );
    expect(document.querySelectorAll('.call-line mark')).toHaveLength(2);
    await type('Target Price', '1.8');
    await userEvent.selectOptions(stopType(), 'NONE');
    await userEvent.click(screen.getByRole('switch', { name: 'Has your position been filled?' }));
    expect(line()).toBe('Buy CB at 1.5, target 1.8 (+20.0 %, 60 price steps), no stop, not filled yet.');
  });
});

describe('the rationale', () => {
  const rationale = () => screen.getByLabelText<HTMLTextAreaElement>('Rationale (optional)');

  test('counts its characters, and is stored', async () => {
    await pick('CB');
    await userEvent.type(rationale(), ' Copper is short 🦜 ');
    expect(screen.getByText('17 of 280 characters')).toBeTruthy();
    await submit();
    await waitFor(() => expect(events).toEqual(['submitted', 'closed']));
    expect((await stored())[0]?.rationale).toBe('Copper is short 🦜');
  });

  test('that is too long says by how much, and is refused before it is sent', async () => {
    await pick('CB');
    fireEvent.change(rationale(), { target: { value: 'x'.repeat(283) } });
    expect(screen.getByText('3 characters too many')).toBeTruthy();
    await submit();
    expect(screen.getByRole('alert').textContent).toBe('Rationale may have at most 280 characters');
    expect(document.activeElement).toBe(rationale());
    expect(page.asked).toEqual([]);
  });
});

test('starts in the symbol box, not on Close', async () => {
  await waitFor(() => expect(document.activeElement?.getAttribute('name')).toBe('symbol'));
});
