import { afterEach, describe, expect, test } from 'bun:test';
import { act, render, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { LINE_HEIGHTS, useLineHeights } from '#ui/lineHeights.ts';
import { TextField } from '#ui/Field.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { results } from '#support/axe.ts';

test('a dialog takes the focus, has its name, and closes with Escape and with its cross', async () => {
  let closed = 0;
  const { baseElement } = render(
    <DialogSheet
      open
      title="Submit Call"
      description="Everyone sees it."
      onClose={() => {
        closed += 1;
      }}
      footer={<button type="button">Submit</button>}
    >
      <input aria-label="Symbol" />
    </DialogSheet>,
  );
  const dialog = await screen.findByRole('dialog', { name: 'Submit Call' });
  expect(dialog.contains(screen.getByLabelText('Symbol'))).toBe(true);
  // The page has one banner and no footer, which are outside its dialogs.
  expect(dialog.querySelectorAll('header, footer').length).toBe(0);
  expect(await results(baseElement)).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(closed).toBe(2);
});

test('keys reach the content of a dialog that has no controls', async () => {
  const { rerender } = render(
    <DialogSheet open title="Keyboard" onClose={() => {}}>
      <p>j: next row</p>
    </DialogSheet>,
  );
  const text = await screen.findByText('j: next row');
  expect(text.parentElement?.tabIndex).toBe(0);
  rerender(
    <DialogSheet open title="Keyboard" onClose={() => {}}>
      <p>j: next row</p>
      <input aria-label="Search" />
    </DialogSheet>,
  );
  expect(text.parentElement?.tabIndex).toBe(-1);
});

test('a field links its help and its error to its input', async () => {
  const { container, rerender } = render(<TextField label="Name" help="At most 32 letters." />);
  const box = screen.getByLabelText('Name');
  const described = () =>
    (box.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent);
  expect(described()).toEqual(['At most 32 letters.']);
  expect(box.hasAttribute('aria-invalid')).toBe(false);
  rerender(<TextField label="Name" help="At most 32 letters." error="It is taken." />);
  expect(described()).toEqual(['At most 32 letters.', 'It is taken.']);
  expect(box.getAttribute('aria-invalid')).toBe('true');
  expect(await results(container)).toEqual([]);
});

describe('the heights of table lines', () => {
  const root = document.documentElement;
  const widths = window as unknown as { happyDOM: { setViewport(size: { width: number }): void } };
  afterEach(() => {
    delete root.dataset.density;
    widths.happyDOM.setViewport({ width: 1440 });
  });

  test('follow the density attribute', async () => {
    const { result } = renderHook(useLineHeights);
    expect(result.current).toEqual(LINE_HEIGHTS.compact);
    await act(async () => {
      root.dataset.density = 'comfortable';
      await Bun.sleep(0);
    });
    expect(result.current).toEqual(LINE_HEIGHTS.comfortable);
  });
});

describe('a number field', () => {
  /** A form that contains the number field. @returns every number that it received */
  function show(first: number | null) {
    const given: (number | null)[] = [];

    function Form() {
      const [value, setValue] = useState(first);
      return (
        <>
          <NumberField
            label="Price"
            limits={{ min: 0, max: 5000, step: 0.001 }}
            value={value}
            onNumber={(number) => {
              given.push(number);
              setValue(number);
            }}
          />
          <button type="button">Elsewhere</button>
        </>
      );
    }
    render(<Form />);
    return { given };
  }

  const box = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Price' });
  const sentence = () => document.querySelector('.field-error')?.textContent ?? null;
  const paste = async (text: string) => {
    await userEvent.clear(box());
    await userEvent.click(box());
    await userEvent.paste(text);
  };
  const leave = () => userEvent.click(screen.getByRole('button', { name: 'Elsewhere' }));

  describe('a pasted number', () => {
    test.each([
      ['1,234.50', 1234.5, '1234.5'],
      ['\u00a0A$ 0.002\n', 0.002, '0.002'],
      ['1.23456789', 1.234567, '1.234567'],
    ])('%j is %d', async (text, value, shown) => {
      const { given } = show(null);
      await paste(text);
      expect(given.at(-1)).toBe(value);
      await leave();
      expect([box().value, given.at(-1), sentence()]).toEqual([shown, value, null]);
    });

    test('is clamped on blur', async () => {
      const { given } = show(null);
      await paste('$12,000');
      expect(given.at(-1)).toBe(12_000);
      await leave();
      expect([box().value, given.at(-1)]).toEqual(['5000', 5000]);
    });
  });

  describe('a text that is not a number', () => {
    test.each([
      ['0,025', '“0,025” is not a number. Write decimals with a point: 1.25.'],
      ['1.25 AUD', '“1.25 AUD” is not a number. Write it like 1.25 or 1,234.50.'],
    ])('%s stays with a message, and is neither the old number nor empty', async (text, message) => {
      const { given } = show(2);
      await paste(text);
      expect(given.at(-1)).toBeNaN();
      await leave();
      expect([box().value, box().getAttribute('aria-invalid'), sentence()]).toEqual([text, 'true', message]);
      expect(box().getAttribute('aria-describedby')).toContain('-error');
      expect(box().hasAttribute('aria-valuenow')).toBe(false);
      await paste('3');
      expect([given.at(-1), sentence()]).toEqual([3, null]);
    });

    test('shows no message while thousands are being typed', async () => {
      const { given } = show(null);
      const sentences: (string | null)[] = [];
      for (const key of '1,234.5') {
        await userEvent.type(box(), key);
        sentences.push(sentence());
      }
      expect(new Set(sentences)).toEqual(new Set([null]));
      expect(given).toEqual([1, Number.NaN, Number.NaN, Number.NaN, 1234, 1234, 1234.5]);
    });
  });

  test('keys step by one and ten steps, clamped', async () => {
    const { given } = show(1);
    await userEvent.click(box());
    await userEvent.keyboard('{ArrowUp}{PageUp}{ArrowDown}{PageDown}');
    expect(given).toEqual([1.001, 1.011, 1.01, 1]);
  });
});
