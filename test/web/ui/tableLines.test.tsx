import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { act, fireEvent, render, within } from '@testing-library/react';
import { aStock } from '../../support/aStock.ts';
import { giveLayout } from '../../support/layout.ts';
import { codes, header, row, screenOf, THREE_STOCKS } from '../../support/scannerScreen.tsx';
import { tintedCells } from '../../support/tints.ts';

let takeLayout: () => void;
beforeEach(() => {
  takeLayout = giveLayout();
});
afterEach(() => takeLayout());

const TITLE = 'Top Movers under $1';
const two = THREE_STOCKS.slice(0, 2);
const rising = [aStock({ ...THREE_STOCKS[0], last: 0.9, change: 0.4 }), ...two.slice(1)];
/** px, by where the second line stands. */
const heightOfLine = (): number =>
  Number(
    /translateY\((\d+)px\)/.exec(
      document.querySelectorAll<HTMLElement>('tr[data-id]')[1]?.style.transform ?? '',
    )?.[1],
  );
/** Another scope re-sorts at once, also while the keyboard is among the rows. */
const show = (stocks: typeof two, scope: string) => screenOf('intraDaySmall', stocks, { scope });

test('the lines that the window shows come first, those that it could be scrolled to when they are painted', () => {
  jest.useFakeTimers();
  const before = window.innerHeight;
  window.innerHeight = 200;
  try {
    const many = Array.from({ length: 60 }, (_, index) => aStock({ ...two[0], code: `A${index}` }));
    render(show(many, ''));
    const first = codes(TITLE).length;
    expect(first).toBeGreaterThan(2);
    expect(first * heightOfLine()).toBeLessThan(200 + heightOfLine());
    act(() => void jest.advanceTimersByTime(500));
    expect(codes(TITLE).length * heightOfLine()).toBeGreaterThan(840);
  } finally {
    window.innerHeight = before;
    jest.useRealTimers();
  }
});

describe('lines that change their rows at a re-sort', () => {
  test('stay the same elements', () => {
    const view = render(show(two, ''));
    const lines = [...document.querySelectorAll('tr[data-id]')];
    expect(codes(TITLE)).toEqual(['BBB', 'AAA']);
    view.rerender(show(rising, 'again'));
    expect(codes(TITLE)).toEqual(['AAA', 'BBB']);
    expect([...document.querySelectorAll('tr[data-id]')]).toEqual(lines);
  });

  test('hand a tint on to the line that its row is on now', () => {
    const view = render(show(two, ''));
    // Looked for before: a tint lasts no longer than a busy machine takes for it.
    const byName = within(header('Name')).getByRole('button');
    view.rerender(show([aStock({ ...THREE_STOCKS[0], last: 0.53 }), ...two.slice(1)], ''));
    const tinted = () => tintedCells().map((cell) => cell.closest<HTMLElement>('tr'));
    const before = row('AAA');
    expect(new Set(tinted())).toEqual(new Set([before]));
    fireEvent.click(byName);
    expect(new Set(tinted())).toEqual(new Set([row('AAA')]));
    expect(row('AAA')).not.toBe(before);
    expect(codes(TITLE)).toEqual(['AAA', 'BBB']);
  });

  test('are there for rows that come to a table that had none', () => {
    const view = render(show([], ''));
    view.rerender(show(two, ''));
    expect(codes(TITLE)).toEqual(['BBB', 'AAA']);
  });

  test('let the focus go along with its row, to the same control', () => {
    const view = render(show(two, ''));
    const expander = (code: string) => within(row(code)).getByRole('button', { name: `News for ${code}` });
    act(() => expander('AAA').focus());
    view.rerender(show(rising, 'again'));
    expect(codes(TITLE)).toEqual(['AAA', 'BBB']);
    expect(document.activeElement).toBe(expander('AAA'));
    act(() => row('BBB').focus());
    view.rerender(show(two, 'once more'));
    expect(codes(TITLE)).toEqual(['BBB', 'AAA']);
    expect(document.activeElement).toBe(row('BBB'));
  });

  test('let the focus go when its row is gone', () => {
    const view = render(show(two, ''));
    act(() => row('BBB').focus());
    view.rerender(show(two.slice(0, 1), 'again'));
    expect(codes(TITLE)).toEqual(['AAA']);
    expect(document.activeElement).toBe(document.body);
  });
});
