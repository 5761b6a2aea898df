import { afterEach, describe, expect, test } from 'bun:test';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { NumberField } from '../../../web/ui/NumberField.tsx';

afterEach(cleanup);

/** A form that holds the box's number, as forms do. @returns every number that it was given */
function show(first: number | null, more: Partial<Parameters<typeof NumberField>[0]> = {}) {
  const given: (number | null)[] = [];
  let put: (value: number | null) => void = () => {};
  function Form() {
    const [value, setValue] = useState(first);
    put = setValue;
    return (
      <>
        <NumberField
          label="Price"
          limits={{ min: 0, max: 5000, step: 0.001 }}
          {...more}
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
  return { given, put: (value: number | null) => put(value) };
}

const box = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Price' });
const sentence = () => document.querySelector('.field-error')?.textContent ?? null;
const paste = async (text: string) => {
  await userEvent.clear(box());
  await userEvent.click(box());
  await userEvent.paste(text);
};
const leave = () => userEvent.click(screen.getByRole('button', { name: 'Elsewhere' }));

describe('a number that is pasted', () => {
  test.each([
    ['1.25 ', 1.25, '1.25'],
    ['$1.25', 1.25, '1.25'],
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

  test('is clamped when the box is left', async () => {
    const { given } = show(null);
    await paste('$12,000');
    expect(given.at(-1)).toBe(12_000);
    await leave();
    expect([box().value, given.at(-1)]).toEqual(['5000', 5000]);
  });

  test('outside the limits stays where the form says what is wrong', async () => {
    const { given } = show(null, { keepsOutside: true });
    await paste('-5');
    await leave();
    expect([box().value, given.at(-1)]).toEqual(['-5', -5]);
  });
});

describe('a text that is no number', () => {
  test.each([
    ['1,25', '“1,25” is not a number. Write decimals with a point: 1.25.'],
    ['0,025', '“0,025” is not a number. Write decimals with a point: 1.25.'],
    ['1.25 AUD', '“1.25 AUD” is not a number. Write it like 1.25 or 1,234.50.'],
    ['ten', '“ten” is not a number. Write it like 1.25 or 1,234.50.'],
  ])('%s stays with a sentence, and is neither the old number nor none', async (text, said) => {
    const { given } = show(2);
    await paste(text);
    expect(given.at(-1)).toBeNaN();
    await leave();
    expect([box().value, box().getAttribute('aria-invalid'), sentence()]).toEqual([text, 'true', said]);
    expect(box().getAttribute('aria-describedby')).toContain('-error');
    expect(box().hasAttribute('aria-valuenow')).toBe(false);
    await paste('3');
    expect([given.at(-1), sentence()]).toEqual([3, null]);
  });

  test('gets no sentence while thousands are being typed', async () => {
    const { given } = show(null);
    const sentences: (string | null)[] = [];
    for (const key of '1,234.5') {
      await userEvent.type(box(), key);
      sentences.push(sentence());
    }
    expect(new Set(sentences)).toEqual(new Set([null]));
    expect(given).toEqual([1, Number.NaN, Number.NaN, Number.NaN, 1234, 1234, 1234.5]);
  });

  test('gives way to a number from elsewhere', async () => {
    const { put } = show(2);
    await paste('ten');
    await leave();
    put(7);
    await screen.findByDisplayValue('7');
    expect(sentence()).toBeNull();
  });

  test('a step begins at 0, as from an empty box', async () => {
    const { given } = show(2);
    await paste('ten');
    await userEvent.keyboard('{PageUp}');
    expect([box().value, given.at(-1), sentence()]).toEqual(['0.01', 0.01, null]);
  });
});

test('keys step by one and ten steps, clamped', async () => {
  const { given } = show(1);
  await userEvent.click(box());
  await userEvent.keyboard('{ArrowUp}{PageUp}{ArrowDown}{PageDown}');
  expect(given).toEqual([1.001, 1.011, 1.01, 1]);
});

test('an unfinished sign is no number once the box is left', async () => {
  const { given } = show(2);
  await paste('$');
  expect([given.at(-1), sentence()]).toEqual([null, null]);
  await leave();
  expect([box().value, given.at(-1)]).toEqual(['', null]);
});
