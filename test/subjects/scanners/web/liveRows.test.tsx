import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { act, fireEvent, render } from '@testing-library/react';
import { Profiler } from 'react';
import type { Stock } from '#market/rules/stock.ts';
import { aStock } from '#support/aStock.ts';
import { layOutEachTest } from '#support/layout.ts';
import { codes, marketOf, remember, row, screenOf, SHOW_ALL, THREE_STOCKS } from '#support/scannerScreen.tsx';
import { tintOf } from '#support/tints.ts';

const TITLE = 'Top Movers under $1';
const [FIRST, SECOND, THIRD] = THREE_STOCKS as [Stock, Stock, Stock];

layOutEachTest();
beforeEach(() => {
  jest.useFakeTimers();
  remember('intraDaySmall', SHOW_ALL);
});
afterEach(() => {
  jest.useRealTimers();
});

/** The scanner of three stocks, with a count of all React renders. */
function shown() {
  const stocks = marketOf([FIRST, SECOND, THIRD]);
  let renders = 0;
  render(
    <Profiler id="scanner" onRender={() => (renders += 1)}>
      {screenOf('intraDaySmall', [], { stocks })}
    </Profiler>,
  );
  const tick = (...next: Stock[]) =>
    act(() => {
      stocks.value = marketOf(next).value;
    });
  // Off-screen rows are added after the first paint.
  pass(500);
  return { tick, renders: () => renders };
}

const cellOf = (code: string, text: string) => {
  const found = [...row(code).querySelectorAll('.cell')].find((cell) => cell.textContent === text);
  if (!found) throw new Error(`No cell of ${code} says ${text}.`);
  return found;
};
const rising = (last: number, change: number) =>
  aStock({ ...FIRST, last, change, change_percent: change * 100 });

test('a tick is drawn and flashes without a render', () => {
  const { tick, renders } = shown();
  const before = renders();
  tick(rising(0.53, 0.03), SECOND, THIRD);
  expect(tintOf(cellOf('AAA', '0.530'))).toBe('up');
  tick(rising(0.52, 0.02), SECOND, THIRD);
  expect(tintOf(cellOf('AAA', '0.520'))).toBe('down');
  expect(renders()).toBe(before);
});

const pass = (ms: number) => act(() => void jest.advanceTimersByTime(ms));

test('the order of an early tick is drawn once it is due', () => {
  const { tick } = shown();
  expect(codes(TITLE)).toEqual(['BBB', 'CCC', 'AAA']);
  tick(rising(0.9, 0.4), SECOND, THIRD);
  expect(codes(TITLE)).toEqual(['BBB', 'CCC', 'AAA']);
  pass(1200);
  expect(codes(TITLE)).toEqual(['AAA', 'BBB', 'CCC']);
  cellOf('AAA', '0.900');
});

test('a re-sort is drawn without a render, and the keyboard follows its order', () => {
  const { tick, renders } = shown();
  const before = renders();
  pass(1000);
  tick(rising(0.9, 0.4), SECOND, THIRD);
  expect(codes(TITLE)).toEqual(['AAA', 'BBB', 'CCC']);
  expect(row('AAA').tabIndex).toBe(0);
  expect(renders()).toBe(before);
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(document.activeElement).toBe(row('AAA'));
  fireEvent.keyDown(row('AAA'), { key: 'j' });
  expect(document.activeElement).toBe(row('BBB'));
});

test('a tick is drawn even if a row has the focus or is open', () => {
  const { tick } = shown();
  fireEvent.keyDown(document.body, { key: 'j' });
  tick(rising(0.53, 0.03), SECOND, THIRD);
  cellOf('AAA', '0.530');
  fireEvent.keyDown(row('BBB'), { key: 'Enter' });
  expect(row('BBB').dataset.open).toBe('true');
  tick(rising(0.54, 0.04), aStock({ ...SECOND, last: 0.61 }), THIRD);
  cellOf('AAA', '0.540');
  cellOf('BBB', '0.610');
});
