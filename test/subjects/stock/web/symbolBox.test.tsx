import { afterEach, expect, test } from 'bun:test';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { searchSymbols } from '#market/rules/liveSymbols.ts';
import { SymbolBox } from '#subjects/stock/web/shared/SymbolBox.tsx';

const STOCKS = new Map(
  Object.entries({
    BHP: 'BHP Group',
    BHX: 'Bharat Oil',
    CB: 'Cobalt',
    CBA: 'Commonwealth Bank',
    BEN: 'Bendigo Bank',
  }).map(([code, name]) => [code, { name }]),
);
const search = (typed: string) => searchSymbols(typed, STOCKS);
const isKnown = (code: string) => STOCKS.has(code);

let picked: string[] = [];
let submitted = 0;
afterEach(() => {
  picked = [];
  submitted = 0;
});

function Form() {
  const [code, setCode] = useState('');
  const pick = (chosen: string) => {
    picked.push(chosen);
    setCode(chosen);
  };
  const submit = () => {
    submitted += 1;
  };
  return (
    <form action={submit}>
      <SymbolBox
        label="Symbol"
        value={code}
        onText={setCode}
        onPick={pick}
        search={search}
        isKnown={isKnown}
      />
      <button type="submit">Send</button>
    </form>
  );
}

const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Symbol' });
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const status = () => screen.getByRole('status').textContent;

test('the symbol box shows the number of matches, and no list for one character or no match', async () => {
  render(<Form />);
  await userEvent.click(box());
  expect(options()).toEqual([]);
  await userEvent.keyboard('b');
  expect([options(), status()]).toEqual([[], '']);
  await userEvent.keyboard('h');
  expect([options(), status()]).toEqual([['BHP', 'BHX'], '2 matches']);
  expect(box().getAttribute('aria-expanded')).toBe('true');
  // After the last option comes the box itself, then the first option again.
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
  const [first] = screen.getAllByRole('option');
  expect(box().getAttribute('aria-activedescendant')).toBe(first?.id ?? 'none');
  await userEvent.keyboard('z');
  expect([options(), status()]).toEqual([[], 'No matches']);
  expect(box().getAttribute('aria-expanded')).toBe('false');
});

test('the symbol box picks the highlighted option by Enter, even if the text is a code too', async () => {
  render(<Form />);
  await userEvent.type(box(), 'cb{ArrowDown}{ArrowDown}{Enter}');
  expect(picked).toEqual(['CBA']);
  expect(box().value).toBe('CBA');
  expect(options()).toEqual([]);
});

test('the symbol box picks a complete code by Enter before the form is sent', async () => {
  render(<Form />);
  await userEvent.type(box(), 'cb{Enter}');
  expect([picked, submitted]).toEqual([['CB'], 0]);
  await userEvent.keyboard('{Enter}');
  expect([picked, submitted]).toEqual([['CB'], 1]);
});

test('the symbol box finds a company by name, keeps the typed text, and picks a single match by Enter', async () => {
  render(<Form />);
  await userEvent.type(box(), 'ban');
  expect(options()).toEqual(['BEN', 'CBA']);
  await userEvent.type(box(), 'k{Enter}');
  expect([picked, submitted, box().value]).toEqual([[], 1, 'BANK']);
  await userEvent.clear(box());
  await userEvent.type(box(), 'comm ba');
  expect([options(), box().value]).toEqual([['CBA'], 'COMM BA']);
  await userEvent.keyboard('{Enter}');
  expect([picked, submitted, box().value]).toEqual([['CBA'], 1, 'CBA']);
});

test('the symbol box clears a name that is left in it, like any text that is not a code', async () => {
  render(<Form />);
  await userEvent.type(box(), 'commonwealth');
  await userEvent.tab();
  await waitFor(() => expect(box().value).toBe(''));
  expect(picked).toEqual([]);
});
