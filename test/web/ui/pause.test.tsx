import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { aStock } from '#support/aStock.ts';
import { layOutEachTest } from '#support/layout.ts';
import { codes, remember, row, screenOf, SHOW_ALL, THREE_STOCKS } from '#support/scannerScreen.tsx';

const TITLE = 'Top Movers under $1';
const rising = (code: string, change: number) => aStock({ code, last: 0.5 + change, change });
const start = THREE_STOCKS.slice(0, 2);
const NEW = ['NEA', 'NEB', 'NEC'].map((code, index) => rising(code, 0.3 + index / 100));
const more = [...start, ...NEW];

layOutEachTest();
let view: ReturnType<typeof render>;
beforeEach(() => {
  remember('intraDaySmall', SHOW_ALL);
  jest.useFakeTimers();
  view = render(screenOf('intraDaySmall', start));
  // The first rows settle.
  pass(4000);
});
afterEach(() => {
  jest.useRealTimers();
});

const pass = (ms: number) => act(() => void jest.advanceTimersByTime(ms));
const show = (stocks: typeof start) => view.rerender(screenOf('intraDaySmall', stocks));
let x = 0;
function move() {
  x += 1;
  fireEvent.pointerMove(row('AAA'), { clientX: x, clientY: 1, pointerType: 'mouse' });
}
const chip = () => screen.queryByRole('button', { name: /^Paused/ });
const chipText = () => chip()?.textContent?.replace(', resume sorting', '');
const heading = () => document.querySelector('.scanner-count')?.textContent;
const spoken = () => document.querySelector('section [aria-live=polite]')?.textContent;
const press = (key: string, target: Element = document.body) => fireEvent.keyDown(target, { key });

describe('the order of rows', () => {
  test('holds while the pointer moves over them and for three seconds after', () => {
    move();
    show(more);
    pass(1500);
    move();
    pass(2900);
    expect(codes(TITLE)).toEqual(['BBB', 'AAA']);
    pass(200);
    expect(codes(TITLE)).toEqual(['NEC', 'NEB', 'NEA', 'BBB', 'AAA']);
  });

  test('does not hold under a resting pointer, even if rows move under it', () => {
    fireEvent.pointerEnter(document.querySelector('tbody') as Element);
    fireEvent.pointerOver(row('AAA'));
    show(more);
    expect(codes(TITLE)).toHaveLength(5);
    move();
    pass(3100);
    // The same position again is not a move.
    fireEvent.pointerMove(row('AAA'), { clientX: x, clientY: 1, pointerType: 'mouse' });
    show(start);
    expect(codes(TITLE)).toEqual(['BBB', 'AAA']);
  });

  test('holds while a finger is on the rows, and for three seconds after it is lifted', () => {
    fireEvent.pointerDown(row('AAA'), { pointerType: 'touch' });
    show(more);
    pass(8000);
    expect(codes(TITLE)).toHaveLength(2);
    fireEvent.pointerUp(document.body, { pointerType: 'touch' });
    pass(2900);
    expect(codes(TITLE)).toHaveLength(2);
    pass(200);
    expect(codes(TITLE)).toHaveLength(5);
  });
});

describe('a pause', () => {
  const pause = () => {
    move();
    show(more);
  };

  test('is shown in the heading line, outside of the cells, with the number of waiting rows', () => {
    move();
    expect(chip()).toBeNull();
    show(more);
    expect(chipText()).toBe('Paused · 3 new');
    expect(chip()?.closest('header')?.textContent).toContain(TITLE);
    expect(chip()?.closest('.table-frame')).toBeNull();
    show(more.slice(0, 4));
    expect(chipText()).toBe('Paused · 2 new');
    pass(3100);
    expect(chip()).toBeNull();
  });

  test('ends with a click on it, which leaves the focus in its row', () => {
    act(() => row('AAA').focus());
    pause();
    const button = chip() as HTMLElement;
    expect(fireEvent.mouseDown(button)).toBe(false);
    fireEvent.click(button);
    expect(codes(TITLE)).toHaveLength(5);
    expect(chip()).toBeNull();
    expect(document.activeElement).toBe(row('AAA'));
  });

  test('ends with the . key, also in the rows, but not while typing', () => {
    pause();
    press('.', screen.getByRole('textbox', { name: 'Filter by code or name' }));
    expect(codes(TITLE)).toHaveLength(2);
    press('.', row('AAA'));
    expect(codes(TITLE)).toHaveLength(5);
    show(start);
    pass(1200);
    expect(codes(TITLE)).toHaveLength(2);
  });

  test('is announced once, not with every row, and not again within a minute', () => {
    expect(spoken()).toBe('');
    pause();
    const words = 'Sorting paused, 3 new. Press full stop to resume.';
    expect(spoken()).toBe(words);
    show(more.slice(0, 4));
    expect(spoken()).toBe(words);
    press('.');
    expect(spoken()).toBe('');
    pass(2000);
    move();
    show(start);
    expect([chipText(), spoken()]).toEqual(['Paused', '']);
    pass(60_000);
    pass(1000);
    pause();
    expect(spoken()).toBe(words);
  });
});

test('the heading counts the rows below it, whatever is held', () => {
  expect(heading()).toBe('2 stocks');
  move();
  show(more);
  expect([heading(), codes(TITLE).length]).toEqual(['2 stocks', 2]);
  press('.');
  expect([heading(), codes(TITLE).length]).toEqual(['5 stocks', 5]);
  move();
  show([]);
  expect([heading(), codes(TITLE).length]).toEqual(['5 stocks', 5]);
  expect(document.querySelectorAll('[data-left]')).toHaveLength(5);
  expect(screen.queryByText('No results yet')).toBeNull();
});
